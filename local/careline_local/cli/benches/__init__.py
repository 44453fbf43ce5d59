"""`careline bench` and its tables."""
