"""Names the pages that come closest where none answers: what a caller is told instead of an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from careline.model import Hit
from careline.packs.packs import Pack
from careline.safety.injection.document_screen import read_document_screen

NOT_LOADED = "documents_loading"
"""The reply while documents that may answer are still being loaded."""
CHOICES = 2
"""Pages that are named at most."""
TITLES = ("title", "other")
"""Their titles among the values of the reply."""


def closest_reply(hits: Sequence[Hit], pack: Pack, language: str) -> tuple[str, Mapping[str, str]]:
    """The key of the pack's reply and its values, for pages that come close, the closest first; `unknown` for none.

    A title that a page may not have the assistant say is not named. Of a page in another language than the caller's the
    language is said.
    """
    named: dict[str, str] = {}
    for hit in hits:
        title, written_in = hit.passage.facts.title, hit.passage.facts.language
        if _may_be_named(hit) and (title in named or len(named) < CHOICES):
            named[title] = written_in if written_in == language else named.get(title, written_in)
    said = [(title, _language_note(written_in, pack, language)) for title, written_in in named.items()]
    if not said:
        return "unknown", {}
    (title, title_language), *others = said
    values = {"title": title, "title_language": title_language}
    if not others:
        return "closest", values
    ((other, other_language),) = others
    return "closest_two", {**values, "other": other, "other_language": other_language}


def _may_be_named(hit: Hit) -> bool:
    facts = hit.passage.facts
    return not read_document_screen().judge(facts.title, facts.language)


def _language_note(written_in: str, pack: Pack, language: str) -> str:
    """What follows the title of a page in another language; empty for one in the caller's own."""
    if written_in in {language, ""}:
        return ""
    name = pack.replies.get(language, {}).get(f"language_{written_in}")
    return f" {pack.say('foreign_title', language, language_name=name)}"
