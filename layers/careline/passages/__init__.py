"""Passages: what a chunk of a document says line by line, and under what."""
