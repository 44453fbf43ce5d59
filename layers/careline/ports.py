"""What Careline needs from the outside, in its own words. An engine is one implementation of one of these.

Every port has a contract suite in `tests/engines/` which is its specification and runs against every engine. The ports
stand in one file because they are one list, with `Engines` at its end: what an engine may be is read in one place. What
a language model is told and what it answers in is `careline.chat`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel

from careline import time_zone
from careline.chat import ChatDelta, ChatMessage, ToolDefinition
from careline.limits import Limits
from careline.model import Hit, Passage, ReadWindow, Span
from careline.records.outbox_message import OutboxEntry
from careline.records.record_table import RecordTable

Vector = npt.NDArray[np.float32]
"""Shape (dimensions,), unit length."""
Matrix = npt.NDArray[np.float32]
"""Shape (texts, dimensions), rows of unit length."""


class Clock(Protocol):
    """Where time comes from, so that tests can set it."""

    def now(self) -> datetime:
        """The time, aware, in UTC."""

    def elapsed(self) -> float:
        """Seconds since an arbitrary start, never going back."""


class Embedder(Protocol):
    """Turns text into vectors. Engines: text-embedding-3-large (openai), multilingual-e5-small (embedded)."""

    @property
    def name(self) -> str:
        """Model and variant; vectors of different names are never compared."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""

    @property
    def is_external(self) -> bool:
        """Whether texts are sent to somebody else's service."""

    async def embed_query(self, text: str) -> Vector:
        """The vector of a question. Raises: EmbedderUnavailable."""

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """One row per text, in order. Callers may run at once; engines batch. Raises: EmbedderUnavailable."""


class SentenceEmbedder(Protocol):
    """Embeds what is said for the semantic classifiers. Engine: multilingual-e5-small (embedded); never a service."""

    @property
    def sentence_dimensions(self) -> int:
        """Length of a sentence embedding; not that of a vector which is searched with."""

    async def sentence_embeddings(self, texts: Sequence[str]) -> Matrix:
        """One row per text, in order. Raises: EmbedderUnavailable."""

    async def read(self, text: str) -> tuple[Vector, Vector]:
        """A question's sentence embedding, and its vector as `embed_query` gives it. Raises: EmbedderUnavailable."""


@dataclass(frozen=True, slots=True)
class ReaderText:
    """A short text of a document, and what it stands under: title and headings."""

    context: str
    text: str


LEAST_READ = 6
"""Windows of one question that are read however slow the processor is."""


@dataclass(frozen=True, slots=True)
class ReadingPace:
    """How fast windows are read here: `window_ms` for one, and `budget_ms` for those of one question; 0 is no limit."""

    window_ms: float = 0.0
    budget_ms: float = 0.0

    def windows(self, most: int) -> int:
        """How many of the `most` promising windows there is time to read, `LEAST_READ` in any case."""
        if not self.budget_ms or not self.window_ms:
            return most
        return min(most, max(LEAST_READ, int(self.budget_ms / self.window_ms)))


class Reader(Protocol):
    """Reads a question and a text together. Engine: a cross-encoder on multilingual-e5-small (embedded)."""

    async def pace(self) -> ReadingPace:
        """How fast this machine reads, measured once. Raises: ReaderUnavailable."""

    async def relevance(self, question: str, texts: Sequence[ReaderText]) -> Sequence[float]:
        """For each text how well it answers the question, as a logit: above 0 it rather does than not.

        Raises: ReaderUnavailable.
        """


@dataclass(frozen=True, slots=True)
class PassageQuery:
    """A search. `vector` None asks for keywords alone; `where` maps a field of `DocumentFacts`, `doc_key`,
    `document_id`, `version` or `kind` to the values allowed; `today` hides what is not valid on that day."""

    tenant: str
    text: str
    vector: Vector | None
    language: str | None = None
    limit: int = 10
    where: Mapping[str, tuple[str | int, ...]] = field(default_factory=dict)
    today: date | None = None
    timeout_seconds: float = 5.0


