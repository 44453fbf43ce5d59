"""A job of ingestion: what it carries, where it stands, what its stages leave and how often they are tried."""
