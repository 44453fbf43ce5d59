"""Reads what stands inside a paragraph of a DOCX."""
