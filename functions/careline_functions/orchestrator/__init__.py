"""Answers questions: a turn as JSON or as a stream, conversations, search."""
