"""What goes over the wire: requests, answers, server-sent events and problem details, for every client alike.

A client reads `event:` lines named after the classes below and JSON `data:`; `to_sse` and `read_events` are the two
sides of the same bytes. Text in a `token` or an `answer` is screened text; nothing else is ever sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from careline.errors import BadRequest, TooLarge
from careline.identity import MAX_TOKEN
from careline.screened import ScreenedText

MAX_QUESTION = 4000
"""Characters of a question; longer ones are refused with 413."""

Identifier = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$")]
LanguageCode = Literal["nl", "en", "fr", "it"]
_SAID_PLAINLY = {
    "String should have at least 1 character": "must hold at least one visible character",
    "Extra inputs are not permitted": "no such field",
    "Field required": "is missing",
}
_FIELD = re.compile(r"[a-z0-9_]{1,40}")
_Short = Annotated[str, StringConstraints(max_length=200)]
_Model = TypeVar("_Model", bound=BaseModel)


class Strict(BaseModel):
    """No unknown fields, no changes after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ClinicalContext(Strict):
    """What a clinician says about the patient of this conversation; kept with the conversation as its case, in place of
    what was said before. `egfr` is in mL/min/1.73 m²."""

    age: int | None = Field(default=None, ge=0, le=130)
    sex: Literal["female", "male", "other"] | None = None
    weight_kg: float | None = Field(default=None, ge=0.3, le=500, allow_inf_nan=False)
    egfr: float | None = Field(default=None, ge=0, le=250, allow_inf_nan=False)
    creatinine_umol_l: float | None = Field(default=None, ge=5, le=5000, allow_inf_nan=False)
    pregnant: bool | None = None
    chief_complaint: str | None = Field(default=None, max_length=500)
    history: list[_Short] = Field(default_factory=list, max_length=50)
    medications: list[_Short] = Field(default_factory=list, max_length=50)
    allergies: list[_Short] = Field(default_factory=list, max_length=50)


class Preferences(Strict):
    """How the user wants answers to look; kept with the conversation."""

    citation_style: Literal["inline", "footnote", "sidebar"] = "inline"
    citation_format: Literal["AMA", "APA", "Vancouver"] = "Vancouver"


class QueryRequest(Strict):
    """One user message. `history` holds earlier user messages of a conversation that the client keeps itself."""

    text: str = Field(min_length=1, max_length=MAX_QUESTION)
    conversation_id: Identifier | None = None
    tenant: Identifier | None = None
    user: Identifier | None = None
    channel: Literal["chat", "voice"] = "chat"
    pack: Identifier | None = None
    language: LanguageCode | None = None
    clinical_context: ClinicalContext | None = None
    preferences: Preferences | None = None
    history: list[Annotated[str, StringConstraints(max_length=MAX_QUESTION)]] = Field(
        default_factory=list, max_length=10
    )

    not_phi: list[_Short] = Field(default_factory=list, max_length=20)
    """Stretches of `text` that the user says are no personal data although they were taken for it; this is audited."""

    choice: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,80}$")] | None = None
    """The `id` of a choice of the last answer, which asked back: it is taken, and `text` says it in words. One of
    another answer takes none, and `text` is a question."""

    speculative: bool = False
    """Asked before it is certain that this is what the user says: nothing is kept of the turn, and `done` is not sent,
    until a `Decision` on its id commits it."""

    @field_validator("text")
    @classmethod
    def _says_something(cls, text: str) -> str:
        cleaned = "".join(map(_visible, text)).strip()
        if not cleaned:
            raise ValueError("must hold at least one visible character")
        return cleaned


def _visible(character: str) -> str:
    if character.isprintable() or character in "\n\t":
        return character
    return " " if character.isspace() else ""


class Decision(Strict):
    """Whether a speculative turn is wanted."""

    commit: bool


class Login(Strict):
    """Who logs in shows a token."""

    token: str = Field(min_length=1, max_length=MAX_TOKEN)


