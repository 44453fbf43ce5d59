"""One folder per deployed function: parse, call Careline once, map the result."""
