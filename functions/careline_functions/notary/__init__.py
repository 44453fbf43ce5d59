"""Notes heads of audit chains."""
