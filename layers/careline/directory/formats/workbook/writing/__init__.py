"""Writes a directory as a workbook, and the template that people fill in."""
