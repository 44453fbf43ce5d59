"""One stack for what must last, one for ingestion, one for the API."""
