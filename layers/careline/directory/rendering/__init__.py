"""Says facts of the directory in four languages, in chat and on the phone: the sentences are data."""
