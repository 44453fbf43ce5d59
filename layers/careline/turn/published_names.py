"""Finds which names of a question the hospital publishes itself: a campus that is called like somebody, a doctor.

A name that stands in the documents is no caller's, and without it the question loses what it asks about. It goes back
into the text that is searched for, and nowhere else: what a language model is told keeps the tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from careline.errors import EngineUnavailable
from careline.installation import Installation
from careline.model import Hit
from careline.privacy.redaction.redact import name_tokens
from careline.search.label_words import folded
from careline.turn.find_passages import find_passages
from careline.turn.turn import PersonalData, Turn

MOST = 3
"""Names that are looked for, each with one search of words; a question has seldom more."""
LOOKED_THROUGH = 5
"""Passages that are read for a name."""
SHORTEST = 3
LONGEST = 60
"""Characters of a name."""
_WORD = re.compile(r"[^\W_]+")


async def with_published_names(turn: Turn, installation: Installation) -> Turn:
    """The turn with the names that its documents hold in place of their tokens. No error leaves the tokens out: where
    the index does not answer, they stay."""
    if turn.phi is None or turn.phi.state != "found":
        return turn
    asked = [turn.phi.question, *(one.text for one in turn.phi.history if one.role == "user")]
    tokens = list(dict.fromkeys(token for text in asked for token in name_tokens(text)))[:MOST]
    published = {}
    for token in tokens:
        name = turn.phi.vault.restore(token)
        if name != token and await _is_published(name, turn, installation):
            published[token] = name
    return replace(turn, phi=_restored(turn.phi, published)) if published else turn


async def _is_published(name: str, turn: Turn, installation: Installation) -> bool:
    words = _words(name)
    if not SHORTEST <= len(words) <= LONGEST:
        return False
    try:
        hits = await find_passages(name, None, turn, installation, LOOKED_THROUGH)
    except EngineUnavailable:
        return False
    return any(f" {words} " in f" {_words(text)} " for hit in hits for text in _texts(hit))


def _texts(hit: Hit) -> Iterable[str]:
    yield hit.passage.facts.title
    yield from hit.passage.chunk.heading_path
    yield hit.passage.chunk.text


def _words(text: str) -> str:
    return " ".join(_WORD.findall(folded(text)))


def _restored(phi: PersonalData, published: dict[str, str]) -> PersonalData:
    return replace(
        phi,
        question=_with(phi.question, published),
        history=tuple(replace(one, text=_with(one.text, published)) for one in phi.history),
    )


def _with(text: str, published: dict[str, str]) -> str:
    for token, name in published.items():
        text = text.replace(token, name)
    return text
