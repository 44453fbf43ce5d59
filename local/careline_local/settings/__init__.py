"""The settings as a table, and those of a stage in AWS."""
