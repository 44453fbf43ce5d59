"""Asks a running server thousands of questions made from its documents' own words, and watches that it still answers.

Whatever stands in a document reaches the answer's last pattern this way: table rules, formulas, half sentences.
"""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from careline_local.bench.measures import percentile
from careline_local.bench.speed.served import resident, serving

SEED = 13
SLOWEST_ANSWER = 5.0
"""Seconds that an answer may take."""
HEALTH_P99_MS = 100.0
POLL_SECONDS = 0.05
TIMEOUT = 120.0
"""Seconds after which a request counts as failed."""
WARMED = 200
"""Questions before memory is first looked at, a quarter of them where fewer than four times as many are asked: by then
two documents were taken in."""
MOST_FILLED = 1.05
"""What memory may be at the end, of what it was then: patterns keep what they learn of words they meet for the first
time, and caches fill, each up to a bound that some thousand questions reach."""
MOST_GROWTH = 1.02
"""What memory may be at the end, of what it was half way. Whatever leaks grows in the second half as in the first."""
INGEST_EVERY = 100
"""Questions between two documents that are taken in beside them, half of them before memory is looked at. What one
takes while it is taken in, some fifty megabytes, would else be in one look and not in the next."""
OPENERS = ("", "", "what about ", "is there a ", "hoeveel kost ", "waar vind ik ", "où se trouve ", "quanto costa ")
WORDS = (2, 12)
LONGEST = 400
"""Characters of a question."""
SHOWN = 10


@dataclass(slots=True)
class Soak:
    """What was measured: seconds of each answer and of each look at `/health`, megabytes, and what failed."""

    answers: list[float] = field(default_factory=list)
    health: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    """Status and seed of each request that failed, not its words."""

    @property
    def held(self) -> bool:
        """Whether every request was answered, and in time, and memory stayed what it was."""
        return not self.failed and max(self.answers) <= SLOWEST_ANSWER and self.memory[-1] <= self._most_memory

    @property
    def _most_memory(self) -> float:
        start, middle, _ = self.memory
        return min(start * MOST_FILLED, middle * MOST_GROWTH)

    def rows(self) -> list[tuple[str, str, float, str]]:
        """Name, unit, figure and promise of each row of the table."""
        answers, health = ([seconds * 1000 for seconds in one] for one in (self.answers, self.health))
        start, middle, end = self.memory
        return [
            (f"answer over HTTP, p50 of {len(answers):,}", "ms", percentile(answers, 50), ""),
            ("answer over HTTP, p95", "ms", percentile(answers, 95), ""),
            ("answer over HTTP, slowest", "ms", max(answers), f"{SLOWEST_ANSWER * 1000:,.0f}"),
            (f"/health meanwhile, p50 of {len(health):,}", "ms", percentile(health, 50), ""),
            ("/health meanwhile, p99", "ms", percentile(health, 99), f"{HEALTH_P99_MS:,.0f}"),
            ("/health meanwhile, slowest", "ms", max(health), ""),
            (f"memory after {warmed(len(answers)):,} questions", "MB", start, ""),
            ("memory half way", "MB", middle, ""),
            ("memory at the end", "MB", end, f"{self._most_memory:,.0f}"),
            ("requests that failed", "", len(self.failed), "0"),
        ]

    def to_json(self) -> dict[str, Any]:
        """The figures for programs."""
        named = ("name", "unit", "measured", "promised")
        return {"soak": [dict(zip(named, row, strict=True)) for row in self.rows()], "held": self.held}


