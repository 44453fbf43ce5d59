"""Reads what texts of any language hold: figures and typed values."""
