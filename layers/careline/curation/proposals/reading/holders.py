"""Reads the names of doctors, each behind a title."""

from __future__ import annotations

import re
from dataclasses import dataclass

from careline.curation.proposals.reading.words import concepts, words
from careline.text.figure_words import plain

_HEAD = frozenset(("head",))
_SPLIT = re.compile(r" ?[,;/] ?| (?:&|\+|en|and|et|e) ")


@dataclass(frozen=True, slots=True)
class Holder:
    """A doctor as a document names them."""

    title: str
    first_name: str
    last_name: str
    is_head: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """By which the same name in another cell is that of the same person."""
        return plain(self.last_name), plain(self.first_name)


def holders_in(text: str, language: str) -> list[Holder]:
    """The doctors that a cell names, each behind a title: "dr. Vercauteren, dr. Aelbrecht"."""
    found: list[Holder] = []
    spaced = " ".join(text.replace("(", ", ").replace(")", " ").split()).replace(" ,", ",")
    parts = [part for part in _SPLIT.split(spaced) if part]
    for part in parts:
        holder = _holder(part)
        if holder is not None:
            found.append(holder)
        elif found and concepts(part, language) & _HEAD:
            last = found.pop()
            found.append(Holder(last.title, last.first_name, last.last_name, is_head=True))
        else:
            return []
    return found


def _holder(text: str) -> Holder | None:
    tokens = text.split()
    title = []
    while tokens and plain(tokens[0]) in words().doctors:
        title.append(tokens.pop(0))
    if not title or not 1 <= len(tokens) <= 5 or not all(token[:1].isalpha() for token in tokens):
        return None
    if not tokens[-1][:1].isupper():
        return None
    loud = [token for token in tokens if len(token) > 2 and token.isupper()]
    if loud and len(loud) < len(tokens):
        # "VANDAMME Els": what is written in capitals is the last name, wherever it stands.
        first = [token for token in tokens if token not in loud and not _is_particle(token)]
        last = [token.title() if token in loud else token for token in tokens if token not in first]
        return Holder(" ".join(title), " ".join(first), " ".join(last))
    first, last = (tokens[:1], tokens[1:]) if len(tokens) > 1 and not _is_particle(tokens[0]) else ([], tokens)
    return Holder(" ".join(title), " ".join(first), " ".join(last))


def _is_particle(token: str) -> bool:
    """Whether a name begins with it: "Van Overmeire" has no first name before it."""
    return plain(token) in words().particles
