"""Holds the frequent words of each language, by which a word that none of them has is seen to be a name."""

from __future__ import annotations

import json
from functools import cache

import careline_artefacts


@cache
def frequent_words(language: str) -> frozenset[str]:
    """Some 25,000 to 50,000 frequent words of "nl", "en", "fr" or "it", in lower case without accents;
    `training/build_names.py` makes the lists."""
    content = (careline_artefacts.FOLDER / "names" / f"words_{language}.json").read_bytes()
    return frozenset(json.loads(content))
