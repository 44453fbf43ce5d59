"""Reads the cells, labels and lines of documents as values of the directory."""
