"""One apostrophe for all that keyboards and telephones write, so that a model reads "j’ai" as it learned "j'ai"."""

from __future__ import annotations

_PLAIN = str.maketrans(dict.fromkeys("’‘ʼʹ′´＇", "'"))


def with_plain_apostrophes(text: str) -> str:
    """The text with each apostrophe as ASCII has it; as many characters as before."""
    return text if text.isascii() else text.translate(_PLAIN)
