"""The demo hospital: an invented one, in four languages."""
