"""One recogniser per kind of identifier: `find(text, language)` yields spans, `language` None means all four."""
