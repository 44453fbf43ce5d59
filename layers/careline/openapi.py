"""The published description of the HTTP API (OpenAPI 3.1), made from the wire models so that the two cannot differ."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from careline import wire
from careline.access.description import CREDENTIALS, SCHEMES, login_paths, with_roles
from careline.http import MAX_JSON
from careline.model import JobState
from careline.problem import MEDIA_TYPE

VERSION = "0.1.0"
_SCHEMAS = "#/components/schemas/"
_MODELS: tuple[type[BaseModel], ...] = (
    wire.QueryRequest,
    wire.SearchRequest,
    wire.Answer,
    wire.Problem,
    wire.Citation,
    *wire.EVENTS.values(),
)
EVERYWHERE = (401, 403, 429, 503)
"""Refusals that any route may give."""
_OPEN: dict[str, Any] = {"type": "object"}


@cache
def document() -> dict[str, Any]:
    """The whole document."""
    _, schemas = models_json_schema([(one, "validation") for one in _MODELS], ref_template=_SCHEMAS + "{model}")
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Careline",
            "version": VERSION,
            "summary": "Answers from a hospital's own documents, screened and cited.",
            "description": "Errors are problem details (RFC 9457) with a trace id. The same id is in `x-trace-id`.",
        },
        "servers": [{"url": "/"}],
        "paths": with_roles({**_questions(), **_turns(), **_kept(), **_oversight(), **login_paths(_refusals)}),
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": SCHEMES,
        },
        "security": CREDENTIALS,
    }


def _kept() -> dict[str, Any]:
    return {**_library(), **_quarantine()}


def _quarantine() -> dict[str, Any]:
    """What was held back of the documents, and the decisions about it."""
    text = {"type": "string"}
    passage = [_parameter("passage_id", "path", text, "16 hexadecimal digits, made of the passage's content.")]
    decided = {"200": _json(_OPEN, "The decision, its documents and its audit entry."), **_refusals(404)}
    everything = _parameter("all", "query", {"enum": ["0", "1"]}, "1 lists those that were decided about too.")
    limit = _parameter("limit", "query", {"type": "integer", "maximum": 1000}, "How many at most.")
    place = "/v1/admin/quarantine"
    return {
        place: {
            "get": _operation(
                "listQuarantine",
                "Passages of live documents that nobody is told until a person has looked.",
                {"200": _json(_OPEN, "Document, page, reasons and excerpt of each."), **_refusals(400)},
                parameters=[everything, limit],
            )
        },
        f"{place}/{{passage_id}}": {
            "get": _operation(
                "showHeldPassage",
                "One passage that was held back, with its whole text.",
                {"200": _json(_OPEN, "The passage."), **_refusals(404)},
                parameters=passage,
            )
        },
        **{
            f"{place}/{{passage_id}}/{verb}": {"post": _operation(name, what, decided, parameters=passage)}
            for verb, name, what in (
                ("release", "releasePassage", "Let callers be told a passage, wherever the same words come again."),
                ("discard", "discardPassage", "Keep a passage from callers for good."),
            )
        },
    }


def _ref(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": _SCHEMAS + model.__name__}


def _json(schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _refusals(*statuses: int) -> dict[str, Any]:
    meaning = {
        400: "The request is malformed; the message names the field.",
        401: "Nobody is logged in, or the token is wrong.",
        403: "Not allowed from there, or to this role.",
        404: "There is no such thing.",
        409: "Its state does not allow that.",
        411: "A length is needed.",
        413: "Too large.",
        415: "Not a kind that is read.",
        422: "The document cannot be taken in.",
        429: "Too many; `retry_after` says when to come back.",
        503: "An engine does not answer; try again later.",
    }
    content = {MEDIA_TYPE: {"schema": _ref(wire.Problem)}}
    return {str(status): {"description": meaning[status], "content": content} for status in (*statuses, *EVERYWHERE)}


def _parameter(name: str, where: str, schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"name": name, "in": where, "required": where == "path", "schema": schema, "description": description}


def _body(model: type[BaseModel]) -> dict[str, Any]:
    described = f"At most {MAX_JSON} bytes."
    return {"required": True, "description": described, "content": {"application/json": {"schema": _ref(model)}}}


def _operation(name: str, summary: str, responses: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"operationId": name, "summary": summary, "responses": responses, **more}


def _questions() -> dict[str, Any]:
    events = "Events " + ", ".join(wire.EVENTS) + ": one `event:` and one `data:` line each, JSON as in the schemas."
    answered = _json(_ref(wire.Answer), "The answer.")
    answered["content"]["text/event-stream"] = {"schema": {"type": "string", "description": events}}
    conversation = [_parameter("conversation_id", "path", {"type": "string"}, "The conversation.")]
    health = {"type": "object", "required": ["status"], "properties": {"status": {"const": "ok"}}}
    return {
        "/v1/query": {
            "post": _operation(
                "query",
                "Ask a question; `Accept: text/event-stream` streams the answer.",
                {"200": answered, **_refusals(400, 413)},
                requestBody=_body(wire.QueryRequest),
            )
        },
        "/v1/conversations/{conversation_id}": {
            "get": _operation(
                "showConversation",
                "The messages of a conversation.",
                {"200": _json(_OPEN, "The conversation."), **_refusals(404)},
                parameters=conversation,
            ),
            "delete": _operation(
                "forgetConversation",
                "Delete a conversation and its messages.",
                {"204": {"description": "Deleted."}, **_refusals(404)},
                parameters=conversation,
            ),
        },
        "/v1/search": {
            "post": _operation(
                "search",
                "Find passages without an answer.",
                {"200": _json(_OPEN, "Hits, best first."), **_refusals(400, 413)},
                requestBody=_body(wire.SearchRequest),
            )
        },
        "/v1/packs": {
            "get": _operation(
                "listPacks", "The packs that can be asked.", {"200": _json(_OPEN, "Packs."), **_refusals()}
            )
        },
        "/health": {
            "get": _operation(
                "health", "Whether the process serves.", {"200": _json(health, "It does."), **_refusals()}
            )
        },
        "/openapi.json": {
            "get": _operation("describe", "This document.", {"200": _json(_OPEN, "OpenAPI 3.1."), **_refusals()})
        },
    }


def _turns() -> dict[str, Any]:
    turn = [_parameter("turn_id", "path", {"type": "string"}, "The turn; `Answer.id`.")]
    return {
        "/v1/turns/{turn_id}": {
            "get": _operation(
                "showTurn",
                "The record of a turn: stages, hits, model, cost, the question without its personal data.",
                {"200": _json(_OPEN, "The record."), **_refusals(404)},
                parameters=turn,
            )
        },
        "/v1/turns/{turn_id}/explanation": {
            "get": _operation(
                "explainTurn",
                "Why a turn went the way it did: what was seen, which rules fired, what left for whom.",
                {"200": _json(_OPEN, "The explanation."), **_refusals(404)},
                parameters=turn,
            )
        },
    }


def _oversight() -> dict[str, Any]:
    text = {"type": "string"}
    head = _parameter("head", "query", text, "`SEQ:HASH` that was noted earlier and must be part of the chain.")
    about = "A user id, a caller number, or `pseudonym:` and 16 digits, which tells an access log nothing."
    subject = [_parameter("subject", "path", text, about)]
    return {
        "/v1/admin/audit/verification": {
            "get": _operation(
                "verifyAudit",
                "Read the whole audit chain; the first entry that does not fit is named.",
                {"200": _json(_OPEN, "The verdict, also when it is a bad one."), **_refusals(400)},
                parameters=[head],
            )
        },
        "/v1/admin/subjects/{subject}": {
            "get": _operation(
                "exportSubject",
                "Everything that is held about a person.",
                {"200": _json(_OPEN, "Conversations, turns, billing and audit entries."), **_refusals(400)},
                parameters=subject,
            ),
            "delete": _operation(
                "eraseSubject",
                "Delete a person's conversations and turn records for good.",
                {"200": _json(_OPEN, "How many, and the audit entry that says so."), **_refusals(400)},
                parameters=subject,
            ),
        },
    }


def _library() -> dict[str, Any]:
    return {**_documents(), **_one_document(), **_jobs()}


def _documents() -> dict[str, Any]:
    text = {"type": "string"}
    form = {
        "type": "object",
        "required": ["file"],
        "properties": {
            "file": {"type": "string", "contentMediaType": "application/octet-stream"},
            "doc_key": text,
            "title": text,
            "source_type": text,
            "language": text,
            "audience": {"enum": ["public", "clinician"]},
        },
    }
    return {
        "/v1/documents": {
            "get": _operation(
                "listDocuments",
                "Documents in order of their key.",
                {"200": _json(_OPEN, "A page."), **_refusals(400)},
                parameters=[
                    _parameter("limit", "query", {"type": "integer", "minimum": 1, "maximum": 1000}, "Size of a page."),
                    _parameter("after", "query", text, "`next` of the page before."),
                ],
            ),
            "post": _operation(
                "uploadDocument",
                "Take a file in; its indexing job is in the answer.",
                {
                    "200": _json(_OPEN, "The same content is live already."),
                    "202": _json(_OPEN, "The job."),
                    **_refusals(400, 409, 413, 415, 422),
                },
                requestBody={"required": True, "content": {"multipart/form-data": {"schema": form}}},
            ),
        },
    }


def _one_document() -> dict[str, Any]:
    key = _parameter("doc_key", "path", {"type": "string"}, "`{source_type}-{identifier}`")
    version = _parameter(
        "version", "query", {"type": "integer", "minimum": 1, "maximum": 999_999}, "The live one when absent."
    )
    return {
        "/v1/documents/{doc_key}": {
            "get": _operation(
                "showDocument",
                "Every version of a document.",
                {"200": _json(_OPEN, "Versions, oldest first."), **_refusals(404)},
                parameters=[key],
            ),
            "delete": _operation(
                "deleteDocument",
                "Take a document out of the answers.",
                {"204": {"description": "Deleted."}, **_refusals(404, 409)},
                parameters=[key],
            ),
        },
        "/v1/documents/{doc_key}/text": {
            "get": _operation(
                "readDocument",
                "The text of a version, page by page.",
                {"200": _json(_OPEN, "Pages of blocks."), **_refusals(400, 404)},
                parameters=[key, version],
            )
        },
        "/v1/documents/{doc_key}/original": {
            "get": _operation(
                "downloadDocument",
                "The file as it came in.",
                {
                    "200": {"description": "The file.", "content": {"application/octet-stream": {}}},
                    **_refusals(400, 404),
                },
                parameters=[key, version],
            )
        },
    }


def _jobs() -> dict[str, Any]:
    job = _parameter("job_id", "path", {"type": "string"}, "The job.")
    states = {"type": "string", "enum": [state.value for state in JobState]}
    return {
        "/v1/jobs": {
            "get": _operation(
                "listJobs",
                "Jobs, newest first.",
                {"200": _json(_OPEN, "Jobs."), **_refusals(400)},
                parameters=[
                    _parameter("state", "query", states, "Only jobs in this state."),
                    _parameter("limit", "query", {"type": "integer", "minimum": 1, "maximum": 1000}, "How many."),
                ],
            )
        },
        "/v1/jobs/{job_id}": {
            "get": _operation(
                "showJob", "One job.", {"200": _json(_OPEN, "The job."), **_refusals(404)}, parameters=[job]
            )
        },
        "/v1/jobs/{job_id}/retry": {
            "post": _operation(
                "retryJob",
                "Run a failed job again.",
                {"202": _json(_OPEN, "The job."), **_refusals(404, 409)},
                parameters=[job],
            )
        },
    }
