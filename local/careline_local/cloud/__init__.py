"""Looks at an account of AWS: whether a stage can go there, and whether the one that is there works."""
