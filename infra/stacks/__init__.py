"""One stack for what must last, one for ingestion, one for the API, one for what becomes of turns afterwards."""