class UploadRequest(Strict):
    """A file that will be put straight into the storage: its name, its exact size in bytes, and what is said of it.
    `facts` are those of a document, by name."""

    file_name: str = Field(min_length=1, max_length=500)
    size: int = Field(ge=1, le=1 << 40)
    media_type: str = Field(
        default="application/octet-stream", max_length=120, pattern=r"^[A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+$"
    )
    doc_key: str | None = Field(default=None, max_length=200)
    facts: dict[str, str | int | list[str] | None] = Field(default_factory=dict, max_length=40)


class UploadParts(Strict):
    """That every part of a file was put: the `ETag` that each PUT was answered with, in the order of the parts."""

    etags: list[_Short] = Field(min_length=1, max_length=100)


class SearchRequest(Strict):
    """A search without an answer. `filters` maps a field of a document to the values allowed, of numbers and days also
    ranges (`2020..`); hits of a score below `min_score` are left out."""

    text: str = Field(min_length=1, max_length=MAX_QUESTION)
    tenant: Identifier | None = None
    language: LanguageCode | None = None
    limit: int = Field(default=10, ge=1, le=100)
    filters: dict[str, list[str | int]] = Field(default_factory=dict, max_length=20)
    min_score: float = Field(default=0.0, ge=0.0, le=1.0)


class CuratedNote(Strict):
    """That a source is no page but a person's answer: whose it is, when it was written (`YYYY-MM-DD`), and what it
    names as its own sources."""

    owner: str | None = None
    written_on: str | None = None
    sources: list[str] = Field(default_factory=list)


class Citation(Strict):
    """Where a numbered statement of the answer stands. `source` is the file's name as it was ingested, `source_id` its
    content's; `subtitle` is the part of the work (edition, chapter), `location` the place in it."""

    number: int
    doc_key: str
    version: int
    title: str
    source: str
    source_type: str
    language: str
    source_id: str | None = None
    subtitle: str | None = None
    location: str | None = None
    section: str | None = None
    page: int | None = None
    last_page: int | None = None
    url: str | None = None
    doi: str | None = None
    pmid: str | None = None
    chunk_id: str
    excerpt: str
    score: float
    reference: str
    curated: CuratedNote | None = None
    """Null of a document's page."""


class Notice(Strict):
    """Something the reader should know about how the answer came to be."""

    code: str
    message: str


class Tokens(Strict):
    """Tokens a language model read, wrote and took from its cache; estimated where its provider did not say."""

    input: int = 0
    output: int = 0
    cached: int = 0
    estimated: bool = False


class StageTiming(Strict):
    """How long one stage of the turn took, in milliseconds."""

    stage: str
    ms: float


class PhiSpan(Strict):
    """Personal data in the question: code points `start` to `end` (exclusive), and its kind."""

    start: int
    end: int
    type: str


class Choice(Strict):
    """Something that may be meant, of an answer that asks back: a request with its `id` as `choice`, or with its words,
    its place or the number of that as `text`, takes it."""

    id: str
    text: ScreenedText


class Answer(Strict):
    """The whole answer. `text` is shaped for the channel; `spoken` is the same answer as the phone would say it."""

    id: str
    trace_id: str
    conversation_id: str
    text: ScreenedText
    spoken: ScreenedText
    language: str
    disposition: Literal["answered", "clarified", "refused", "escalated", "farewelled", "failed"]
    reason: str | None = None
    emergency_number: str | None = None
    """Number to call now, of an answer to an emergency; None of any other."""
    intent: str
    pack: str
    channel: Literal["chat", "voice"]
    citations: list[Citation] = Field(default_factory=list)
    warnings: list[Notice] = Field(default_factory=list)
    choices: list[Choice] = Field(default_factory=list)
    model: str | None = None
    tokens: Tokens = Tokens()
    cost: float = 0.0
    phi: bool | None = None
    """Whether the question or the conversation holds personal data; None when nobody looked."""
    phi_found: list[PhiSpan] = Field(default_factory=list)
    sources_searched: list[str] = Field(default_factory=list)
    timings: list[StageTiming] = Field(default_factory=list)


