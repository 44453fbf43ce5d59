"""The speaking half of a turn."""
