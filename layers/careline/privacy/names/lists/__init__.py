"""Lists of names, and of words that are none."""
