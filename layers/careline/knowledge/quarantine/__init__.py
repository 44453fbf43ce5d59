"""Passages that wait for a person."""
