"""The JSON bodies of every response but the answer itself, as the published description has them.

What makes a body is declared to return it, so that a type checker compares the two; `wire` holds requests and answers.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from careline.identity import Role
from careline.model import Audience, DocumentState, JobState
from careline.wire import StageTiming, Tokens

Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Day = Annotated[str, Field(json_schema_extra={"format": "date"})]


class Health(TypedDict):
    """That the process serves."""

    status: Literal["ok"]


class Session(TypedDict):
    """Who is logged in. `subject` is the same for one holder of a credential."""

    subject: str
    role: Role
    tenant: str
    audiences: list[Audience]
    csrf: str | None


class PackBody(TypedDict):
    """A pack that can be asked."""

    name: str
    titles: dict[str, str]
    languages: list[str]
    audience: Audience


class Hospital(TypedDict):
    """The hospital's names, by language."""

    name: dict[str, str] | None


class Packs(TypedDict):
    """What can be asked, and what is asked where no pack is named."""

    packs: list[PackBody]
    default_pack: str
    tenant: Hospital


class HitBody(TypedDict):
    """A passage that was found; `score` is comparable within one search only."""

    doc_key: str
    chunk_id: str
    score: float
    similarity: float
    lift: float
    coverage: float
    title: str
    language: str
    source: str
    source_type: str
    version: int
    section: str | None
    page: int | None
    text: str


class SearchResult(TypedDict):
    """Hits, best first, and what could not be done for them."""

    hits: list[HitBody]
    warnings: list[str]


class MessageBody(TypedDict):
    """One message of a conversation."""

    role: Literal["user", "assistant"]
    text: str
    at: Moment
    turn_id: str


class ConversationBody(TypedDict):
    """A conversation, its messages oldest first."""

    conversation_id: str
    language: str | None
    pack: str
    last_active: Moment
    messages: list[MessageBody]


class DocumentBody(TypedDict):
    """One version of a document with its facts."""

    tenant: str
    doc_key: str
    version: int
    document_id: str
    content_hash: str
    file_name: str
    size_bytes: int
    state: DocumentState
    created_at: Moment
    activated_at: Moment | None
    pages: int
    chunks: int
    warnings: list[str]
    title: str
    source_type: str
    language: str
    audience: Audience
    specialty: str | None
    authors: list[str]
    year: int | None
    publisher: str | None
    organisation: str | None
    doi: str | None
    pmid: str | None
    url: str | None
    recommendation_class: str | None
    evidence_level: str | None
    drug_name: str | None
    owner: str | None
    valid_from: Day | None
    valid_until: Day | None
    review_date: Day | None


class VersionBody(DocumentBody):
    """One version, and the job that last worked on it."""

    job_id: str


class DocumentPage(TypedDict):
    """Documents in order of their key; `next` is the `after` of the following page."""

    documents: list[DocumentBody]
    next: str | None


class Versions(TypedDict):
    """Every version of a document, oldest first."""

    versions: list[VersionBody]


class HeldNote(TypedDict):
    """A passage that was held back, as its job names it."""

    passage_id: str
    page: int
    reasons: list[str]
    excerpt: str


class JobBody(TypedDict):
    """The work on one version of a document."""

    job_id: str
    tenant: str
    doc_key: str
    version: int
    document_id: str
    file_name: str
    state: JobState
    created_at: Moment
    started_at: Moment | None
    completed_at: Moment | None
    failed_at: Moment | None
    stage: str | None
    total_chunks: int | None
    processed_chunks: int
    retry_count: int
    max_retries: int
    error_type: str | None
    error_message: str | None
    superseded_by: str | None
    held_back: int
    held: list[HeldNote]


class Unchanged(TypedDict):
    """The same content is live already."""

    unchanged: Literal[True]
    document: DocumentBody


class Begun(TypedDict):
    """A job that was begun."""

    job: JobBody


class Jobs(TypedDict):
    """Jobs, newest first."""

    jobs: list[JobBody]


class BlockBody(TypedDict):
    """One block of a page; `level` is that of a heading."""

    kind: str
    text: str
    level: int


class PageBody(TypedDict):
    """One page of a document's text."""

    number: int
    blocks: list[BlockBody]


class DocumentText(TypedDict):
    """The text of a version; `paged` says whether its pages are those of the file."""

    doc_key: str
    version: int
    title: str
    language: str
    paged: bool
    pages: list[PageBody]


class Decided(TypedDict):
    """What a person decided about a passage."""

    decision: Literal["released", "discarded"]
    by: str
    at: Moment


