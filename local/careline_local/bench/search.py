"""Search alone: an index over made-up passages, 30,000 unless told otherwise, the question's vector given.

Texts have words as unevenly frequent as a language's; vectors lie as those of multilingual-e5-small do: any two have a
cosine of about .75, two passages of one document .87, a question and what answers it .88.
"""

from __future__ import annotations

import random
import resource
import string
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from careline.engines.embedded.passage_index.index import LocalIndex
from careline.engines.embedded.passage_index.rows import Stored, Version
from careline.engines.embedded.passage_index.vectors import LiveVectors
from careline.model import LANGUAGES, Chunk, DocumentFacts, Passage
from careline.ports import Matrix, PassageIndex, PassageQuery, Vector
from careline_local.bench.measures import Measure, figure, percentile

PASSAGES = 30_000
OF_ONE_DOCUMENT, OF_A_LONG_ONE = 10, 40
"""Passages of a document; the second in a corpus of `MANY`, which is filled sooner then."""
MANY = 200_000
WORDS = 30_000
WORDS_OF_A_PASSAGE = 250
QUESTIONS, UNCOUNTED = 400, 50
NEAREST = 50
DIMENSIONS = 384
SEED = 7
NOW = datetime(2026, 1, 1, tzinfo=UTC)
PROMISED = {30_000: "p50 5, p95 10", 1_000_000: "p95 40"}
"""Passages → what is promised of a search in so many."""


async def run(passages: int = PASSAGES) -> list[Measure]:
    """Time `find` question by question, and what comes before the first one."""
    made = Corpus(passages)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        index = LocalIndex(Path(folder), DIMENSIONS)
        for document, vectors in made.documents():
            await index.add(document, vectors)
            await index.activate("bench", document[0].doc_key, 1)
        stored = time.perf_counter()
        await index.settle()
        settled = time.perf_counter()
        index.close()
        opened = time.perf_counter()
        index = LocalIndex(Path(folder), DIMENSIONS)
        await index.settle()
        ready = time.perf_counter() - opened
        times = [await timed(index, query) for query in made.questions(QUESTIONS)]
        index.close()
    told = f"{passages:,} passages"
    once = {
        f"store {told}": stored - began, f"the keyword index and the vectors of {told}": settled - stored,
        f"ready to search in {told} after a start": ready,
    }  # fmt: skip
    return [
        percentiles(f"search in {told}, without embedding the question", times[UNCOUNTED:], passages),
        *(figure(name, "s", [seconds]) for name, seconds in once.items()),
        figure(f"memory of the process that holds {told}, at most", "MB", [peak_memory()]),
    ]


async def timed(index: PassageIndex, query: PassageQuery) -> float:
    """Milliseconds of one search."""
    began = time.perf_counter()
    await index.find(query)
    return (time.perf_counter() - began) * 1000


def percentiles(name: str, times: Sequence[float], passages: int) -> Measure:
    """A row of `careline bench` with the 99th percentile in its name."""
    promised = PROMISED.get(passages, "")
    return figure(f"{name} (p99 {percentile(times, 99):.1f})", "ms", times, promised)