class PassageIndex(Protocol):
    """Finds passages. Engines: OpenSearch (aws), tantivy with vectors (embedded).

    Passages added are not found until their version is activated. Every write may be repeated without effect.
    """

    async def add(self, passages: Sequence[Passage], vectors: Matrix, windows: Sequence[bytes] = ()) -> None:
        """Store passages with one vector row each, not yet live; `windows` are the packed vectors of the windows of
        each (`careline.passages.window_vectors`), none at all where nobody made them. Raises: IndexUnavailable."""

    async def activate(self, tenant: str, doc_key: str, version: int) -> None:
        """Make this version the only live one of its document; an older version never replaces a newer one."""

    async def retire(self, tenant: str, doc_key: str, version: int) -> None:
        """No version up to this one is found any more; what was stored stays for audit."""

    async def withdraw(self, tenant: str, doc_key: str, version: int) -> None:
        """Nothing of this version is found until it is activated again. Without effect where it is not live."""

    async def find(self, query: PassageQuery) -> Sequence[Hit]:
        """Best passages first, at most `query.limit`; superseded and expired ones never.

        Raises: IndexUnavailable when the engine cannot be reached within `query.timeout_seconds`,
        BadRequest when `where` names a field that does not exist or a value of another type than the field's.
        """

    async def settle(self) -> None:
        """Everything activated before the call can be found when it returns, as far as the engine can promise."""

    async def passages(self, tenant: str, doc_key: str, version: int) -> Sequence[Passage]:
        """Every passage of one version, live or not, in document order."""

    async def corpus_version(self, tenant: str) -> int:
        """A number that grows with every activation and retirement."""

    async def clear(self, tenant: str) -> None:
        """Forget everything of a tenant, before the index is built again from the documents."""


@dataclass(frozen=True, slots=True)
class PlannedSearch:
    """A search that a turn is going to run: in which source, for what.

    `vector` None asks for words alone; `filters` are those of `PassageQuery.where`; `today` hides what is not valid on
    that day.
    """

    source: str
    text: str
    vector: Vector | None = None
    language: str | None = None
    filters: Mapping[str, tuple[str | int, ...]] = field(default_factory=dict)
    limit: int = 10
    today: date | None = None


class KnowledgeSource(Protocol):
    """Something that is searched for passages to answer from. The hospital's own documents are one
    (`careline.search.sources`); who asks sees no more of a source than is for them."""

    @property
    def name(self) -> str:
        """By which plans, records and answers name it."""

    @property
    def title(self) -> str:
        """What it is called in an English sentence, with a capital."""

    async def find(self, search: PlannedSearch) -> Sequence[Hit]:
        """The best passages first, at most `search.limit`. Asked once; whoever asks keeps the time and tries again.

        Raises: EngineUnavailable, BadRequest for a filter that the source does not have.
        """


class Secret(Protocol):
    """A secret that somebody may replace while the process runs. Engine: Secrets Manager (aws)."""

    async def read(self) -> str:
        """As it was not long ago. Raises: SecretMissing, SecretUnavailable where it was never read."""

    async def renew(self) -> str:
        """As it is now, for whoever was refused with the one before. Raises: SecretMissing, SecretUnavailable."""


