"""Deterministic screens around the language model: what they refuse never depends on what a model thinks of it."""
