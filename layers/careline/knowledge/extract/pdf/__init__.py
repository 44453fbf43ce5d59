"""Reads PDF: words and ruling lines from pdfium, then tables, columns and blocks by where they stand on the page."""

from careline.knowledge.extract.pdf.document import read

__all__ = ["read"]