class Problem(Strict):
    """RFC 9457 problem details with Careline's own members; content type `application/problem+json`."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    error: str
    error_code: str
    message: str
    retry_after: int | None = None
    fallback_response: str | None = None
    trace_id: str
    timestamp: datetime
    component: str


_LINE_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
"""Characters that JSON leaves as they are and that some readers of lines break at."""


class Event(Strict):
    """One server-sent event; `name` is its `event:` line."""

    name: ClassVar[str]

    def to_sse(self) -> bytes:
        """The event's bytes, ending in a blank line."""
        return f"event: {self.name}\ndata: {self.model_dump_json().translate(_LINE_ENDS)}\n\n".encode()


class Meta(Event):
    """First event of a turn."""

    name: ClassVar[str] = "meta"
    turn_id: str
    trace_id: str
    conversation_id: str
    pack: str
    channel: Literal["chat", "voice"]


class Stage(Event):
    """A stage has finished; `ms` is how long it took."""

    name: ClassVar[str] = "stage"
    stage: str
    ms: float


class Token(Event):
    """Screened text; the tokens of a turn joined are `Answer.text`."""

    name: ClassVar[str] = "token"
    text: ScreenedText


class Cited(Event):
    """A citation whose marker stands in the text sent so far."""

    name: ClassVar[str] = "citation"
    citation: Citation


class Warned(Event):
    """Something the reader should know, as it becomes known."""

    name: ClassVar[str] = "warning"
    code: str
    message: str


class Done(Event):
    """Last event of a turn that ended; the turn's record is durable when it is sent."""

    name: ClassVar[str] = "done"
    answer: Answer


class Dropped(Event):
    """Last event of a speculative turn that was not committed; nothing is kept of it."""

    name: ClassVar[str] = "dropped"


class Failed(Event):
    """Last event of a turn that could not end; `problem` is what JSON clients get as a problem document."""

    name: ClassVar[str] = "error"
    problem: Problem


_KINDS: tuple[type[Event], ...] = (Meta, Stage, Token, Cited, Warned, Done, Dropped, Failed)
EVENTS: dict[str, type[Event]] = {kind.name: kind for kind in _KINDS}


def read_body(kind: type[_Model], body: bytes) -> _Model:
    """Parse a JSON request body.

    Raises: TooLarge for a text over its length, BadRequest naming each wrong field. Values are never repeated.
    """
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False, include_input=False)
        said = "; ".join(f"{_place(p['loc'])}: {_plain(p['msg'])}" for p in problems[:5])
        too_long = any(p["type"] in {"string_too_long", "too_long"} for p in problems)
        raise (TooLarge if too_long else BadRequest)(said) from None


def _place(loc: tuple[int | str, ...]) -> str:
    """Which field it is; one that looks like no field's name is not repeated."""
    return ".".join(str(part) if _FIELD.fullmatch(str(part)) else "?" for part in loc) or "body"


def _plain(message: str) -> str:
    """The validator's message in plain words; JSON syntax errors quote the input, which must not be repeated."""
    if message.startswith("Invalid JSON"):
        return "not valid JSON"
    return _SAID_PLAINLY.get(message) or message.removeprefix("Value error, ")


def read_events(lines: Iterable[str]) -> Iterator[Event]:
    """Read server-sent events from text lines, as `to_sse` wrote them; unknown events are passed over."""
    name, data = "", []
    for raw in lines:
        line = raw.rstrip("\r\n")
        if line.startswith("event:"):
            name = line[6:].strip()
        elif line.startswith("data:"):
            data.append(line[5:].lstrip())
        elif not line and data:
            if name in EVENTS:
                yield EVENTS[name].model_validate_json("\n".join(data))
            name, data = "", []


def to_json(value: BaseModel | dict[str, Any]) -> str:
    """JSON with accents as they are, for files and terminals."""
    plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    return json.dumps(plain, ensure_ascii=False)
