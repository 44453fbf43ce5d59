"""The records of an installation: where each kind stands in the table of records."""
