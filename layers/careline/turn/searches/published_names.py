"""Finds which names of a question the hospital publishes itself: a campus that is called like somebody, a doctor.

A name that stands in the documents is no caller's, and without it the question loses what it asks about. It goes back
into the words that are searched for and read, and nowhere else: what is embedded and what a language model is told keep
it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from careline.model import Hit
from careline.ports import PlannedSearch
from careline.privacy.redaction.redact import name_tokens, without_tokens
from careline.text.label_words import folded
from careline.turn.searches.find_passages import planned
from careline.turn.turn import NamesToFind, Turn
from careline.understanding.entities.name_forms import title_words
from careline.understanding.question import StandaloneQuestion

MOST = 3
"""Names that are looked for, each with one search of words; a question has seldom more."""
LOOKED_THROUGH = 5
"""Passages that are read for a name."""
SHORTEST = 3
LONGEST = 60
"""Characters of a name."""
_WORD = re.compile(r"[^\W_]+")


def names_to_find(asked: StandaloneQuestion, turn: Turn) -> NamesToFind | None:
    """The names that are looked for before the question is searched for; None without any."""
    if turn.phi is None or turn.phi.state != "found":
        return None
    tokens = tuple(dict.fromkeys(name_tokens(asked.text)))
    return NamesToFind(tokens[:MOST], asked.text) if tokens else None


def name_searches(turn: Turn) -> dict[str, PlannedSearch]:
    """A search of words for each name that may be published, by its token."""
    if turn.names is None or turn.phi is None:
        return {}
    names = {token: turn.phi.vault.restore(token) for token in turn.names.tokens}
    return {
        token: planned(name, None, turn, LOOKED_THROUGH)
        for token, name in names.items()
        if name != token and SHORTEST <= len(_words(name)) <= LONGEST
    }


def with_published_names(turn: Turn, found: Mapping[str, Sequence[Hit]]) -> Turn:
    """The turn with the names in what is searched for that stand in what was found for them."""
    names, phi = turn.names, turn.phi
    if names is None or phi is None:
        return turn
    restored = {token: phi.vault.restore(token) for token in found}
    published = {token: name for token, name in restored.items() if _is_published(name, found[token])}
    if not published:
        return turn
    return replace(turn, search_text=_restored(names.text, published))


def _is_published(name: str, hits: Sequence[Hit]) -> bool:
    words = _words(name, title_words())
    return bool(words) and any(f" {words} " in f" {_words(text)} " for hit in hits for text in _texts(hit))


def _texts(hit: Hit) -> Iterable[str]:
    yield hit.passage.facts.title
    yield from hit.passage.chunk.heading_path
    yield hit.passage.chunk.text


def _words(text: str, beside: frozenset[str] = frozenset()) -> str:
    """The words of a text; of a name without the titles `beside` it, as "madam" is none of the hospital's."""
    return " ".join(word for word in _WORD.findall(folded(text)) if word not in beside)


def _restored(text: str, published: dict[str, str]) -> str:
    """A text with the names that are published, and without the tokens of those that are not."""
    for token, name in published.items():
        text = text.replace(token, name)
    return without_tokens(text).strip()
