"""Takes documents in and tells how their indexing goes."""