def run(home: Path, questions: int, *, ingest: bool) -> Soak:
    """Start the server on a home that is loaded, ask, stop it. With `ingest` it takes in documents meanwhile."""
    soak = Soak()
    with serving(home) as (process, address):
        asked = list(made_from(_texts(address), questions, random.Random(SEED)))  # noqa: S311 - the same ones again
        with _polled(address, soak):
            for number, question in enumerate(asked):
                if number in {warmed(questions), questions // 2}:
                    soak.memory.append(resident(process.pid))
                if ingest and number % INGEST_EVERY == INGEST_EVERY // 2:
                    _ingest(address, asked[max(number - INGEST_EVERY + 1, 0) : number], soak)
                _ask(address, question, number, soak)
        soak.memory.append(resident(process.pid))
    return soak


def warmed(questions: int) -> int:
    """After how many of these questions memory is first looked at."""
    return min(WARMED, questions // 4)


def made_from(texts: Sequence[str], count: int, chance: random.Random) -> Iterator[str]:
    """Questions of two to twelve words that stand in a row in one of the texts, now and then in two."""
    lists = [words for words in (text.split() for text in texts) if words]
    for _ in range(count):
        words: list[str] = []
        for _ in range(chance.choice((1, 1, 1, 2))):
            found = chance.choice(lists)
            start = chance.randrange(len(found))
            words += found[start : start + chance.randint(*WORDS)]
        yield (chance.choice(OPENERS) + " ".join(words))[:LONGEST]


def _texts(address: str) -> list[str]:
    """The text of each block of each document, tables too."""
    listed = _json(address, "GET", "/v1/documents?limit=1000")["documents"]
    texts = (_json(address, "GET", f"/v1/documents/{quote(one['doc_key'], safe='')}/text") for one in listed)
    return [block["text"] for text in texts for page in text["pages"] for block in page["blocks"]]


def _ask(address: str, question: str, number: int, soak: Soak) -> None:
    began = time.perf_counter()
    try:
        status = _request(address, "POST", "/v1/query", json.dumps({"text": question}).encode(), "application/json")[0]
    except (OSError, http.client.HTTPException) as error:
        status = 0
        soak.failed.append(f"question {number} ({type(error).__name__})")
    if status not in {0, 200}:
        soak.failed.append(f"question {number} (status {status})")
    soak.answers.append(time.perf_counter() - began)


def _ingest(address: str, lines: Sequence[str], soak: Soak) -> None:
    text = "# Soak\n\n" + "\n\n".join(f"{line}." for line in lines)
    edge = "careline-soak"
    head = f'--{edge}\r\ncontent-disposition: form-data; name="file"; filename="soak.md"\r\n\r\n'
    body = f"{head}{text}\r\n--{edge}--\r\n".encode()
    status, _ = _request(address, "POST", "/v1/documents", body, f"multipart/form-data; boundary={edge}")
    if status not in {200, 202}:
        soak.failed.append(f"a document (status {status})")


@contextmanager
def _polled(address: str, soak: Soak) -> Iterator[None]:
    """Asks `/health` all the while, each time on a connection that is kept."""
    ended = threading.Event()

    def poll() -> None:
        connection = http.client.HTTPConnection(address, timeout=TIMEOUT)
        while not ended.wait(POLL_SECONDS):
            began = time.perf_counter()
            try:
                connection.request("GET", "/health")
                response = connection.getresponse()
                response.read()
                if response.status != http.client.OK:
                    soak.failed.append(f"/health (status {response.status})")
            except (OSError, http.client.HTTPException) as error:
                soak.failed.append(f"/health ({type(error).__name__})")
                connection.close()
            soak.health.append(time.perf_counter() - began)
        connection.close()

    polling = threading.Thread(target=poll)
    polling.start()
    try:
        yield
    finally:
        ended.set()
        polling.join()


def _json(address: str, method: str, path: str) -> dict[str, Any]:
    status, content = _request(address, method, path)
    if status != http.client.OK:
        raise RuntimeError(f"{path} answered with status {status}")
    read: dict[str, Any] = json.loads(content)
    return read


def _request(address: str, method: str, path: str, body: bytes = b"", media: str = "") -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(address, timeout=TIMEOUT)
    try:
        connection.request(method, path, body or None, {"Content-Type": media} if media else {})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()
