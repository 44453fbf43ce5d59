"""What Careline needs from the outside, in its own words. An engine is one implementation of one of these.

Every port has a contract suite in `tests/engines/` which is its specification and runs against every engine.
"""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel

from careline.limits import Limits
from careline.model import Hit, Message, Passage, ReadWindow, Span, Usage
from careline.record_table import Body, RecordTable

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

    async def sentence_embeddings(self, texts: Sequence[str]) -> Matrix:
        """One row per text, in order. Raises: EmbedderUnavailable."""

    async def read(self, text: str) -> tuple[Vector, Vector]:
        """A question's sentence embedding, and its vector as `embed_query` gives it. Raises: EmbedderUnavailable."""


@dataclass(frozen=True, slots=True)
class ReaderText:
    """A short text of a document, and what it stands under: title and headings."""

    context: str
    text: str


class Reader(Protocol):
    """Reads a question and a text together. Engine: a cross-encoder on multilingual-e5-small (embedded)."""

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
        each (`careline.search.window_vectors`), none at all where nobody made them. Raises: IndexUnavailable."""

    async def activate(self, tenant: str, doc_key: str, version: int) -> None:
        """Make this version the only live one of its document; an older version never replaces a newer one."""

    async def retire(self, tenant: str, doc_key: str, version: int) -> None:
        """No version up to this one is found any more; what was stored stays for audit."""

    async def find(self, query: PassageQuery) -> Sequence[Hit]:
        """Best passages first, at most `query.limit`; superseded and expired ones never.

        Raises: IndexUnavailable when the engine cannot be reached within `query.patience` seconds,
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


class Uploads(Protocol):
    """Holds files that senders put straight into the storage, to be read once. Engine: S3 (aws)."""

    async def read(self, name: str, version: str | None, most: int) -> UploadedFile:
        """Exactly this version of a file, cut off after `most` + 1 bytes, by which a larger one is known.

        Raises: NotFound for a file that is gone, FilesUnavailable.
        """


@dataclass(frozen=True, slots=True)
class Source:
    """A passage as a language model sees it: its number in the answer's markers, and its text."""

    number: int
    title: str
    language: str
    hit: Hit
    read: tuple[ReadWindow, ...] = ()
    """Its windows that the reader has read, best first; empty where there is no reader."""


@dataclass(frozen=True, slots=True)
class PromptInput:
    """Everything a language model is told for one answer."""

    question: str
    search_text: str
    vector: Vector | None
    """The vector of `search_text` that retrieval used; None when it had none."""
    language: str
    system: str
    sources: tuple[Source, ...]
    history: tuple[Message, ...] = ()
    voice: bool = False
    foreign_notices: Mapping[str, str] = field(default_factory=dict)
    """By source language, the sentence with `{title}` that is said before a source in another language is quoted."""
    unsure_notice: str = ""
    """What is said before a quote whose relevance lies below `sure_from`: that it may not be what was asked for."""
    sure_from: float = -math.inf

    @property
    def asked(self) -> str:
        """The question as a text that stands by itself: with what the turns before said, without the story."""
        return self.search_text or self.question


@dataclass(frozen=True, slots=True)
class CompletionChunk:
    """A piece of an answer that nobody has screened yet; the last one carries the usage."""

    text: str = ""
    sources: tuple[int, ...] = ()
    """Numbers of the sources it was taken from, where the engine knows them."""
    usage: Usage | None = None
    is_cells: bool = False
    """Whether it says cells of a table, a row in each line: one is a sentence whatever full stops its cells hold."""


class LanguageModel(Protocol):
    """Writes an answer from sources. Engines: any OpenAI-compatible endpoint (openai), extractive (embedded)."""

    @property
    def name(self) -> str:
        """The model's name as it is recorded."""

    @property
    def follows_instructions(self) -> bool:
        """Whether it may follow what it reads; one that only quotes does not."""

    def write(self, prompt_input: PromptInput) -> AsyncGenerator[CompletionChunk, None]:
        """Stream the answer; markers [n] refer to `brief.sources`. Closing the stream stops the model.

        Raises: ModelUnavailable before the first piece, ModelStalled after it.
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


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """What must still be done about a turn after it was answered. `entry_id` makes delivery idempotent."""

    entry_id: str
    tenant: str
    body: Body


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


@dataclass(frozen=True, slots=True)
class Engines:
    """Every engine an installation uses; `careline.bootstrap` makes it, everything else is given it."""

    clock: Clock
    new_id: Callable[[], str]
    """A fresh identifier; later ones sort after earlier ones."""
    embedder: Embedder
    count_tokens: Callable[[str], int]
    """How many tokens the embedding model sees in a text."""
    index: PassageIndex
    table: RecordTable
    files: FileStore
    outbox: Outbox
    job_launcher: JobLauncher
    model: LanguageModel
    """Writes what may not leave the trust boundary."""
    identify: LanguageIdentifier
    detector: PhiDetector
    key: bytes
    """The installation's secret, 32 bytes or more; empty where nothing is recorded: using it raises SettingsInvalid."""
    sentence_embedder: SentenceEmbedder | None = None
    """What the screens see beside words; without it they look at words alone."""
    reader: Reader | None = None
    """Tells whether a text answers a question; without it the order of the search stands."""
    guardrail: StructuredCaller | None = None
    """A language model that looks at utterances which nothing else stopped."""
    document_guardrail: StructuredCaller | None = None
    """A language model that looks at passages which nothing else holds back, when documents are taken in."""
    cloud: LanguageModel | None = None
    """Writes what may leave the trust boundary; None where nothing may. `cloud_small` is a smaller one beside it."""
    cloud_small: LanguageModel | None = None
    quoting: LanguageModel | None = None
    """Quotes the documents when no language model answers; None where `model` does that already."""
    limits: Limits = field(default_factory=Limits)
    uploads: Uploads | None = None
    """None where files come through the API alone."""
