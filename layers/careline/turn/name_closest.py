"""Names the pages that come closest where none answers: what a caller is told instead of an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from careline.model import Hit
from careline.safety.injection.document_screen import read_document_screen

CHOICES = 2
"""Pages that are named at most."""


def closest_reply(hits: Sequence[Hit]) -> tuple[str, Mapping[str, str]]:
    """The key of the pack's reply and its values, for pages that come close, the closest first; `unknown` for none.

    A title that a page may not have the assistant say is not named.
    """
    titles = list(dict.fromkeys(hit.passage.facts.title for hit in hits if _may_be_named(hit)))[:CHOICES]
    if not titles:
        return "unknown", {}
    if len(titles) == 1:
        return "closest", {"title": titles[0]}
    return "closest_two", {"title": titles[0], "other": titles[1]}


def _may_be_named(hit: Hit) -> bool:
    facts = hit.passage.facts
    return not read_document_screen().judge(facts.title, facts.language)
