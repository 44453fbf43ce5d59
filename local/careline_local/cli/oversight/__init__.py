"""Commands on records of turns and people."""
