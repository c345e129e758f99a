"""rules: games; what is legal, what it scores, who has won."""
