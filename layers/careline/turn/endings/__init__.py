"""How a screen's verdict or a request ends a turn before anything is searched."""