class HeldBody(HeldNote):
    """A passage of a live document that nobody is told."""

    doc_key: str
    version: int
    file_name: str
    title: str
    ordinal: int
    headings: list[str]
    decided: Decided | None


class HeldText(HeldBody):
    """The same with its whole text."""

    text: str


class HeldBack(TypedDict):
    """Passages that were held back."""

    held_back: list[HeldBody]


class DecisionMade(Decided):
    """A decision, the documents it holds for, and its audit entry as SEQ:HASH."""

    passage_id: str
    documents: list[str]
    corpus_version: int
    audit: str


class LinkBody(TypedDict):
    """An entry of the audit chain."""

    seq: int
    hash: str


class FaultBody(TypedDict):
    """The first entry that does not fit; no number where it is the chain as a whole."""

    seq: int | None
    why: str


class VerdictBody(TypedDict):
    """Whether the audit chain is intact; null where there is none to verify."""

    intact: bool | None
    nothing: str | None
    entries: int
    first: int | None
    last: int | None
    head: LinkBody | None
    anchor: str | None
    fault: FaultBody | None


class EntryBody(TypedDict):
    """One audit entry; `body` is what its kind tells."""

    seq: int
    at: Moment
    kind: str
    subject: str | None
    id: str | None
    body: dict[str, Any]
    expires: Moment
    hash: str


class Egress(TypedDict):
    """What left, and for whom."""

    to: str
    where: str
    what: NotRequired[str]
    redacted: bool


class TurnRecord(TypedDict):
    """What is recorded of a turn: figures and names, and the question without its personal data."""

    turn_id: str
    trace_id: str
    conversation_id: str
    began_at: Moment
    channel: Literal["chat", "voice"]
    pack: str
    language: str
    intent: str
    user: NotRequired[str | None]
    disposition: str
    reason: str | None
    rules: list[str]
    model: str | None
    model_called: bool
    tokens: Tokens
    cost: float
    hits: int
    best_score: float
    best_similarity: float
    best_coverage: float
    searched: list[str]
    sources: list[str]
    cited: list[str]
    warnings: list[str]
    timings: list[StageTiming]
    question_redacted: str | None
    phi: dict[str, Any] | None
    screening: dict[str, Any]
    route: dict[str, Any] | None
    egress: list[Egress]


class FiredRule(TypedDict):
    """A rule that fired, the screen it belongs to, and one of its examples."""

    screen: str
    rule: str
    example: str | None


class SourcesUsed(TypedDict):
    """What was searched, found, given to the model and cited."""

    searched: list[str]
    hits: int
    best: dict[str, float | None]
    given: list[str]
    cited: list[str]


class ModelUsed(TypedDict):
    """The model that wrote, if any."""

    model: str | None
    tokens: Tokens | None
    cost: float | None


class Explanation(TypedDict):
    """Why a turn went the way it did; what an older record lacks is null."""

    turn_id: str
    began_at: Moment
    channel: str
    pack: str
    language: str
    intent: str
    user: str | None
    disposition: str
    reason: str | None
    why: list[str]
    question_redacted: str | None
    phi: dict[str, Any] | None
    rules: list[FiredRule]
    screening: dict[str, Any] | None
    sources: SourcesUsed
    route: dict[str, Any] | None
    egress: list[Egress] | None
    model: ModelUsed
    warnings: list[str]
    timings: list[StageTiming]


class HeldConversation(TypedDict):
    """A conversation as its person reads it; one that has expired is its messages alone."""

    conversation_id: str
    language: NotRequired[str | None]
    pack: NotRequired[str | None]
    last_active: NotRequired[Moment | None]
    preferences: NotRequired[dict[str, Any] | None]
    user: NotRequired[str | None]
    clinical_context: NotRequired[dict[str, Any] | None]
    messages: list[MessageBody]


class Bill(TypedDict):
    """What one turn cost."""

    turn_id: str
    began_at: Moment
    model: str | None
    tokens: Tokens
    cost: float
    channel: str


class Export(TypedDict):
    """Everything that is held about a person, under their pseudonym."""

    subject: str
    exported_at: Moment
    conversations: list[HeldConversation]
    turns: list[TurnRecord]
    billing: list[Bill]
    audit: list[EntryBody]


class Erasure(TypedDict):
    """How many records were erased, by kind, and the audit entry that says so as SEQ:HASH."""

    subject: str
    erased: dict[str, int]
    audit: str
