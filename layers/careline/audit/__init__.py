"""The chain of audit entries, and whether it is whole."""
