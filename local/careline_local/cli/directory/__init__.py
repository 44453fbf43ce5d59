"""The hospital's directory from a terminal."""
