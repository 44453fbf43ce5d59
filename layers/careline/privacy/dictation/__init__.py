"""Reads what is dictated: numbers in words, spelled letters, hesitations and slips."""