def peak_memory() -> float:
    """The most memory this process has had, MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def vectors_alone(passages: int) -> list[Measure]:
    """Time the half of a search that looks at vectors, by a scan and by comparing all, and how far both agree.

    Processor time besides, as a machine that others use too says little by its clock.
    """
    made, live = Corpus(passages), LiveVectors(np.zeros(DIMENSIONS, np.float32))
    made.fill(live)
    selection = live.select("bench", {"audience": ("public",)}, date.today())
    exact = replace(selection, scan=None)
    asked = [query.vector for query in made.questions(QUESTIONS // 2) if query.vector is not None]
    measured, found = [], []
    for name, chosen in (("by a scan of signs", selection), ("compared with all", exact)):
        times, spent, these = [], [], []
        for vector in asked:
            began, used = time.perf_counter(), time.process_time()
            these.append([number for number, _ in live.nearest(vector, chosen, NEAREST)])
            times.append((time.perf_counter() - began) * 1000)
            spent.append((time.process_time() - used) * 1000)
        told = f"the {NEAREST} nearest of {passages:,} vectors, {name}"
        measured += [percentiles(told, times, 0), figure(f"{told}: processor time", "ms", spent)]
        found.append(these)
    same = [len(set(mine[:10]) & set(theirs[:10])) * 10.0 for mine, theirs in zip(*found, strict=True)]
    return [*measured, figure("of the ten nearest, in both", "%", same), figure("memory", "MB", [peak_memory()])]


class Corpus:
    """Made-up documents and questions, the same for the same number of passages."""

    def __init__(self, passages: int, dimensions: int = DIMENSIONS, of_one: int | None = None) -> None:
        """`of_one` is how many passages a document has, for who fills something slowly, document by document."""
        self._dimensions = dimensions
        self._of_one = of_one or (OF_A_LONG_ONE if passages >= MANY else OF_ONE_DOCUMENT)
        self._documents = passages // self._of_one
        self._chance = random.Random(SEED)  # noqa: S311 - made-up text, not a secret
        self._numbers = np.random.default_rng(SEED)
        self._vocabulary = [_word(self._chance) for _ in range(WORDS)]
        self._weights = [1 / (rank + 1) for rank in range(WORDS)]
        self._common = _unit(self._numbers.standard_normal((1, dimensions)))
        self._answers: list[Vector] = []

    @property
    def passages(self) -> int:
        """How many there are in all documents."""
        return self._documents * self._of_one

    def documents(self) -> Iterator[tuple[list[Passage], Matrix]]:
        """Documents with the vectors of their passages."""
        running = self._chance.choices(self._vocabulary, self._weights, k=400_000)
        for number, vectors in enumerate(self._vectors()):
            yield self._document(number, running), vectors

    def _vectors(self) -> Iterator[Matrix]:
        """The vectors of each document, about one place."""
        for number in range(self._documents):
            about = _unit(self._common * 6**0.5 + self._away(1))
            vectors = _unit(about * 2.6 + self._away(self._of_one))
            if number % max(1, self._documents // QUESTIONS) == 0:
                self._answers.append(vectors[0])
            yield vectors

    def fill(self, live: LiveVectors) -> None:
        """Put the vectors of all documents into memory, all with one text."""
        running = self._vocabulary * 2
        document = self._document(0, running)
        versions, stored = [], []
        for number, vectors in enumerate(self._vectors()):
            facts = replace(document[0].facts, language=LANGUAGES[number % len(LANGUAGES)])
            about = Version(number, "bench", f"brochure-{number}", 1, "made-up", "made.up", facts, "made-up", NOW)
            versions.append(about)
            chunk, first = document[0].chunk, number * self._of_one
            stored += [Stored(first + n, number, chunk, row.tobytes()) for n, row in enumerate(vectors)]
        live.admit(versions, stored)

    def questions(self, count: int) -> Iterator[PassageQuery]:
        """Seven words and a vector near some passage; after `documents`."""
        for number in range(count):
            near = self._answers[number % len(self._answers)][np.newaxis]
            words = " ".join(self._chance.choices(self._vocabulary, self._weights, k=7))
            vector = _unit(near * 1.85 + self._away(1))[0]
            yield PassageQuery("bench", words, vector, "nl", 20, {"audience": ("public",)}, date.today())

    def _away(self, count: int) -> Matrix:
        return _unit(self._numbers.standard_normal((count, self._dimensions)))

    def _document(self, number: int, running: list[str]) -> list[Passage]:
        facts = DocumentFacts(" ".join(self._chance.choices(running, k=4)), "brochure", self._chance.choice(LANGUAGES))
        key, made = f"brochure-{number}", []
        for ordinal in range(self._of_one):
            start = self._chance.randrange(len(running) - WORDS_OF_A_PASSAGE)
            text = " ".join(running[start : start + WORDS_OF_A_PASSAGE])
            chunk = Chunk(ordinal, text, "text", ("Section",), 1, 1, 300)
            made.append(Passage(f"{key}:1:{ordinal}", "bench", key, 1, key, "made.up", chunk, facts, "made-up", NOW))
        return made


def _unit(rows: npt.NDArray[Any]) -> Matrix:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def _word(chance: random.Random) -> str:
    return "".join(chance.choices(string.ascii_lowercase, k=chance.randint(3, 12)))
