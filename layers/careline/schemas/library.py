"""Bodies of documents, their jobs, and passages that were held back."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from careline.model import Audience, DocumentState, JobState, LeftOut
from careline.schemas.moments import Day, Moment

Validity = Literal["valid", "expired", "upcoming"]
"""Where a day stands to the first and last day on which a document holds."""


class LeftOutBody(TypedDict):
    """How much of a document nobody is told for one reason: blocks of its text, and the characters in them."""

    reason: LeftOut
    blocks: int
    characters: int


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
    validity: Validity
    created_at: Moment
    activated_at: Moment | None
    pages: int
    chunks: int
    warnings: list[str]
    left_out: list[LeftOutBody]
    origin: str
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
    drug_class: str | None
    indication: str | None
    book_edition: str | None
    chapter: str | None
    last_updated: Day | None
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
    left_out: list[LeftOutBody]


class Unchanged(TypedDict):
    """The same content is live already."""

    unchanged: Literal[True]
    document: DocumentBody


class Begun(TypedDict):
    """A job that was begun."""

    job: JobBody


class PutBody(TypedDict):
    """One part of a file: `PUT` exactly `size` bytes to `url` with these headers; without a host it is of this server.
    """

    number: int
    size: int
    url: str
    headers: dict[str, str]


class UploadOffer(TypedDict):
    """Where a file is put. `job_id` is the job that it will have; `complete` is where to say that all parts were put,
    null where one PUT is all."""

    job_id: str
    expires_at: Moment
    puts: list[PutBody]
    complete: str | None


class UploadTaken(TypedDict):
    """The job that a file has, or will have as soon as the storage tells of it."""

    job_id: str


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


class PassageBody(TypedDict):
    """One passage of a document; with reasons in `held_back` nobody is told it."""

    ordinal: int
    kind: Literal["text", "table"]
    headings: list[str]
    first_page: int
    last_page: int
    text: str
    held_back: list[str]


class LeftOutBlock(TypedDict):
    """Text of a document that nobody is told, and why."""

    reason: LeftOut
    page: int
    text: str


class DocumentPassages(TypedDict):
    """What callers can be told of a version, and what of it is left out; `paged` says whether its pages are those of
    the file."""

    doc_key: str
    version: int
    title: str
    language: str
    state: DocumentState
    validity: Validity
    paged: bool
    passages: list[PassageBody]
    left_out: list[LeftOutBlock]


class Decided(TypedDict):
    """What a person decided about a passage or a part of it; `in_parts` where each part has a decision of its own."""

    decision: Literal["released", "discarded", "in_parts"]
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


class FindingBody(TypedDict):
    """Why a passage is held back, and where the words stand that show it: pairs of places in its text, code points, the
    last one not counted. `beside`: it is about the headings, the document's own facts or the passage as a whole."""

    reason: str
    excerpt: str
    marks: list[list[int]]
    beside: bool


class PartBody(TypedDict):
    """A sentence, line or cell that may be decided about apart; `start` and `end` as in `FindingBody.marks`."""

    part_id: str
    start: int
    end: int
    text: str
    reasons: list[str]
    decided: Decided | None


class HeldText(HeldBody):
    """The same with its whole text. `whole_only` says that deciding about parts is not enough."""

    text: str
    findings: list[FindingBody]
    parts: list[PartBody]
    whole_only: bool


class HeldBack(TypedDict):
    """Passages that were held back."""

    held_back: list[HeldBody]


class DecisionMade(Decided):
    """A decision, the documents it holds for, and its audit entry as SEQ:HASH. `settled` says that it is clear now what
    may be told of the passage; `part_id` names the part it is about, if it is about one."""

    passage_id: str
    documents: list[str]
    corpus_version: int
    audit: str
    settled: bool
    part_id: NotRequired[str]
