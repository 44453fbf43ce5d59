"""The parts every operation of the published description is made of: bodies, parameters, refusals."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from careline import wire
from careline.http import MAX_JSON
from careline.problem import MEDIA_TYPE

SCHEMAS = "#/components/schemas/"
EVERYWHERE = (401, 403, 429, 503)
"""Refusals that any route may give."""


def schema_of(model: type[Any]) -> dict[str, str]:
    """A reference to the schema of a wire model or of a body."""
    return {"$ref": SCHEMAS + model.__name__}


def json_of(schema: dict[str, Any], description: str) -> dict[str, Any]:
    """A response whose body is JSON of this schema."""
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def made_of(body: type[Any], description: str) -> dict[str, Any]:
    """A response whose body is JSON of a wire model or of one of `bodies`."""
    return json_of(schema_of(body), description)


def refusals(*statuses: int) -> dict[str, Any]:
    """Responses with these statuses, and those that any route may give, as problem details."""
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
    content = {MEDIA_TYPE: {"schema": schema_of(wire.Problem)}}
    return {str(status): {"description": meaning[status], "content": content} for status in (*statuses, *EVERYWHERE)}


def parameter(name: str, where: str, schema: dict[str, Any], description: str) -> dict[str, Any]:
    """A parameter; `where` is `path` or `query`."""
    return {"name": name, "in": where, "required": where == "path", "schema": schema, "description": description}


def body_of(model: type[BaseModel]) -> dict[str, Any]:
    """A request body that is JSON of this wire model."""
    described = f"At most {MAX_JSON} bytes."
    return {"required": True, "description": described, "content": {"application/json": {"schema": schema_of(model)}}}


def operation(name: str, summary: str, responses: dict[str, Any], **more: Any) -> dict[str, Any]:
    """One method of one path; `more` are its parameters or its request body."""
    return {"operationId": name, "summary": summary, "responses": responses, **more}
