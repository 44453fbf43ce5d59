"""Reads what language models write around an answer: their reasoning, and their many notations for a source."""
