"""The live passages' vectors in memory, searched exactly: one matrix product for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np
import numpy.typing as npt

from careline.engines.embedded.index_rows import Stored, Version
from careline.errors import IndexUnavailable
from careline.ports import Matrix, Vector
from careline.search.filters import checked

Mask = npt.NDArray[np.bool_]
FEW = 20
"""Passages of a language that weigh as much in its mean as the whole corpus does."""
SMALL = 60
"""Passages of a corpus that weigh as much in its mean as ordinary text does; in a small corpus every passage is near
the mean, and nothing would stand out."""
CORRECTED = 0.75
"""Share of a language's own nearness that is taken away for ranking; three quarters did best on the questions of
`careline bench answers` that may be looked at, all languages together; the difference to a half is small."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The rows that a filter allows, and the means of their vectors: over all, and by language (rows of `means`)."""

    mask: Mask
    count: int
    mean: Vector
    means: Matrix
    languages: npt.NDArray[np.int64]


class LiveVectors:
    """Rows of live passages. Rows that stopped being live stay in place, masked, until the process starts again.

    One thread at a time may `admit`, `dismiss` and `select`. What a selection was made from stays readable to everyone.
    """

    def __init__(self, ordinary: Vector) -> None:
        self._dimensions = dimensions = len(ordinary)
        self._ordinary = ordinary
        self._matrix: Matrix = np.zeros((256, dimensions), np.float32)
        self._live: Mask = np.zeros(256, np.bool_)
        self._rows = 0
        self.passage_ids: list[int] = []
        self._version_ids: list[int] = []
        self._kinds: list[str] = []
        self._languages: list[int] = []
        self._codes: dict[str, int] = {}
        self._row_of: dict[int, int] = {}
        self.versions: dict[int, Version] = {}
        self._selections: dict[object, Selection] = {}

    def __len__(self) -> int:
        return int(self._live[: self._rows].sum())

    def admit(self, versions: Iterable[Version], stored: Iterable[Stored]) -> None:
        """Add the passages of versions that became live.

        Raises: IndexUnavailable for vectors of another length, which another embedding model made.
        """
        self._selections.clear()
        admitted = {version.version_id: version for version in versions}
        self.versions = {**self.versions, **admitted}
        for one in stored:
            language = admitted[one.version_id].facts.language
            self._languages.append(self._codes.setdefault(language, len(self._codes)))
            if self._rows == len(self._matrix):
                self._matrix = np.concatenate([self._matrix, np.zeros_like(self._matrix)])
                self._live = np.concatenate([self._live, np.zeros_like(self._live)])
            self._matrix[self._rows] = self._row(one)
            self._live[self._rows] = True
            self._row_of[one.passage_id] = self._rows
            self.passage_ids.append(one.passage_id)
            self._version_ids.append(one.version_id)
            self._kinds.append(one.chunk.kind)
            self._rows += 1

    def _row(self, one: Stored) -> Vector:
        row = np.frombuffer(one.vector, np.float32)
        if len(row) != self._dimensions:
            raise IndexUnavailable("the index holds vectors of another embedding model; run `careline reindex`")
        return row

    def dismiss(self, version_ids: set[int]) -> None:
        """Mask the passages of versions that are no longer live."""
        self._selections.clear()
        gone = np.isin(np.asarray(self._version_ids, np.int64), list(version_ids))
        self._live[: self._rows][gone] = False

    def select(self, tenant: str, where: Mapping[str, tuple[str | int, ...]], today: date | None) -> Selection:
        """The live rows of a tenant that a filter allows. Raises: BadRequest for an unknown field or a wrong value."""
        where = checked(where)
        key = (tenant, tuple(where.items()), today)
        found = self._selections.get(key)
        if found is None:
            if len(self._selections) > 64:
                self._selections.clear()
            found = self._selections[key] = self._selection(tenant, where, today)
        return found

    def _selection(self, tenant: str, where: Mapping[str, tuple[str | int, ...]], today: date | None) -> Selection:
        by_version = {name: values for name, values in where.items() if name != "kind"}
        allowed = [
            version.version_id
            for version in self.versions.values()
            if version.tenant == tenant and _valid(version, today) and _matches(version, by_version)
        ]
        rows = self._rows
        mask = self._live[:rows] & np.isin(np.asarray(self._version_ids, np.int64), allowed)
        if "kind" in where:
            mask &= np.isin(np.asarray(self._kinds, dtype=str), list(where["kind"]))
        count = int(mask.sum())
        languages = np.asarray(self._languages[:rows], np.int64)
        if not count:
            nothing = np.zeros(self._matrix.shape[1], np.float32)
            return Selection(mask, 0, nothing, nothing[None], languages)
        total = self._matrix[:rows][mask].sum(0) + SMALL * self._ordinary
        mean = np.asarray(total / (count + SMALL), np.float32)
        return Selection(mask, count, mean, self._means(mask, mean, languages), languages)

    def _means(self, mask: Mask, mean: Vector, languages: npt.NDArray[np.int64]) -> Matrix:
        """The mean vector of each language, drawn towards the mean of all where a language has few passages."""
        means = np.tile(mean * FEW, (len(self._codes), 1))
        for code in range(len(self._codes)):
            chosen = self._matrix[: len(mask)][mask & (languages == code)]
            means[code] = (means[code] + chosen.sum(0)) / (FEW + len(chosen))
        return np.asarray(means, np.float32)

    def nearest(self, vector: Vector, selection: Selection, limit: int) -> list[tuple[int, float]]:
        """Passages and cosines, best first, corrected for their language.

        The model places texts of one language close together, so that a French question is nearer to any French page
        than to the Dutch one that answers it; part of each language's own mean similarity is taken away again.
        """
        if not selection.count:
            return []
        rows = len(selection.mask)
        cosines = self._matrix[:rows] @ vector
        away = selection.means @ vector - float(selection.mean @ vector)
        cosines -= CORRECTED * away[selection.languages]
        cosines[~selection.mask] = -2.0
        limit = min(limit, selection.count)
        best = np.argpartition(-cosines, limit - 1)[:limit]
        ordered = best[np.argsort(-cosines[best], kind="stable")]
        return [(self.passage_ids[row], float(cosines[row])) for row in ordered]

    def similarity(self, passage_id: int, vector: Vector, selection: Selection) -> tuple[float, float]:
        """The cosine of one passage, and how far it lies above the mean of its language."""
        row = self._row_of[passage_id]
        cosine = float(self._matrix[row] @ vector)
        return cosine, cosine - float(selection.means[self._languages[row]] @ vector)

    def allowed(self, passage_id: int, selection: Selection) -> bool:
        """Whether a passage is live and selected."""
        row = self._row_of.get(passage_id)
        return row is not None and row < len(selection.mask) and bool(selection.mask[row])


def _valid(version: Version, today: date | None) -> bool:
    facts = version.facts
    if today is None:
        return True
    begun = facts.valid_from is None or facts.valid_from <= today
    return begun and (facts.valid_until is None or facts.valid_until >= today)


def _matches(version: Version, where: Mapping[str, tuple[str | int, ...]]) -> bool:
    for name, wanted in where.items():
        value = (
            getattr(version, name) if name in {"doc_key", "document_id", "version"} else getattr(version.facts, name)
        )
        held = value if isinstance(value, tuple) else (value,)
        texts = {str(one) for one in held if one is not None}
        if texts.isdisjoint(str(one) for one in wanted):
            return False
    return True
