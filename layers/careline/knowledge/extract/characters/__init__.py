"""Characters as files have them: character sets, halves of surrogate pairs, raised figures."""
