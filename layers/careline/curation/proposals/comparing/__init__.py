"""Holds what documents say against the directory."""
