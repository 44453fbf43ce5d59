"""One user message and its answer."""
