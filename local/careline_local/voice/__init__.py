"""A phone call without a phone: WAV files in place of a caller, and vendors that stand in for the real ones."""
