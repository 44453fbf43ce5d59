"""Keeping what identifies a person out of models, logs and metrics: finding it, replacing it, hashing it."""
