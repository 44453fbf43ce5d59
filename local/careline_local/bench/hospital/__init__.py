"""Hospitals' documents and questions."""
