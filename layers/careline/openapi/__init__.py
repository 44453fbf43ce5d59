"""The published description of the HTTP API."""
