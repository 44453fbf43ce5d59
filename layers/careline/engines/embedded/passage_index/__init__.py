"""The on-disk index of passages."""