class FileStore(Protocol):
    """Keeps files. Engines: S3 (aws), a folder (embedded). Names are relative, `/` between parts, no `..`."""

    async def put(self, name: str, content: bytes) -> None:
        """Write the whole file or nothing. Raises: FilesUnavailable."""

    async def get(self, name: str) -> bytes:
        """Raises: NotFound, FilesUnavailable."""

    async def exists(self, name: str) -> bool:
        """Whether `get` would find it."""

    async def names(self, prefix: str) -> Sequence[str]:
        """Names below a prefix, sorted."""

    async def remove(self, prefix: str) -> None:
        """Every file below a prefix."""


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file as its sender put it: the content, and what the sender said about it."""

    content: bytes
    said: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AnnouncedFile:
    """A file that its sender will put straight into the storage. `size` is in bytes, and exact."""

    tenant: str
    upload_id: str
    file_name: str
    size: int
    media_type: str


@dataclass(frozen=True, slots=True)
class PutAddress:
    """Where one part of a file is put, with these headers: `PUT url`, exactly `size` bytes. An address without a host
    is of the server that gave it."""

    number: int
    size: int
    url: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class UploadAddresses:
    """The addresses of a file's parts, and the storage's own name of an upload in several parts, "" of one in one."""

    puts: tuple[PutAddress, ...]
    storage_id: str = ""


@dataclass(frozen=True, slots=True)
class ReceivedPart:
    """A part that was put at an address of this server: of which upload, and what completes it later."""

    tenant: str
    upload_id: str
    etag: str


class Uploads(Protocol):
    """Holds files that senders put straight into the storage, to be read once. Engines: S3 (aws), a folder (embedded).

    An address holds for one file of one tenant, its size, its kind and a time; whoever has it needs no login.
    """

    async def read(self, name: str, version: str | None, most: int) -> UploadedFile:
        """Exactly this version of a file, cut off after `most` + 1 bytes, by which a larger one is known.

        Raises: NotFound for a file that is gone, FilesUnavailable.
        """

    async def open(self, file: AnnouncedFile, parts: Sequence[int], seconds: int) -> UploadAddresses:
        """Addresses of parts of these sizes, in order, that hold for so many seconds. Raises: FilesUnavailable."""

    async def complete(self, file: AnnouncedFile, storage_id: str, etags: Sequence[str]) -> str | None:
        """Make one file of the parts that were put: the name to read it by, or None where an event will tell of it.

        Raises: BadRequest for parts that are not those that were put, NotFound where the upload is gone,
        FilesUnavailable.
        """

    async def receive(self, ticket: str, read: Callable[[int], Awaitable[bytes]]) -> ReceivedPart:
        """Take a part that is put at an address of this server; `read` gives its bytes, at most so many, and is called
        once the address is known to hold.

        Raises: NotFound for an address that does not, BadRequest for another size, FilesUnavailable, what `read` does.
        """

    async def discard(self, name: str) -> None:
        """Forget a file that was read. Raises: FilesUnavailable."""


@dataclass(frozen=True, slots=True, order=True)
class NotedHead:
    """Where an audit chain stood: the number of its newest entry then, and the entry's hash in hexadecimal."""

    seq: int
    hash: str


class NotedHeads(Protocol):
    """Notes heads of audit chains where who writes the records can change and remove nothing. Engines: S3 under Object
    Lock (aws), a folder (embedded)."""

    async def note(self, tenant: str, head: NotedHead) -> None:
        """Note a head, once, however often it is noted. Raises: FilesUnavailable when it was not."""

    async def noted(self, tenant: str) -> Sequence[NotedHead]:
        """Every head that was noted of a tenant's chain, by number. Raises: FilesUnavailable."""


@dataclass(frozen=True, slots=True)
class Source:
    """A passage that an answer may be taken from: its number in the answer's markers, and its text."""

    number: int
    title: str
    language: str
    hit: Hit
    read: tuple[ReadWindow, ...] = ()
    """Its windows that the reader has read, best first; empty where there is no reader."""


class ChatModel(Protocol):
    """Continues a conversation, and may ask for tools. Engine: any OpenAI-compatible endpoint (openai)."""

    @property
    def name(self) -> str:
        """The model's name as it is recorded."""

    def chat(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolDefinition] = ()
    ) -> AsyncGenerator[ChatDelta, None]:
        """Stream what comes next: pieces of text, calls of the `tools`, and last what was consumed, where it is told.

        A call is sent when it is complete; of an answer that breaks off none is. Closing the stream stops the model.

        Raises: ModelUnavailable before the model has begun, ModelStalled after it.
        """


Shaped = TypeVar("Shaped", bound=BaseModel)


class StructuredCaller(Protocol):
    """Asks a language model for an answer of a given shape. Engine: any OpenAI-compatible endpoint (openai)."""

    @property
    def name(self) -> str:
        """The model's name as it is recorded."""

    async def ask(self, site: str, instructions: str, text: str, shape: type[Shaped], seconds: float) -> Shaped:
        """The model's answer to `text`, validated. `site` names the caller, by which repeated attempts are counted.

        Raises: AnswerMisshapen when no attempt had the shape, ModelUnavailable when `seconds` are over or it is down.
        """


