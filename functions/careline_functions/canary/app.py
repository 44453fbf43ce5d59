"""Asks known questions over the streaming URL and looks at what a caller would see: words in time, and their source.

The questions are speculative and dropped once they are answered: nothing is kept of them, so that a canary is in no
conversation, bill, audit chain or metric of callers.
"""

from __future__ import annotations

import secrets
import time
from contextlib import closing
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from careline.errors import BadRequest
from careline.log import context
from careline.log.event_log import EventLog
from careline.runtime.lambda_handler import observed
from careline.schemas import wire
from careline.settings import AwsSettings, OrchestratorSettings
from careline.telemetry import metrics
from careline_functions.canary.signed_stream import SignedStream, StreamFailed

FIRST_TOKEN_SECONDS = 10.0
"""The longest that the first words may take: a process that starts anew and a search that was busy are in it."""
log = EventLog("careline.canary")


class KnownQuestion(BaseModel):
    """A question whose answer is known; `document` is the key of the one that holds it, where that is known too."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    language: wire.LanguageCode
    text: Annotated[str, Field(min_length=1, max_length=wire.MAX_QUESTION)]
    document: str | None = None


class Round(BaseModel):
    """What the schedule sends: `schedule_canary.json`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    questions: Annotated[list[KnownQuestion], Field(min_length=1, max_length=20)]


Fault = Literal["refused", "unreachable", "no_words", "late", "no_source", "other_source", "not_dropped"]


@dataclass(frozen=True, slots=True)
class Seen:
    """What came back for a question; `fault` is what is wrong with it. Times are seconds after the request."""

    fault: Fault | None
    first_token: float | None = None
    citations: int = 0


@observed("canary")
def handler(event: dict[str, Any], invocation: object) -> dict[str, Any]:
    """A round of questions in; out how many of them went wrong. Raises: BadRequest, SettingsInvalid."""
    asked = _read(event)
    aws, orchestrator = AwsSettings.load(), OrchestratorSettings.load()
    stream = SignedStream(orchestrator.url, aws.aws_region)
    failed = sum(_asked(question, stream, aws.stage) is not None for question in asked.questions)
    return {"asked": len(asked.questions), "failed": failed}


def _read(event: dict[str, Any]) -> Round:
    try:
        return Round.model_validate(event)
    except ValidationError as error:
        places = (".".join(map(str, one["loc"])) for one in error.errors(include_url=False, include_input=False))
        raise BadRequest(f"the event is no round of questions: {', '.join(dict.fromkeys(places))}") from None


def _asked(question: KnownQuestion, stream: SignedStream, stage: str) -> Fault | None:
    """Ask one, write down what was seen, and say what was wrong."""
    trace = secrets.token_hex(16)
    with context.bound(trace=trace):
        seen = ask(question, stream, trace)
        figures = {"canary_runs": 1.0, "canary_failures": float(seen.fault is not None)}
        if seen.first_token is not None:
            figures["canary_first_token_ms"] = round(seen.first_token * 1000, 1)
            log.write("canary_asked", language=question.language, ms=figures["canary_first_token_ms"])
        if seen.fault is not None:
            log.write("canary_failed", language=question.language, reason=seen.fault, citations=seen.citations)
        metrics.write(figures, {"stage": stage}, {"trace_id": trace, "language": question.language})
    return seen.fault


def ask(question: KnownQuestion, stream: SignedStream, trace: str) -> Seen:
    """What a caller would see of the answer. Faults of the way there are told, not raised."""
    asked = wire.QueryRequest(text=question.text, language=question.language, speculative=True)
    first_token: float | None = None
    turn_id, documents, began = "", list[str](), time.monotonic()
    try:
        with closing(stream.events("/v1/query", asked, trace)) as events:
            for event in events:
                match event:
                    case wire.Meta():
                        turn_id = event.turn_id
                    case wire.Token() if first_token is None:
                        first_token = time.monotonic() - began
                        # Not sooner: it may start a process of its own, and nobody is to wait for that.
                        stream.send(f"/v1/turns/{turn_id}/decision", wire.Decision(commit=False), trace)
                    case wire.Cited():
                        documents.append(event.citation.doc_key)
                    case wire.Done():
                        return Seen("not_dropped", first_token, len(documents))
                    case wire.Failed():
                        return Seen("refused", first_token, len(documents))
    except StreamFailed as error:
        log.write("canary_unreachable", status=error.answered)
        return Seen("unreachable", first_token, len(documents))
    return Seen(_fault(question, first_token, documents), first_token, len(documents))


def _fault(question: KnownQuestion, first_token: float | None, documents: list[str]) -> Fault | None:
    if first_token is None:
        return "no_words"
    if first_token > FIRST_TOKEN_SECONDS:
        return "late"
    if not documents:
        return "no_source"
    return "other_source" if question.document not in (None, *documents) else None
