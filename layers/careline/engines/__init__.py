"""Implementations of the ports: one folder per vendor, the same file name for the same port."""
