"""Bodies of health, the login, packs, searches and conversations."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from careline.identity import Role
from careline.model import Audience
from careline.schemas.moments import Moment


class Health(TypedDict):
    """That the process serves. `parts` are those that it loads while it serves: `ok`, `loading`, `loading 37 of 140`
    or `failed: ...`; `degraded` is one that has failed."""

    status: Literal["ok", "loading", "degraded"]
    parts: NotRequired[dict[str, str]]


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


class HospitalName(TypedDict):
    """The hospital's names, by language."""

    name: dict[str, str] | None


class Packs(TypedDict):
    """What can be asked, and what is asked where no pack is named."""

    packs: list[PackBody]
    default_pack: str
    tenant: HospitalName


class SuggestedQuestions(TypedDict):
    """Questions that a first screen offers; the hospital's own documents answer them."""

    questions: list[str]


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
    """One message of a conversation. `disposition` and `reason` are those of an answer; null of a question, and of what
    was kept before they were."""

    role: Literal["user", "assistant"]
    text: str
    at: Moment
    turn_id: str
    disposition: str | None
    reason: str | None


class ConversationNote(TypedDict):
    """A conversation in the list of whoever held it; `first` is its first question that is kept, as it was asked."""

    conversation_id: str
    language: str | None
    pack: str
    last_active: Moment
    first: str | None


class ConversationList(TypedDict):
    """Conversations of whoever asks, the last one first."""

    conversations: list[ConversationNote]


class ConversationBody(TypedDict):
    """A conversation, its messages oldest first."""

    conversation_id: str
    language: str | None
    pack: str
    last_active: Moment
    clinical_context: dict[str, Any] | None
    messages: list[MessageBody]
