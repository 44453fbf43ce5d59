"""Finds tables on a page by points, gaps and lines."""
