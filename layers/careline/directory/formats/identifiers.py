"""Ids of entries, made of what others call them."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 80
"""Characters of an id."""
_IDENTIFIER = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−→", "-") | {"’": "'", "‘": "'", "\xa0": " ", "\u202f": " "})


def plain(text: str) -> str:
    """Lower case without accents, with one kind of dash, apostrophe and space."""
    parted = unicodedata.normalize("NFKD", text.translate(_DASHES).casefold())
    return "".join(sign for sign in parted if not unicodedata.combining(sign))


def folded(text: str) -> str:
    """Only the letters and digits of a text, with single spaces between: what does not count is left out."""
    return " ".join("".join(sign if sign.isalnum() else " " for sign in plain(text)).split())


def identifier_of(text: str) -> str:
    """An id, made of a text that is none: without accents, with a hyphen for what is no letter or digit."""
    if _IDENTIFIER.fullmatch(text):
        return text
    return folded(text).encode("ascii", "ignore").decode().replace(" ", "-")[:LONGEST].strip("-")
