"""The live passages' vectors in memory: one matrix product for all of them, or where they are very many for those that
a scan of their signs leaves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np
import numpy.typing as npt

from careline.engines.embedded.passage_index.rows import Stored, Version
from careline.engines.embedded.passage_index.sign_scan import Rows, SignScan, least
from careline.errors import IndexUnavailable
from careline.ports import Matrix, Vector
from careline.search.corpus_means import CorpusMeans, VectorSum, corpus_means
from careline.search.filters import CheckedValues, Range, checked

Mask = npt.NDArray[np.bool_]
SCANNED_ABOVE = 200_000
"""Rows that one matrix product no longer does in time: 40 ms for a million (docs/measurements.md)."""
SCANNED = 2_000
"""Rows of a language that a scan leaves to be compared exactly."""
SUMMED = 10_000
"""Rows that are copied at a time to be summed: 15 MB."""
LEAST_GONE = 1_000
"""Rows that are gone before it is worth the time to be rid of them."""
MEANS_OF = ("audience", "language")
"""Filters that the means of a corpus follow; under any other one a passage is as near as it is without."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The rows that a filter allows, the language of each row (a place in `names`), and the means of the vectors.

    `scan` is there where the rows are very many, with the allowed rows of each language in `rows_of`.
    """

    mask: Mask
    count: int
    means: CorpusMeans
    languages: npt.NDArray[np.int64]
    names: tuple[str, ...]
    scan: SignScan | None = None
    rows_of: tuple[Rows, ...] = ()


class LiveVectors:
    """Rows of live passages. Rows that stopped being live stay in place, masked, until they are the most (`live_only`).

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
        self._scan: SignScan | None = None

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

    @property
    def is_mostly_gone(self) -> bool:
        """Whether more rows are gone than live, and enough of them: a library that is taken in again each night would
        grow by its whole size each time."""
        gone = self._rows - len(self)
        return gone >= LEAST_GONE and gone > len(self)

    def live_only(self) -> LiveVectors:
        """The live rows alone; who has selected from these may read on."""
        kept = np.flatnonzero(self._live[: self._rows]).tolist()
        made = LiveVectors(self._ordinary)
        made._matrix = np.concatenate([self._matrix[kept], made._matrix])
        made._live = np.concatenate([self._live[kept], made._live])
        made._rows = len(kept)
        made.passage_ids = [self.passage_ids[row] for row in kept]
        made._version_ids = [self._version_ids[row] for row in kept]
        made._kinds = [self._kinds[row] for row in kept]
        made._languages = [self._languages[row] for row in kept]
        made._codes = dict(self._codes)
        made._row_of = {passage_id: row for row, passage_id in enumerate(made.passage_ids)}
        held = set(made._version_ids)
        made.versions = {number: version for number, version in self.versions.items() if number in held}
        return made

    def select(self, tenant: str, where: Mapping[str, tuple[str | int, ...]], today: date | None) -> Selection:
        """The live rows of a tenant that a filter allows. Raises: BadRequest for an unknown field or a wrong value."""
        wanted = checked(where)
        key = (tenant, tuple(wanted.items()), today)
        found = self._selections.get(key)
        if found is None:
            if len(self._selections) > 64:
                self._selections.clear()
            found = self._selections[key] = self._selection(tenant, wanted, today)
        return found

    def _selection(self, tenant: str, where: Mapping[str, CheckedValues], today: date | None) -> Selection:
        rows = self._rows
        mask = self._of(tenant, {name: values for name, values in where.items() if name != "kind"}, today)
        if "kind" in where:
            mask &= np.isin(np.asarray(self._kinds, dtype=str), [str(one) for one in where["kind"]])
        wide = self._of(tenant, {name: values for name, values in where.items() if name in MEANS_OF}, None)
        languages = np.asarray(self._languages[:rows], np.int64)
        means = corpus_means(self._sums(wide, languages), self._ordinary)
        count, names = int(mask.sum()), tuple(self._codes)
        if rows <= SCANNED_ABOVE:
            return Selection(mask, count, means, languages, names)
        rows_of = tuple(np.flatnonzero(mask & (languages == code)).astype(np.int32) for code in range(len(names)))
        return Selection(mask, count, means, languages, names, self._scanned(), rows_of)

    def _scanned(self) -> SignScan:
        """The signs of every row; those that came since the last time are added."""
        matrix = self._matrix[: self._rows]
        if self._scan is None:
            self._scan = SignScan.of(matrix, np.asarray(matrix.mean(0), np.float32))
        elif self._scan.rows < self._rows:
            self._scan = self._scan.with_more(matrix)
        return self._scan

    def _of(self, tenant: str, where: Mapping[str, CheckedValues], today: date | None) -> Mask:
        """The live rows of the versions that a filter allows."""
        allowed = [
            version.version_id
            for version in self.versions.values()
            if version.tenant == tenant and _valid(version, today) and _matches(version, where)
        ]
        return np.asarray(self._live[: self._rows] & np.isin(np.asarray(self._version_ids, np.int64), allowed))

    def _sums(self, mask: Mask, languages: npt.NDArray[np.int64]) -> dict[str, VectorSum]:
        chosen = {name: np.flatnonzero(mask & (languages == code)) for name, code in self._codes.items()}
        return {name: VectorSum(len(rows), self._sum(rows)) for name, rows in chosen.items() if len(rows)}

    def _sum(self, rows: npt.NDArray[np.int64]) -> Vector:
        """The sum of some rows, of which no more than `SUMMED` are copied at a time: a million take 1.5 GB."""
        total = np.zeros(self._dimensions, np.float32)
        for start in range(0, len(rows), SUMMED):
            total += self._matrix[rows[start : start + SUMMED]].sum(0)
        return total

    def nearest(self, vector: Vector, selection: Selection, limit: int) -> list[tuple[int, float]]:
        """Passages and cosines, best first, corrected for their language (`careline.search.corpus_means`)."""
        if not selection.count:
            return []
        asked = selection.means.asked(vector)
        away = np.asarray([asked.away(name) for name in selection.names], np.float32)
        limit = min(limit, selection.count)
        if selection.scan is None:
            # Every row stays in its place: copying those that are allowed takes half as long as all the cosines do.
            cosines = self._matrix[: len(selection.mask)] @ vector
            cosines -= away[selection.languages]
            cosines[~selection.mask] = -np.inf
            return [(self.passage_ids[row], float(cosines[row])) for row in _highest(cosines, limit)]
        differing = selection.scan.differing(vector)
        rows = np.concatenate([least(differing, some, SCANNED) for some in selection.rows_of])
        cosines = self._matrix[rows] @ vector
        cosines -= away[selection.languages[rows]]
        return [(self.passage_ids[rows[at]], float(cosines[at])) for at in _highest(cosines, limit)]

    def similarity(self, passage_id: int, vector: Vector) -> float:
        """The cosine of one passage."""
        return float(self._matrix[self._row_of[passage_id]] @ vector)

    def allowed(self, passage_id: int, selection: Selection) -> bool:
        """Whether a passage is live and selected."""
        row = self._row_of.get(passage_id)
        return row is not None and row < len(selection.mask) and bool(selection.mask[row])


def _highest(values: Vector, limit: int) -> npt.NDArray[np.int64]:
    """Places of the highest values, best first."""
    best = np.argpartition(-values, limit - 1)[:limit]
    return np.asarray(best[np.argsort(-values[best], kind="stable")])


def _valid(version: Version, today: date | None) -> bool:
    facts = version.facts
    if today is None:
        return True
    begun = facts.valid_from is None or facts.valid_from <= today
    return begun and (facts.valid_until is None or facts.valid_until >= today)


def _matches(version: Version, where: Mapping[str, CheckedValues]) -> bool:
    for name, wanted in where.items():
        value = (
            getattr(version, name) if name in {"doc_key", "document_id", "version"} else getattr(version.facts, name)
        )
        held = [one for one in (value if isinstance(value, tuple) else (value,)) if one is not None]
        if not any(_is(one, want) for one in held for want in wanted):
            return False
    return True


def _is(held: object, wanted: str | int | Range) -> bool:
    plain = held.isoformat() if isinstance(held, date) else held
    return wanted.holds(plain) if isinstance(wanted, Range) else str(plain) == str(wanted)
