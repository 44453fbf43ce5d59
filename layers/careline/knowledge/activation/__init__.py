"""The last steps of a version: into the index, live, and what it says that the hospital's directory could hold."""
