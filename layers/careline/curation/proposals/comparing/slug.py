"""Makes the id of a new entry of its name."""

from __future__ import annotations

import re

from careline.text.figure_words import plain

_OTHER = re.compile(r"[^a-z0-9]+")
_MOST = 60


def slug(name: str, statement_id: str) -> str:
    """The name in letters, digits and dashes; behind it four digits of the statement, so that no two are alike."""
    bare = _OTHER.sub("-", plain(name)).strip("-")[:_MOST].strip("-")
    return f"{bare}-{statement_id[:4]}" if bare else f"entry-{statement_id[:8]}"
