"""Reads DOCX."""
