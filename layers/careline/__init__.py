"""Careline: the assistant that hospitals trust. One pipeline behind chat and phone."""
