"""Takes personal data out of texts and records: typed tokens, pseudonyms, keyed digests, encryption."""
