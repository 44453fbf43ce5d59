"""Holds every sentence of an answer to the passages that it cites."""