class Outbox(Protocol):
    """Holds a turn's record until telemetry has taken it. Engines: SQS FIFO (aws), a SQLite table (embedded)."""

    async def put(self, entry: OutboxEntry) -> None:
        """Durable when this returns."""

    async def take(self, limit: int = 10) -> Sequence[OutboxEntry]:
        """Oldest first, those not yet settled."""

    async def settle(self, entry: OutboxEntry) -> None:
        """The entry is done with and never taken again."""

    async def scrub(self) -> None:
        """Leave no byte of settled entries on the medium, as far as the engine can reach it."""


class JobLauncher(Protocol):
    """Starts the stages of a job somewhere. Engines: Step Functions (aws), a task in this process (embedded)."""

    async def start(self, tenant: str, job_id: str) -> None:
        """Ask for the job to run; returns before it has."""

    async def resume(self, tenant: str, unfinished: Sequence[str]) -> None:
        """Go on with the jobs that ended with the process that ran them; nothing where a job outlives its starter."""

    async def drain(self) -> None:
        """Wait until every job that this process runs has ended; at once where it runs none."""


class PhiDetector(Protocol):
    """Finds personal data. Engine: recognisers with checksums and name lists (embedded), everywhere."""

    def find(self, text: str, language: str | None, staff: Sequence[str] = ()) -> Sequence[Span]:
        """Spans in order, none overlapping another; names of `staff` are none. Any failure means: assume there are."""


class LanguageIdentifier(Protocol):
    """Tells which language a text is in. Engine: py3langid with frequent words (embedded), everywhere."""

    def identify(self, text: str, *, of_any: bool = False) -> tuple[str, float]:
        """ISO 639-1 code and confidence, 0 to 1; with `of_any` of any language, however short the text is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """What keeping records takes: a turn that is settled, its audit entry and its bill need no other engine."""

    clock: Clock
    new_id: Callable[[], str]
    """A fresh identifier; later ones sort after earlier ones."""
    table: RecordTable
    read_key: Callable[[], bytes]
    """Gives `key`, from where it is kept."""
    time_zone: str = time_zone.DEFAULT
    """Whose days count where a hospital's record names no other."""

    @property
    def key(self) -> bytes:
        """The installation's secret, 32 bytes or more; empty where nothing is recorded: using it raises
        SettingsInvalid. Read when it is first needed, once a process. Raises: SettingsInvalid, SecretUnavailable."""
        return self.read_key()


@dataclass(frozen=True, slots=True, kw_only=True)
class Engines(Records):
    """Every engine an installation uses; `careline.bootstrap` makes it, everything else is given it."""

    embedder: Embedder
    count_tokens: Callable[[str], int]
    """How many tokens the embedding model sees in a text."""
    index: PassageIndex
    files: FileStore
    outbox: Outbox
    job_launcher: JobLauncher
    identify: LanguageIdentifier
    detector: PhiDetector
    sentence_embedder: SentenceEmbedder | None = None
    """What the screens see beside words; without it they look at words alone."""
    reader: Reader | None = None
    """Tells whether a text answers a question; without it the order of the search stands."""
    guardrail: StructuredCaller | None = None
    """A language model that looks at utterances which nothing else stopped."""
    document_guardrail: StructuredCaller | None = None
    """A language model that looks at passages which nothing else holds back, when documents are taken in."""
    model: ChatModel | None = None
    """Writes what may not leave the trust boundary; without any model the documents are quoted."""
    cloud: ChatModel | None = None
    """Writes what may leave the trust boundary; None where nothing may. `cloud_small` is a smaller one beside it."""
    cloud_small: ChatModel | None = None
    limits: Limits = field(default_factory=Limits)
    sources: tuple[KnowledgeSource, ...] = ()
    """What may be searched besides the hospital's own documents."""
    paused: Callable[[], frozenset[str]] = frozenset
    """The components that are not asked for a while, as they failed again and again (`careline.circuit`)."""
    noted_heads: NotedHeads | None = None
    """Where heads of audit chains are noted; None in a process that notes none."""
    uploads: Uploads | None = None
    """None in a process that takes no files in."""
