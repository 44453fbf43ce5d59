"""The canary: asks known questions as a caller would, so that people know before a caller does."""
