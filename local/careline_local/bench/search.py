"""Search alone: the embedded index over 30,000 made-up passages, the question's vector given."""

from __future__ import annotations

import random
import string
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np

from careline.engines.embedded.index import LocalIndex
from careline.model import LANGUAGES, Chunk, DocumentFacts, Passage
from careline.ports import Matrix, PassageQuery
from careline_local.bench.measures import Measure, figure

PASSAGES = 30_000
OF_ONE_DOCUMENT = 10
WORDS = 30_000
WORDS_OF_A_PASSAGE = 250
QUESTIONS = 400
DIMENSIONS = 384
SEED = 7


async def run() -> list[Measure]:
    """Time `find` question by question."""
    chance, numbers = random.Random(SEED), np.random.default_rng(SEED)  # noqa: S311 - made-up text, not a secret
    vocabulary = [_word(chance) for _ in range(WORDS)]
    weights = [1 / (rank + 1) for rank in range(WORDS)]
    with tempfile.TemporaryDirectory() as folder:
        index = LocalIndex(Path(folder), DIMENSIONS)
        for passages in _documents(chance, vocabulary, weights):
            await index.add(passages, _vectors(numbers, len(passages)))
            await index.activate("bench", passages[0].doc_key, 1)
        await index.settle()
        times = []
        for _ in range(QUESTIONS):
            words = chance.choices(vocabulary, weights, k=7)
            vector = _vectors(numbers, 1)[0]
            query = PassageQuery("bench", " ".join(words), vector, "nl", 20, {"audience": ("public",)}, date.today())
            began = time.perf_counter()
            await index.find(query)
            times.append((time.perf_counter() - began) * 1000)
        index.close()
    return [
        figure(f"search in {PASSAGES:,} passages, without embedding the question", "ms", times[50:], "p50 5, p95 10")
    ]


def _word(chance: random.Random) -> str:
    return "".join(chance.choices(string.ascii_lowercase, k=chance.randint(3, 12)))


def _vectors(numbers: np.random.Generator, count: int) -> Matrix:
    rows = numbers.standard_normal((count, DIMENSIONS)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def _documents(chance: random.Random, vocabulary: list[str], weights: list[float]) -> Iterator[list[Passage]]:
    """Documents whose words are as unevenly frequent as a language's (Zipf's law)."""
    running = chance.choices(vocabulary, weights, k=400_000)
    now = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(PASSAGES // OF_ONE_DOCUMENT):
        facts = DocumentFacts(" ".join(chance.choices(running, k=4)), "brochure", chance.choice(LANGUAGES))
        passages = []
        for ordinal in range(OF_ONE_DOCUMENT):
            start = chance.randrange(len(running) - WORDS_OF_A_PASSAGE)
            text = " ".join(running[start : start + WORDS_OF_A_PASSAGE])
            chunk = Chunk(ordinal, text, "text", ("Section",), 1, 1, 300)
            key = f"brochure-{number}"
            passages.append(
                Passage(f"{key}:1:{ordinal}", "bench", key, 1, key, "made.up", chunk, facts, "made-up", now)
            )
        yield passages
