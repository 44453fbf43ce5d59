"""The deciding half of a turn, one stage a file."""
