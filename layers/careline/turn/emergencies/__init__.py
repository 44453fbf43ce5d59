"""Answers an emergency where its turn cannot go the usual way."""
