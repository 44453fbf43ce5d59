"""Reads a workbook that people filled in: its archive, its rows, their cells, and the directory that these make."""
