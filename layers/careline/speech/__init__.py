"""Turning text into something that can be said: no I/O, one file per concern."""
