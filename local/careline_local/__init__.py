"""Careline on one laptop: the same handlers in one process, the command line, the demo hospital."""
