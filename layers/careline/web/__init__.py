"""What is said over HTTP: the table of routes, and what binds it to handlers."""
