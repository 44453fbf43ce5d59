"""A table from extraction to the words that a row is said in."""
