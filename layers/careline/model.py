"""The nouns of Careline: documents and their passages, jobs, conversations, answers. Values without behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Literal

Channel = Literal["chat", "voice"]
Audience = Literal["clinician", "public"]

Category = Literal["practical", "clinical_info", "regulatory", "appointments", "legal_admin", "general"]
"""The kind of facts that a passage tells (`careline.value_framework`)."""

LANGUAGES = ("nl", "en", "fr", "it")
"""Languages a caller can be answered in; documents may be in any language."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table: what it is called, outermost label first, and one value for each column ("" where none)."""

    labels: tuple[str, ...]
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is read: every value with the labels of its row and of its column.

    `stub` names the label columns (the header above them, "" where none), `columns` are the header labels of each value
    column, outermost first (empty where the document gives none). `notes` are pairs of a sign and what it says.
    `total` is how many rows the whole table has, of which a chunk may hold a part.
    """

    caption: str
    stub: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    rows: tuple[TableRow, ...]
    notes: tuple[tuple[str, str], ...] = ()
    total: int = 0


@dataclass(frozen=True, slots=True)
class CuratedText:
    """What a person wrote in answer to these questions, each a wording by itself: the pages it was taken from, by title
    or address, and the day it was written, as `YYYY-MM-DD`, "" where nobody said."""

    questions: tuple[str, ...]
    sources: tuple[str, ...] = ()
    written_on: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of one document, about 500 tokens, whose text can be read by itself. `table` is set for tables.

    `titles` are the lines of the text that are headings of the document, as pairs of the number of the line and how
    deep it lies below `heading_path`, both from 0.
    """

    ordinal: int
    text: str
    kind: Literal["text", "table"]
    heading_path: tuple[str, ...]
    first_page: int
    last_page: int
    tokens: int
    table: Table | None = None
    hidden: bool = False
    """Made of hidden blocks alone; never told to anybody unless a person releases it."""
    titles: tuple[tuple[int, int], ...] = ()
    curated: CuratedText | None = None
    """Set where the text is a person's answer, which is the whole of its document."""
    category: Category | None = None
    """Told when it was indexed; None of what was indexed before there were categories."""


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What is known about a document as a whole; every passage carries it and every field can be filtered on."""

    title: str
    source_type: str
    language: str
    audience: Audience = "public"
    specialty: str | None = None
    authors: tuple[str, ...] = ()
    year: int | None = None
    publisher: str | None = None
    organisation: str | None = None
    doi: str | None = None
    pmid: str | None = None
    url: str | None = None
    recommendation_class: str | None = None
    evidence_level: str | None = None
    drug_name: str | None = None
    drug_class: str | None = None
    indication: str | None = None
    book_edition: str | None = None
    chapter: str | None = None
    last_updated: date | None = None
    owner: str | None = None
    valid_from: date | None = None
    valid_until: date | None = None
    review_date: date | None = None


class DocumentState(StrEnum):
    """The life of one version of a document."""

    PENDING = "pending"
    LIVE = "live"
    FAILED = "failed"
    SUPERSEDED = "superseded"
    DELETED = "deleted"


class LeftOut(StrEnum):
    """Why a block of extracted text is never told to a caller."""

    HIDDEN = "hidden"
    """Readers of the document do not see it: white on white, size 0, off the page, marked as hidden. It is screened."""
    STRUCK = "struck"
    """Struck through, or marked as deleted: readers see that it no longer holds."""
    FURNITURE = "furniture"
    """Of the page and not of what it says: menus, banners, notices of cookies, links to share."""
    RUNNING = "running"
    """Printed on every page: running headers and footers, page numbers."""
    REFERENCES = "references"
    """A list of what the document cites."""
    PLACEHOLDER = "placeholder"
    """Asks the writer of the document to fill something in."""
    UNREAD = "unread"
    """A picture, formula or object whose words could not be read; the text says what it is."""


@dataclass(frozen=True, slots=True)
class LeftOutCount:
    """How much of a document nobody is told for one reason: blocks, and the characters in them."""

    reason: LeftOut
    blocks: int
    characters: int


@dataclass(frozen=True, slots=True)
class Document:
    """One version of one document. `doc_key` names the document, `version` counts its contents from 1."""

    tenant: str
    doc_key: str
    version: int
    document_id: str
    content_hash: str
    file_name: str
    size_bytes: int
    facts: DocumentFacts
    state: DocumentState
    created_at: datetime
    activated_at: datetime | None = None
    pages: int = 0
    chunks: int = 0
    warnings: tuple[str, ...] = ()
    left_out: tuple[LeftOutCount, ...] = ()
    origin: str = ""
    """A digest of the folder that its file comes from; "" where nobody knows, as of a file that came in a request."""


@dataclass(frozen=True, slots=True)
class HeldPassage:
    """A passage that was held back. `passage_id` is made of its content, `reasons` are kinds of the document screen."""

    passage_id: str
    page: int
    reasons: tuple[str, ...]
    excerpt: str


class JobState(StrEnum):
    """States of an indexing job; `careline.knowledge.ingestion.jobs` holds the transitions."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class IndexingJob:
    """The work of bringing one version of a document into the index."""

    job_id: str
    tenant: str
    doc_key: str
    version: int
    document_id: str
    file_name: str
    state: JobState
    created_at: datetime
    started_at: datetime | None = None
    completed_at: datetime | None = None
    failed_at: datetime | None = None
    stage: str | None = None
    total_chunks: int | None = None
    processed_chunks: int = 0
    retry_count: int = 0
    max_retries: int = 3
    error_type: str | None = None
    error_message: str | None = None
    superseded_by: str | None = None
    held_back: int = 0
    """Passages that nobody is told until a person has looked; the first of them are named in `held`."""
    held: tuple[HeldPassage, ...] = ()
    left_out: tuple[LeftOutCount, ...] = ()
    """What of the document nobody is told, and why, as its version says it."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as it is indexed and found. `chunk_id` is the same whenever the same content is ingested again."""

    chunk_id: str
    tenant: str
    doc_key: str
    version: int
    document_id: str
    file_name: str
    chunk: Chunk
    facts: DocumentFacts
    embedding_model: str
    indexed_at: datetime


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found.

    `score` is the fused score, 0 to 1, comparable within one query only. `similarity` is the cosine of question and
    passage and `relative_similarity` how far it lies above that of the corpus's passages on average (both 0 when the
    dense side was not asked). `coverage` is the share, 0 to 1, of the question's informative words that the passage
    contains. `windows` are the cosines of the passage's windows (`careline.passages.windows`), in their order,
    empty where the index keeps none.
    """

    passage: Passage
    score: float
    similarity: float = 0.0
    relative_similarity: float = 0.0
    coverage: float = 0.0
    windows: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadWindow:
    """A window of a passage that was read together with the question: its number, and its place among the others.

    `relevance` orders windows: what the reader and the search make of it together. `confidence` tells whether the
    answer is there at all, the log of its odds. `answers` is the reader's logit alone, `parts` are such logits of its
    quotables or, of a row of a table, of its cells; empty where they were not read. `question` is 1 for the second of
    two questions asked at once.
    """

    number: int
    relevance: float
    parts: tuple[float, ...] = ()
    answers: float = 0.0
    question: int = 0
    confidence: float = 0.0


class SpanType(StrEnum):
    """Kinds of personal data."""

    PERSON = "PERSON"
    DATE_OF_BIRTH = "DATE_OF_BIRTH"
    DATE = "DATE"
    PHONE = "PHONE"
    EMAIL = "EMAIL"
    ADDRESS = "ADDRESS"
    MRN = "MRN"
    SSN = "SSN"
    NISS = "NISS"
    NIR = "NIR"
    CODICE_FISCALE = "CODICE_FISCALE"
    NHS = "NHS"
    IBAN = "IBAN"
    URL = "URL"
    IP = "IP"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of personal data: code points `start` to `end` (exclusive) of a text, and the rule that found it."""

    start: int
    end: int
    type: SpanType
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation. `personal` is the personal data in it; None when nobody has looked.

    `refused`: whether what a user asked was refused, by whichever screen; None when nobody has noted it, as of messages
    that a client kept itself. `disposition` and `reason`: what kind of answer it is; None of a question, and of what an
    older version kept.
    """

    role: Literal["user", "assistant"]
    text: str
    at: datetime
    turn_id: str = ""
    personal: tuple[Span, ...] | None = None
    refused: bool | None = None
    disposition: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """What the turn knows of what was said before: the last ten messages at most."""

    conversation_id: str
    tenant: str
    messages: tuple[Message, ...] = ()
    language: str | None = None
    disclaimed: bool = False
    clinical_context: dict[str, object] | None = None
    asked_back: tuple[str, ...] = ()
    """Topics that were asked back about."""
    preferences: dict[str, object] | None = None
    last_active: datetime | None = None
    revision: int = 0
    redaction: dict[str, list[str]] | None = None
    """State of the vault that numbers personal data, so that a value keeps its token
    (`privacy.redaction.redact.Vault`)."""
    identity: dict[str, list[str]] | None = None
    """What the people in it are found by (`privacy.redaction.identifiers.PersonIdentity`)."""
    owner: str | None = None
    """Pseudonym of the user whose conversation it is, where one was named."""
    holder: str | None = None
    """A keyed digest of whoever began it (`conversation.ownership`)."""


class Disposition(StrEnum):
    """How a turn ended."""

    ANSWERED = "answered"
    CLARIFIED = "clarified"
    REFUSED = "refused"
    ESCALATED = "escalated"
    FAREWELLED = "farewelled"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Usage:
    """What a language model consumed, in tokens, and its price in euro; estimated where its provider did not say."""

    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    cost: float = 0.0
    is_estimated: bool = False

    def plus(self, other: Usage) -> Usage:
        """What both consumed together."""
        tokens = self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out
        is_estimated = self.is_estimated or other.is_estimated
        return Usage(*tokens, self.tokens_cached + other.tokens_cached, self.cost + other.cost, is_estimated)
