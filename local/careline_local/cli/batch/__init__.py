"""Commands that read JSON Lines."""
