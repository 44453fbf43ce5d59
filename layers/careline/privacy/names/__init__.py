"""Names of people: what introduces one, what a word can be, and how far a name goes."""
