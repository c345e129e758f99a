"""firmware: the table itself; the loop, the turn, the journal, the configuration and the command line."""
