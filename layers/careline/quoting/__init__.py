"""Writes answers without a language model: it quotes what the reader found, word for word."""
