"""How a file becomes passages that can be found."""
