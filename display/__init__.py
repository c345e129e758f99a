"""display: a View in, pixels out. Knows no rules, no devices and no clock."""
