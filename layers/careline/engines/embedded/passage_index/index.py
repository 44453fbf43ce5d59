"""The embedded passage index: one folder with a SQLite file that is the truth and a keyword index that follows it.

Vectors are in memory, and compared exactly where they are under 200,000 (decision 0033). Several processes may use the
folder at once: each follows the log of live versions, and whoever finds the keyword index behind brings it up to date.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from careline.engines.embedded.passage_index import store
from careline.engines.embedded.passage_index.damage import IndexDamaged, reading, remove, told
from careline.engines.embedded.passage_index.keywords import Keywords
from careline.engines.embedded.passage_index.rows import Read, Version, digest, to_passage
from careline.engines.embedded.passage_index.schema import SCHEMA
from careline.engines.embedded.passage_index.vectors import LiveVectors, Selection
from careline.engines.embedded.sqlite import BUSY_SECONDS, Result, SqliteFile
from careline.errors import IndexUnavailable, TableUnavailable
from careline.log.event_log import EventLog
from careline.model import Hit, Passage
from careline.passages.window_vectors import cosines
from careline.ports import Matrix, PassageQuery, Vector
from careline.search.corpus_means import QuestionMeans
from careline.search.fusion import best_first, fuse
from careline.search.keyword_score import asked_terms

log = EventLog(__name__)
FILE = "passages.sqlite"
CANDIDATES = 50
"""Hits taken from each side before they are fused, or as many as are asked for."""
PAUSE_SECONDS = 0.02
"""Between two tries to write the keyword index while another process does."""


class LocalIndex:
    """The passage index port over SQLite, tantivy and numpy."""

    def __init__(self, folder: Path, dimensions: int, ordinary: Vector | None = None) -> None:
        """`ordinary` is the mean vector of everyday text, which stands in for what a small corpus lacks."""
        self._folder = folder
        self._ordinary = np.zeros(dimensions, np.float32) if ordinary is None else ordinary
        self._file = folder / FILE
        self._writing = SqliteFile(self._file, SCHEMA)
        self._reading = SqliteFile(self._file, SCHEMA)
        self._inode: int | None = None
        self._whole = False
        """Whether every live version was seen to be there with all its passages."""
        self._pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="find")
        self._following = threading.Lock()
        self._vectors: LiveVectors | None = None
        self._keywords: Keywords | None = None
        self._followed = -1

    async def add(self, passages: Sequence[Passage], vectors: Matrix, windows: Sequence[bytes] = ()) -> None:
        """See `ports.PassageIndex.add`. All passages of one version are added in one call."""
        if passages:
            await self._do(lambda db: store.add(db, passages, vectors, windows))

    async def activate(self, tenant: str, doc_key: str, version: int) -> None:
        """See `ports.PassageIndex.activate`."""
        await self._do(lambda db: store.activate(db, tenant, doc_key, version))

    async def retire(self, tenant: str, doc_key: str, version: int) -> None:
        """See `ports.PassageIndex.retire`."""
        await self._do(lambda db: store.retire(db, tenant, doc_key, version))

    async def withdraw(self, tenant: str, doc_key: str, version: int) -> None:
        """See `ports.PassageIndex.withdraw`."""
        await self._do(lambda db: store.withdraw(db, tenant, doc_key, version))

    async def clear(self, tenant: str) -> None:
        """See `ports.PassageIndex.clear`. A damaged index is taken away whole, with what other tenants had in it."""
        await asyncio.get_running_loop().run_in_executor(self._pool, self._mend)
        await self._do(lambda db: store.clear(db, tenant))

    async def corpus_version(self, tenant: str) -> int:
        """See `ports.PassageIndex.corpus_version`."""
        return await self._do(lambda db: store.corpus_version(db, tenant))

    async def passages(self, tenant: str, doc_key: str, version: int) -> Sequence[Passage]:
        """See `ports.PassageIndex.passages`."""
        return await self._do(lambda db: store.of_version(db, tenant, doc_key, version))

    async def settle(self) -> None:
        """See `ports.PassageIndex.settle`."""
        await asyncio.get_running_loop().run_in_executor(self._pool, reading, self._settle)

    async def find(self, query: PassageQuery) -> Sequence[Hit]:
        """See `ports.PassageIndex.find`."""
        find = partial(self._find, query)
        work = asyncio.get_running_loop().run_in_executor(self._pool, reading, find)
        try:
            return await asyncio.wait_for(work, query.timeout_seconds)
        except TimeoutError:
            raise IndexUnavailable(
                f"the index did not answer within {query.timeout_seconds:g} s", retry_after=5
            ) from None

    def close(self) -> None:
        """Finish what is under way and let go of the files."""
        self._pool.shutdown(wait=True)
        self._writing.close()
        self._reading.close()

    def _settle(self) -> None:
        """Follow until the keyword index holds everything, which another process may be writing."""
        newest, until = self._reading.run_now(store.last_change), time.monotonic() + BUSY_SECONDS
        while time.monotonic() < until:
            with self._following:
                _, keywords = self._follow()
            if keywords.applied() >= newest:
                return
            time.sleep(PAUSE_SECONDS)
        raise IndexUnavailable("another process keeps the keyword index to itself", retry_after=5)

    def _find(self, query: PassageQuery) -> list[Hit]:
        with self._following:
            vectors, keywords = self._follow()
            selection = vectors.select(query.tenant, query.where, query.today)
            versions = vectors.versions
        if not selection.count:
            return []
        most = max(CANDIDATES, query.limit)
        by_word = self._by_word(query.text, vectors, keywords, selection, most)
        by_vector: list[tuple[int, float]] = []
        trust, means = 1.0, QuestionMeans(0.0, {})
        coverage = _Coverage(query.text, keywords, versions)
        if query.vector is not None:
            by_vector = vectors.nearest(query.vector, selection, most)
            means = selection.means.asked(query.vector)
            trust = coverage.of(self._read([by_word[0][0]]).get(by_word[0][0])) if by_word else 0.0
        fused = fuse(_named(by_word), _named(by_vector), means.overall, trust)[: query.limit]
        best = [(int(number), score) for number, score in fused]
        found = self._read([number for number, _ in best])
        windows = self._windows(found, query.vector)
        hits = []
        for number, score in best:
            if (read := found.get(number)) is not None:
                passage = to_passage(versions[read.version_id], read.chunk)
                near = (0.0, 0.0)
                if query.vector is not None:
                    cosine = vectors.similarity(number, query.vector)
                    near = cosine, means.relative(cosine, passage.facts.language)
                hits.append(Hit(passage, round(score, 6), *near, coverage.of(read), windows.get(number, ())))
        return best_first(hits)

    def _windows(self, found: Mapping[int, Read], vector: Vector | None) -> dict[int, tuple[float, ...]]:
        """The cosines of the windows of passages."""
        if vector is None:
            return {}
        packed = self._reading.run_now(lambda db: store.windows(db, list(found)))
        return {number: cosines(content, vector) for number, content in packed.items()}

    def _read(self, passage_ids: Sequence[int]) -> dict[int, Read]:
        return self._reading.run_now(lambda db: store.read(db, passage_ids))

    def _by_word(
        self, text: str, vectors: LiveVectors, keywords: Keywords, selection: Selection, most: int
    ) -> list[tuple[int, float]]:
        """The best keyword hits that the filter allows, looking deeper while too few are allowed."""
        depth = most * 2
        while True:
            hits = keywords.search(text, depth)
            allowed = [(n, score) for n, score in hits if vectors.allowed(n, selection)]
            if len(allowed) >= most or len(hits) < depth:
                return allowed[:most]
            depth *= 8

    def _follow(self) -> tuple[LiveVectors, Keywords]:
        """Bring vectors and keywords up to the log; the caller holds `_following`."""
        self._reopen_when_moved()
        if not self._whole and not self._reading.run_now(store.is_whole):
            raise IndexDamaged
        self._whole = True
        vectors = self._vectors or LiveVectors(self._ordinary)
        keywords = self._keywords = self._keywords or _keywords(self._folder / "keywords")
        newest = self._reading.run_now(store.last_change)
        if newest != self._followed:
            after = max(self._followed, 0)
            # A change that is only half followed must not be built upon.
            self._vectors, self._followed = None, -1
            self._reading.run_now(lambda db: _follow_vectors(db, vectors, after))
            vectors = vectors.live_only() if vectors.is_mostly_gone else vectors
            self._vectors, self._followed = vectors, newest
        if keywords.applied() < newest:
            self._reading.run_now(lambda db: _follow_keywords(db, keywords, newest))
        keywords.refresh()
        return vectors, keywords

    def _reopen_when_moved(self) -> None:
        """Open the file that is there now, when another process has put a new one in place."""
        inode = self._file.stat().st_ino if self._file.exists() else None
        if self._inode is not None and inode != self._inode:
            self._let_go()
        self._inode = inode

    def _let_go(self) -> None:
        self._reading.let_go()
        self._writing.let_go()
        self._vectors, self._keywords, self._followed, self._whole = None, None, -1, False

    def _is_sound(self) -> bool:
        """Raises: IndexUnavailable where that cannot be told now."""
        try:
            return self._reading.run_now(store.is_sound) and _is_usable(self._folder / "keywords")
        except IndexDamaged:
            return False
        except TableUnavailable as error:
            if isinstance(told(error), IndexDamaged):
                return False
            raise told(error) from error

    def _mend(self) -> None:
        """Take the index away if anything in it is not what was written."""
        if self._is_sound():
            return
        log.write("index_taken_away")
        with self._following:
            self._let_go()
            self._inode = None
            remove(self._folder, FILE, SCHEMA)

    async def _do(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        def now() -> Result:
            self._reopen_when_moved()
            return self._writing.run_now(work)

        return await asyncio.get_running_loop().run_in_executor(self._pool, reading, now)


def _keywords(folder: Path) -> Keywords:
    """The keyword index of a folder; one that is damaged is begun anew, as it follows from the passages."""
    try:
        found = Keywords(folder)
        if found.is_sound():
            return found
    except ValueError:
        log.write("keywords_not_opened")
    log.write("keywords_rebuilt")
    shutil.rmtree(folder, ignore_errors=True)
    return Keywords(folder)


def _is_usable(folder: Path) -> bool:
    try:
        return Keywords(folder).is_sound()
    except ValueError:
        return False


def _named(side: Sequence[tuple[int, float]]) -> list[tuple[str, float]]:
    return [(str(number), score) for number, score in side]


class _Coverage:
    """How much of one question a passage holds: the share of its informative words, weighted by their rarity."""

    def __init__(self, question: str, keywords: Keywords, versions: Mapping[int, Version]) -> None:
        self._question = question
        self._keywords = keywords
        self._versions = versions
        self._asked: dict[str, tuple[npt.NDArray[np.uint32], npt.NDArray[np.float64]]] = {}

    def of(self, passage: Read | None) -> float:
        """0 to 1; 0 for a question without informative words in the passage's language."""
        if passage is None:
            return 0.0
        digests, weights = self._words(self._versions[passage.version_id].facts.language)
        return float(weights[passage.holds(digests)].sum() / weights.sum()) if len(weights) else 0.0

    def _words(self, language: str) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.float64]]:
        """The question's words as a language's analyser writes them, as digests, with their rarity."""
        if language not in self._asked:
            words = asked_terms(self._question, language)
            digests = np.asarray([digest(word) for word in words], np.uint32)
            self._asked[language] = digests, np.asarray([self._keywords.rarity(word, language) for word in words])
        return self._asked[language]


def _follow_vectors(db: sqlite3.Connection, vectors: LiveVectors, after: int) -> None:
    changed = store.changes(db, after)
    gone = {version_id for version_id, live in changed.items() if not live or version_id in vectors.versions}
    if gone:
        vectors.dismiss(gone)
    live = [version_id for version_id, is_live in changed.items() if is_live]
    if live:
        with closing(store.stored(db, live)) as stored:
            vectors.admit(store.versions(db, live), stored)


def _follow_keywords(db: sqlite3.Connection, keywords: Keywords, newest: int) -> bool:
    changed = store.changes(db, keywords.applied())
    live = [version_id for version_id, is_live in changed.items() if is_live]
    about = {version.version_id: version for version in store.versions(db, live)}
    gone = [version_id for version_id, is_live in changed.items() if not is_live]
    return keywords.apply(gone, ((about[one.version_id], one) for one in store.stored(db, live)), newest)
