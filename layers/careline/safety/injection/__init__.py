"""Attempts on the assistant's instructions, by users and by documents."""
