"""How one word is written in several ways: with another apostrophe, or misspelt."""
