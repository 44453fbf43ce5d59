"""Bodies of turns, the audit chain, and what is held about a person."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from careline.schemas.moments import Moment
from careline.schemas.questions import MessageBody
from careline.schemas.wire import StageTiming, Tokens


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
    noted: int | None
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


class BestEvidence(TypedDict):
    """How well the best passage answers: a logit of the reader, or the search's own measure; of the reader also the
    `confidence` that it answers, which decides. `is_unsure`: the answer begins by saying that it may not be one;
    `unsure_below` is the confidence that was wanting then, null where none would have been enough."""

    relevance: float
    confidence: NotRequired[float | None]
    by: Literal["reader", "search", "person"]
    is_unsure: NotRequired[bool]
    unsure_below: NotRequired[float | None]


class CaseUsed(TypedDict):
    """Names of the fields of a patient's case, never what they hold: those that were known, and those that the question
    was searched with."""

    known: list[str]
    searched: list[str]


class CandidateCategory(TypedDict):
    """The category of facts of one of the best passages, and what its similarity was multiplied by."""

    chunk_id: str
    category: str
    multiplier: float


class FoundCategories(TypedDict):
    """The categories of facts that were found: the `row` that the intent was weighed by, the `primary` category, and
    how many of the best passages are of one that counts less; `units` are that of the price that was asked for and of
    those that were found, where they differ."""

    row: str | None
    primary: str
    evaluated: int
    mismatched: int
    mismatch_rate: float
    units: dict[str, str] | None
    candidates: list[CandidateCategory]
    preview: NotRequired[str | None]


class NamedThing(TypedDict):
    """Something that a question named: entries of the directory or terms of medicine that it may be, by id, and whether
    it stood in the `question` or in what was said `before`."""

    kind: str
    ids: list[str]
    origin: Literal["question", "before"]


class Understood(TypedDict):
    """What a question wants, `confidence` 0 to 1, `by` whom it was told, and what it names; `history_turns` questions
    came before it."""

    sub_intent: str
    confidence: float
    by: NotRequired[Literal["classifier", "model"]]
    entities: list[NamedThing]
    is_followup: bool
    history_turns: int
    specialties: list[str]
    expansions: list[str]


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
    understood: NotRequired[Understood]
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
    evidence: NotRequired[BestEvidence | None]
    value: NotRequired[FoundCategories | None]
    searched: list[str]
    sources: list[str]
    directory: NotRequired[dict[str, int] | None]
    cited: list[str]
    disclaimed: NotRequired[bool]
    warnings: list[str]
    first_token_ms: NotRequired[float | None]
    timings: list[StageTiming]
    question_redacted: str | None
    standalone_redacted: NotRequired[str | None]
    phi: dict[str, Any] | None
    case: NotRequired[CaseUsed | None]
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
    evidence: BestEvidence | None
    given: list[str]
    directory: dict[str, int] | None
    """What of the directory a language model was given: entries, and the doctors of a department."""
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
    understood: Understood | None
    user: str | None
    disposition: str
    reason: str | None
    why: list[str]
    question_redacted: str | None
    standalone_redacted: str | None
    """The question as it was read: one that stands by itself."""
    phi: dict[str, Any] | None
    case: CaseUsed | None
    rules: list[FiredRule]
    screening: dict[str, Any] | None
    sources: SourcesUsed
    value: FoundCategories | None
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
    pending: NotRequired[dict[str, Any]]
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
