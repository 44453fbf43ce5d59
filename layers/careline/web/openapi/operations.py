"""One operation of the table as the published description has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from careline.schemas import wire
from careline.schemas.problem import MEDIA_TYPE
from careline.web.http import MAX_JSON
from careline.web.operation import EVENT_STREAM, JSON, Operation, Parameter, Reply, Schema
from careline.web.routes import PATH_PARAMETERS

SCHEMAS = "#/components/schemas/"
REJECTED = 422
EVERYWHERE = (401, 403, 429, 503)
OF_KEYS = (400, 409)
"""How an `Idempotency-Key` is refused: one that was used for something else, or whose change is under way."""
"""Refusals that any route may give."""
_MEANING: Mapping[int, str] = {
    400: "The request is malformed; the message names the field.",
    401: "Nobody is logged in, or the token is wrong.",
    403: "Not allowed from there, or to this role.",
    404: "There is no such thing.",
    409: "Its state does not allow that.",
    411: "A length is needed.",
    413: "Too large.",
    415: "Not a kind that is read.",
    412: "It is not as the condition says: somebody else changed it.",
    422: "It cannot be taken in.",
    428: "`If-Match` must say which one was changed.",
    429: "Too many; `retry_after` says when to come back.",
    503: "An engine does not answer; try again later.",
}


_IDEMPOTENCY_KEY: dict[str, Any] = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    "description": "One for each change, such as a UUID. Sent again within a day, the change is not made again; its "
    "answer is the first one, with `Idempotency-Replayed: true`.",
}


def described(operation: Operation) -> dict[str, Any]:
    """The operation with its parameters, body, responses and least role (`x-least-role`)."""
    is_change = operation.counted == "change"
    once = [_IDEMPOTENCY_KEY] if is_change else []
    refusals = (*operation.refusals, *(OF_KEYS if is_change else ()), *EVERYWHERE)
    parameters = [*map(_in_path, operation.names_in_path), *map(_in_query, operation.query), *once]
    return {
        "operationId": operation.name,
        "summary": operation.summary,
        **({"parameters": parameters} if parameters else {}),
        **({"requestBody": _body(operation.takes, operation.sent_as)} if operation.takes is not None else {}),
        "responses": {
            **{str(one.status): _response(one, operation.streams) for one in operation.replies},
            **{str(status): _refusal(status, operation) for status in refusals},
        },
        **({"x-least-role": operation.least.value} if operation.least is not None else {"security": []}),
    }


def _schema(schema: Schema) -> dict[str, Any]:
    """A reference to the schema of a model or body, or the schema itself where it is nobody's."""
    return {"$ref": SCHEMAS + schema.__name__} if isinstance(schema, type) else dict(schema)


def _in_path(name: str) -> dict[str, Any]:
    text = {"type": "string"}
    return {"name": name, "in": "path", "required": True, "schema": text, "description": PATH_PARAMETERS[name]}


def _in_query(one: Parameter) -> dict[str, Any]:
    schema, description = dict(one.schema), one.description
    return {"name": one.name, "in": "query", "required": False, "schema": schema, "description": description}


def _body(schema: Schema, sent_as: tuple[str, ...]) -> dict[str, Any]:
    content = {media_type: {"schema": _schema(schema)} for media_type in sent_as}
    size = {"description": f"At most {MAX_JSON} bytes."} if sent_as == (JSON,) else {}
    return {"required": True, **size, "content": content}


def _response(reply: Reply, streams: bool) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if reply.body is not None:
        content[reply.media_type] = {"schema": _schema(reply.body)}
    elif reply.media_type != JSON:
        content[reply.media_type] = {}
    content |= {media_type: {} for media_type in reply.others}
    if streams:
        events = ", ".join(wire.EVENTS)
        told = f"Events {events}: one `event:` and one `data:` line each, JSON as in the schemas."
        content[EVENT_STREAM] = {"schema": {"type": "string", "description": told}}
    return {"description": reply.description, **({"content": content} if content else {})}


def _refusal(status: int, operation: Operation) -> dict[str, Any]:
    more = operation.rejected if status == REJECTED else None
    content = {MEDIA_TYPE: {"schema": _schema(more or wire.Problem)}}
    return {"description": _MEANING[status], "content": content}
