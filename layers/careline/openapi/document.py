"""The published description of the HTTP API (OpenAPI 3.1), made from the wire models so that the two cannot differ."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema

from careline import bodies, wire
from careline.access.description import CREDENTIALS, SCHEMES, login_paths, with_roles
from careline.openapi.library_paths import library_paths
from careline.openapi.operations import (
    SCHEMAS,
    body_of,
    json_of,
    made_of,
    operation,
    parameter,
    refusals,
    schema_of,
)
from careline.speech.line import PhoneLine

VERSION = "0.1.0"
_OPENAPI: dict[str, Any] = {"type": "object", "required": ["openapi", "info", "paths"]}
"""Its own schema is the OpenAPI Initiative's."""
_MODELS: tuple[type[BaseModel], ...] = (
    wire.QueryRequest,
    wire.SearchRequest,
    wire.Answer,
    wire.Problem,
    wire.Citation,
    wire.Decision,
    PhoneLine,
    *wire.EVENTS.values(),
)


BODIES: tuple[type[Any], ...] = tuple(getattr(bodies, name) for name in bodies.__all__)
"""Every body that is no wire model."""


@cache
def document() -> dict[str, Any]:
    """The whole document."""
    _, schemas = models_json_schema([(one, "validation") for one in _MODELS], ref_template=SCHEMAS + "{model}")
    kind: Literal["validation"] = "validation"
    adapters = [(one.__name__, kind, TypeAdapter(one)) for one in BODIES]
    _, others = TypeAdapter.json_schemas(adapters, ref_template=SCHEMAS + "{model}")
    described = {**others["$defs"], **schemas["$defs"]}
    for schema in described.values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Careline",
            "version": VERSION,
            "summary": "Answers from a hospital's own documents, screened and cited.",
            "description": "Errors are problem details (RFC 9457) with a trace id. The same id is in `x-trace-id`.",
        },
        "servers": [{"url": "/"}],
        "paths": with_roles(
            {**_questions(), **_about(), **_turns(), **library_paths(), **_oversight(), **login_paths(refusals)}
        ),
        "components": {
            "schemas": described,
            "securitySchemes": SCHEMES,
        },
        "security": CREDENTIALS,
    }


def _questions() -> dict[str, Any]:
    events = "Events " + ", ".join(wire.EVENTS) + ": one `event:` and one `data:` line each, JSON as in the schemas."
    answered = json_of(schema_of(wire.Answer), "The answer.")
    answered["content"]["text/event-stream"] = {"schema": {"type": "string", "description": events}}
    conversation = [parameter("conversation_id", "path", {"type": "string"}, "The conversation.")]
    return {
        "/v1/query": {
            "post": operation(
                "query",
                "Ask a question; `Accept: text/event-stream` streams the answer.",
                {"200": answered, **refusals(400, 413)},
                requestBody=body_of(wire.QueryRequest),
            )
        },
        "/v1/conversations/{conversation_id}": {
            "get": operation(
                "showConversation",
                "The messages of a conversation.",
                {"200": made_of(bodies.ConversationBody, "The conversation."), **refusals(404)},
                parameters=conversation,
            ),
            "delete": operation(
                "forgetConversation",
                "Delete a conversation and its messages.",
                {"204": {"description": "Deleted."}, **refusals(404)},
                parameters=conversation,
            ),
        },
        "/v1/search": {
            "post": operation(
                "search",
                "Find passages without an answer.",
                {"200": made_of(bodies.SearchResult, "Hits, best first."), **refusals(400, 413)},
                requestBody=body_of(wire.SearchRequest),
            )
        },
        "/v1/line": {
            "get": operation(
                "showLine",
                "What a phone line says of itself: openings, prompts, numbers.",
                {"200": json_of(schema_of(PhoneLine), "The line."), **refusals(400)},
                parameters=[parameter("pack", "query", {"type": "string"}, "The line's pack; the default one's.")],
            )
        },
    }


def _about() -> dict[str, Any]:
    """What can be asked, on which line, and whether anybody answers."""
    return {
        "/v1/packs": {
            "get": operation(
                "listPacks",
                "The packs that can be asked.",
                {"200": made_of(bodies.Packs, "Packs."), **refusals()},
            )
        },
        "/health": {
            "get": operation(
                "health",
                "Whether the process serves.",
                {"200": made_of(bodies.Health, "It does."), **refusals()},
            )
        },
        "/openapi.json": {
            "get": operation("describe", "This document.", {"200": json_of(_OPENAPI, "OpenAPI 3.1."), **refusals()})
        },
    }


def _turns() -> dict[str, Any]:
    turn = [parameter("turn_id", "path", {"type": "string"}, "The turn; `Answer.id`.")]
    return {
        "/v1/turns/{turn_id}": {
            "get": operation(
                "showTurn",
                "The record of a turn: stages, hits, model, cost, the question without its personal data.",
                {"200": made_of(bodies.TurnRecord, "The record."), **refusals(404)},
                parameters=turn,
            )
        },
        "/v1/turns/{turn_id}/decision": {
            "post": operation(
                "decideTurn",
                "Commit or drop a speculative turn; nothing is kept of a dropped one.",
                {"204": {"description": "Decided; what was decided first holds."}, **refusals(400, 404)},
                parameters=turn,
                requestBody=body_of(wire.Decision),
            )
        },
        "/v1/turns/{turn_id}/explanation": {
            "get": operation(
                "explainTurn",
                "Why a turn went the way it did: what was seen, which rules fired, what left for whom.",
                {"200": made_of(bodies.Explanation, "The explanation."), **refusals(404)},
                parameters=turn,
            )
        },
    }


def _oversight() -> dict[str, Any]:
    text = {"type": "string"}
    head = parameter("head", "query", text, "`SEQ:HASH` that was noted earlier and must be part of the chain.")
    about = "A user id, a caller number, or `pseudonym:` and 16 digits, which tells an access log nothing."
    subject = [parameter("subject", "path", text, about)]
    return {
        "/v1/admin/audit/verification": {
            "get": operation(
                "verifyAudit",
                "Read the whole audit chain; the first entry that does not fit is named.",
                {
                    "200": made_of(bodies.VerdictBody, "The verdict, also when it is a bad one."),
                    **refusals(400),
                },
                parameters=[head],
            )
        },
        "/v1/admin/subjects/{subject}": {
            "get": operation(
                "exportSubject",
                "Everything that is held about a person.",
                {
                    "200": made_of(bodies.Export, "Conversations, turns, billing and audit entries."),
                    **refusals(400),
                },
                parameters=subject,
            ),
            "delete": operation(
                "eraseSubject",
                "Delete a person's conversations and turn records for good.",
                {
                    "200": made_of(bodies.Erasure, "How many, and the audit entry that says so."),
                    **refusals(400),
                },
                parameters=subject,
            ),
        },
    }
