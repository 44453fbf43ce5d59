"""The fake of the passage index, in memory and exact."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np

from careline.errors import IndexUnavailable
from careline.model import Hit, Passage
from careline.ports import Matrix, PassageQuery, Vector
from careline.search.filters import CheckedValues, Range, checked

_WORD = re.compile(r"\w+")


class FakeIndex:
    """Passages in a dictionary. Half of a score is the share of the question's words, half the cosine."""

    def __init__(self) -> None:
        self.stored: dict[tuple[str, str, int], list[tuple[Passage, Vector]]] = {}
        self.newest: dict[tuple[str, str], tuple[int, bool]] = {}
        self.counts: dict[str, int] = {}
        self.down = False

    async def add(self, passages: Sequence[Passage], vectors: Matrix, windows: Sequence[bytes] = ()) -> None:
        self._reach()
        if passages:
            first = passages[0]
            rows = [np.array(row, np.float32) for row in vectors]
            pairs = sorted(zip(passages, rows, strict=True), key=lambda pair: pair[0].chunk.ordinal)
            self.stored[first.tenant, first.doc_key, first.version] = pairs

    async def activate(self, tenant: str, doc_key: str, version: int) -> None:
        self._move(tenant, doc_key, version, live=True)

    async def retire(self, tenant: str, doc_key: str, version: int) -> None:
        self._move(tenant, doc_key, version, live=False)

    async def withdraw(self, tenant: str, doc_key: str, version: int) -> None:
        self._reach()
        if self.newest.get((tenant, doc_key)) == (version, True):
            self.newest[tenant, doc_key] = (version - 1, False)
            self.counts[tenant] = self.counts.get(tenant, 0) + 1

    def _move(self, tenant: str, doc_key: str, version: int, *, live: bool) -> None:
        self._reach()
        held, was_live = self.newest.get((tenant, doc_key), (0, False))
        if held > version or (held == version and (live or not was_live)):
            return
        self.newest[tenant, doc_key] = (version, live)
        if live or was_live:
            self.counts[tenant] = self.counts.get(tenant, 0) + 1

    async def find(self, query: PassageQuery) -> Sequence[Hit]:
        self._reach()
        where = checked(query.where)
        asked = set(_WORD.findall(query.text.lower()))
        hits = [_scored(passage, row, asked, query) for passage, row in self._live(query, where)]
        return sorted((hit for hit in hits if hit.score > 0), key=lambda hit: -hit.score)[: query.limit]

    def _live(self, query: PassageQuery, where: Mapping[str, CheckedValues]) -> list[tuple[Passage, Vector]]:
        keys = [(*key, version) for key, (version, live) in self.newest.items() if live and key[0] == query.tenant]
        pairs = [pair for key in keys for pair in self.stored.get(key, [])]
        return [pair for pair in pairs if _allowed(pair[0], query, where)]

    async def settle(self) -> None:
        self._reach()

    async def passages(self, tenant: str, doc_key: str, version: int) -> Sequence[Passage]:
        self._reach()
        return [passage for passage, _ in self.stored.get((tenant, doc_key, version), [])]

    async def corpus_version(self, tenant: str) -> int:
        return self.counts.get(tenant, 0)

    async def clear(self, tenant: str) -> None:
        self.stored = {key: held for key, held in self.stored.items() if key[0] != tenant}
        self.newest = {key: held for key, held in self.newest.items() if key[0] != tenant}
        self.counts[tenant] = self.counts.get(tenant, 0) + 1

    def _reach(self) -> None:
        if self.down:
            raise IndexUnavailable("the index is down")


def _scored(passage: Passage, row: Vector, asked: set[str], query: PassageQuery) -> Hit:
    text = " ".join((passage.facts.title, *passage.chunk.heading_path, passage.chunk.text))
    share = len(asked & set(_WORD.findall(text.lower()))) / max(len(asked), 1)
    if query.vector is None:
        return Hit(passage, share, coverage=share)
    cosine = float(row @ query.vector)
    return Hit(passage, 0.5 * share + 0.5 * max(cosine, 0.0), similarity=cosine, coverage=share)


def _allowed(passage: Passage, query: PassageQuery, where: Mapping[str, CheckedValues]) -> bool:
    facts = passage.facts
    begins, ends = facts.valid_from or date.min, facts.valid_until or date.max
    if query.today is not None and not begins <= query.today <= ends:
        return False
    for name, wanted in where.items():
        holder: Any = passage.chunk if name == "kind" else facts if hasattr(facts, name) else passage
        value = getattr(holder, name)
        held = [one for one in (value if isinstance(value, tuple) else (value,)) if one is not None]
        if not any(_is(one, want) for one in held for want in wanted):
            return False
    return True


def _is(held: object, wanted: str | int | Range) -> bool:
    plain = held.isoformat() if isinstance(held, date) else held
    return wanted.holds(plain) if isinstance(wanted, Range) else str(plain) == str(wanted)
