"""Makes the id of a new entry of its name."""

from __future__ import annotations

import re

from careline.text.figure_words import plain

_OTHER = re.compile(r"[^a-z0-9]+")
_MOST = 50


def slug(name: str, statement_id: str) -> str:
    """The name in letters, digits and dashes; behind it four digits of the statement, so that no two are alike."""
    whole = _OTHER.sub("-", plain(name)).strip("-")
    # Cut behind a word, so that the id can be read.
    bare = whole if len(whole) <= _MOST else whole[: _MOST + 1].rpartition("-")[0] or whole[:_MOST]
    return f"{bare}-{statement_id[:4]}" if bare else f"entry-{statement_id[:8]}"
