"""One fake per port, in memory and exact."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np

from careline.chat import ChatDelta, ChatMessage, TextDelta, ToolDefinition
from careline.errors import BadRequest, Conflict, NotFound, RecordDamaged
from careline.model import Hit, Span, SpanType, Usage
from careline.ports import Matrix, NotedHead, PlannedSearch, ReaderText, ReadingPace, Shaped, Vector
from careline.records.outbox_message import OutboxEntry
from careline.records.record_table import Delete, Item, Put

NOW = datetime(2026, 3, 2, 9, 30, 15, 250_000, tzinfo=UTC)
KEY = bytes(range(32))
DIMENSIONS = 64
_WORD = re.compile(r"\w+")


class SettableClock:
    """A clock that stands still until a test moves it."""

    def __init__(self, time: datetime = NOW) -> None:
        self.time = time

    def now(self) -> datetime:
        return self.time

    def elapsed(self) -> float:
        return self.time.timestamp()

    def move(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


class FakeTable:
    """Records with revisions. Bodies are kept as JSON text, so that what cannot be written is noticed.

    Every call lets others go first, so that what is done at once really mixes.
    """

    def __init__(self, clock: SettableClock | None = None) -> None:
        self._clock = clock or SettableClock()
        self._held: dict[tuple[str, str], tuple[str, int, datetime | None]] = {}

    @property
    def held(self) -> Mapping[tuple[str, str], tuple[str, int, datetime | None]]:
        """What is kept, by partition and sort key: the body as JSON, its revision, when it expires."""
        return self._held

    def damage(self, partition: str, sort: str) -> None:
        """Put something there that is no record."""
        _, revision, until = self._held[partition, sort]
        self._held[partition, sort] = ("no record", revision, until)

    async def get(self, partition: str, sort: str) -> Item | None:
        await asyncio.sleep(0)
        return self._item(partition, sort)

    async def write(self, *changes: Put | Delete) -> None:
        await asyncio.sleep(0)
        puts = [change for change in changes if isinstance(change, Put)]
        revisions = [self._revision(put.item) for put in puts]
        for put, revision in zip(puts, revisions, strict=True):
            if not put.fits(revision):
                raise Conflict("somebody else changed this record first; read it again")
        for change in changes:
            if isinstance(change, Delete):
                self._held.pop((change.partition, change.sort), None)
                continue
            item = change.item
            held = (json.dumps(item.body), self._revision(item) + 1, item.expires_at)
            self._held[item.partition, item.sort] = held

    async def query(
        self, partition: str, prefix: str = "", *, after: str = "", descending: bool = False
    ) -> AsyncIterator[Item]:
        sorts = sorted((sort for part, sort in self._held if part == partition), reverse=descending)
        for sort in sorts:
            past = not after or (sort < after if descending else sort > after)
            item = self._item(partition, sort)
            if item is not None and past and sort.startswith(prefix):
                yield item

    async def purge(self) -> int:
        held = len(self._held)
        self._held = {key: kept for key, kept in self._held.items() if kept[2] is None or kept[2] > self._clock.now()}
        return held - len(self._held)

    async def scrub(self) -> None:
        pass

    async def sound(self) -> bool:
        return True

    def spoil(self, partition: str, sort: str, stored: str) -> None:
        """What somebody who reaches behind the port does to a record."""
        self._held[partition, sort] = (stored, *self._held[partition, sort][1:])

    def _item(self, partition: str, sort: str) -> Item | None:
        held = self._held.get((partition, sort))
        if held is None or (held[2] is not None and held[2] <= self._clock.now()):
            return None
        try:
            body = json.loads(held[0])
        except ValueError:
            raise RecordDamaged(sort) from None
        if not isinstance(body, dict):
            raise RecordDamaged(sort)
        return Item(partition, sort, body, held[1], held[2])

    def _revision(self, item: Item) -> int:
        found = self._item(item.partition, item.sort)
        return found.revision if found else 0


class FakeNotedHeads:
    """Noted heads in a dictionary."""

    def __init__(self) -> None:
        self.held: dict[str, set[NotedHead]] = {}

    async def note(self, tenant: str, head: NotedHead) -> None:
        self.held.setdefault(tenant, set()).add(head)

    async def noted(self, tenant: str) -> Sequence[NotedHead]:
        return sorted(self.held.get(tenant, ()))


class FakeFiles:
    """Files in a dictionary."""

    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}

    async def put(self, name: str, content: bytes) -> None:
        self.held[_checked(name)] = bytes(content)

    async def get(self, name: str) -> bytes:
        if _checked(name) not in self.held:
            raise NotFound(f"there is no file {name}")
        return self.held[name]

    async def exists(self, name: str) -> bool:
        return _checked(name) in self.held

    async def names(self, prefix: str) -> Sequence[str]:
        return sorted(name for name in self.held if name.startswith(prefix))

    async def remove(self, prefix: str) -> None:
        for name in await self.names(prefix):
            del self.held[name]


def _checked(name: str) -> str:
    if not name or name.startswith("/") or ".." in name.split("/") or "\\" in name or "\0" in name:
        raise BadRequest("a file name is relative, with / between its parts and no ..")
    return name


class FakeDetector:
    """Knows a few names; they are persons unless they work here. With an error it fails, whatever it is asked."""

    def __init__(self, *names: str, error: Exception | None = None) -> None:
        self.names, self.error = names, error

    def find(self, text: str, language: str | None, staff: Sequence[str] = ()) -> Sequence[Span]:
        if self.error is not None:
            raise self.error
        found = (match for name in self.names if name not in staff for match in re.finditer(re.escape(name), text))
        spans = [Span(match.start(), match.end(), SpanType.PERSON, "fake/list") for match in found]
        return sorted(spans, key=lambda span: span.start)


class FakeEmbedder:
    """Every word is a direction; texts that share words are near each other."""

    name, dimensions, sentence_dimensions, is_external = "words", DIMENSIONS, DIMENSIONS, False

    def __init__(self) -> None:
        self.embedded: list[str] = []

    async def embed_query(self, text: str) -> Vector:
        return self.vector(text)

    async def sentence_embeddings(self, texts: Sequence[str]) -> Matrix:
        return np.array([self.vector(text) for text in texts], np.float32)

    async def read(self, text: str) -> tuple[Vector, Vector]:
        return (await self.sentence_embeddings([text]))[0], await self.embed_query(text)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        self.embedded += texts
        return np.stack([self.vector(text) for text in texts]) if texts else np.zeros((0, DIMENSIONS), np.float32)

    def vector(self, text: str) -> Vector:
        """The vector of a text; a text without words points in a direction of its own."""
        total = np.zeros(DIMENSIONS, np.float32)
        for word in _WORD.findall(text.lower()) or [""]:
            seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
            total += np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)
        return np.asarray(total / np.linalg.norm(total), np.float32)


Line = str | ChatDelta | BaseException | Callable[[Sequence[ChatMessage]], str]


class ScriptedModel:
    """Plays a script, one answer a call: texts are pieces, exceptions are raised where they stand. It remembers what it
    was told, and which tools it was offered."""

    name = "scripted"

    def __init__(self, *answers: Iterable[Line]) -> None:
        self._answers = deque(answers)
        self.told: list[Sequence[ChatMessage]] = []
        self.offered: list[Sequence[ToolDefinition]] = []

    async def chat(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolDefinition] = ()
    ) -> AsyncGenerator[ChatDelta, None]:
        self.told.append(messages)
        self.offered.append(tools)
        spent = False
        for line in self._answers.popleft() if self._answers else ():
            if isinstance(line, BaseException):
                raise line
            written = line(messages) if callable(line) else line
            delta = TextDelta(written) if isinstance(written, str) else written
            spent = spent or isinstance(delta, Usage)
            yield delta
        if not spent:
            yield Usage()


class ScriptedCaller:
    """Gives answers of a shape in their order, errors where they stand, and remembers what it was asked."""

    name = "scripted"

    def __init__(self, *answers: dict[str, object] | Exception) -> None:
        self._answers = deque(answers)
        self.asked: list[tuple[str, str, str]] = []

    async def ask(self, site: str, instructions: str, text: str, shape: type[Shaped], seconds: float) -> Shaped:
        self.asked.append((site, instructions, text))
        answer = self._answers.popleft()
        if isinstance(answer, Exception):
            raise answer
        return shape.model_validate(answer)


class FakeOutbox:
    """Entries in a list."""

    def __init__(self) -> None:
        self.waiting: list[OutboxEntry] = []
        self.settled: list[OutboxEntry] = []

    async def put(self, entry: OutboxEntry) -> None:
        if all(entry.entry_id != other.entry_id for other in (*self.waiting, *self.settled)):
            self.waiting.append(entry)

    async def take(self, limit: int = 10) -> Sequence[OutboxEntry]:
        return self.waiting[:limit]

    async def settle(self, entry: OutboxEntry) -> None:
        if entry in self.waiting:
            self.waiting.remove(entry)
            self.settled.append(entry)

    async def scrub(self) -> None:
        pass


@dataclass
class FakeJobLauncher:
    """Remembers what it was asked to start."""

    started: list[tuple[str, str]] = field(default_factory=list)

    async def start(self, tenant: str, job_id: str) -> None:
        self.started.append((tenant, job_id))

    async def resume(self, tenant: str, unfinished: Sequence[str]) -> None:
        self.started += [(tenant, job_id) for job_id in unfinished]

    async def drain(self) -> None:
        pass


class FakeSource:
    """Finds the same for every search, up to its limit; raises its `faults` first, one a search.

    An endless one never answers.
    """

    title = "The guidelines"

    def __init__(self, name: str, *hits: Hit, faults: Iterable[Exception] = (), is_endless: bool = False) -> None:
        self.name, self._hits, self._faults, self._is_endless = name, hits, deque(faults), is_endless
        self.asked: list[PlannedSearch] = []

    async def find(self, search: PlannedSearch) -> Sequence[Hit]:
        self.asked.append(search)
        if self._is_endless:
            await asyncio.Event().wait()
        if self._faults:
            raise self._faults.popleft()
        return self._hits[: search.limit]


@dataclass
class OneLanguage:
    """Takes every text for one language."""

    code: str = "nl"
    confidence: float = 0.95

    def identify(self, text: str, *, of_any: bool = False) -> tuple[str, float]:
        return self.code, self.confidence


class KeywordReader:
    """Finds a text relevant that holds one of its words."""

    YES, NO = 9.0, -9.0

    def __init__(self, *words: str) -> None:
        self.words = words
        self.asked: list[Sequence[ReaderText]] = []

    async def pace(self) -> ReadingPace:
        return ReadingPace()

    async def relevance(self, question: str, texts: Sequence[ReaderText]) -> Sequence[float]:
        self.asked.append(texts)
        return [self.YES if any(word in one.text for word in self.words) else self.NO for one in texts]
