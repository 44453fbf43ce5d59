"""Takes turns out of the outbox queue."""
