"""The published description of the HTTP API (OpenAPI 3.1), made from the table of routes and the models it names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema
from typing_extensions import is_typeddict

from careline.directory.directory import Directory
from careline.schemas import answers, directory, library, oversight, proposals, questions, wire
from careline.web.openapi.operations import SCHEMAS, described
from careline.web.operation import COOKIE, CSRF_HEADER
from careline.web.routes import OPERATIONS

VERSION = "0.1.0"
SCHEMES: dict[str, Any] = {
    "token": {"type": "http", "scheme": "bearer", "description": "A token of `careline token new`, or a JWT."},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": f"Made by `POST /login`; every change must carry `csrf` of `/v1/session` as `{CSRF_HEADER}`.",
    },
}
CREDENTIALS: list[dict[str, list[str]]] = [{}, {"token": []}, {"session": []}]
"""Any one of them; none is needed on loopback while nobody must log in."""
PART = "Directory"
"""Before the names of a directory's parts."""
_WITH_BODIES = (answers, directory, library, oversight, proposals, questions)
BODIES: tuple[type[Any], ...] = tuple(
    one for module in _WITH_BODIES for one in vars(module).values() if is_typeddict(one)
)
"""Every body that is no wire model."""


@cache
def document() -> dict[str, Any]:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Careline",
            "version": VERSION,
            "summary": "Answers from a hospital's own documents, screened and cited.",
            "description": "Errors are problem details (RFC 9457) with a trace id. The same id is in `x-trace-id`.",
        },
        "servers": [{"url": "/"}],
        "paths": _paths(),
        "components": {"schemas": _schemas(), "securitySchemes": SCHEMES},
        "security": CREDENTIALS,
    }


def _paths() -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = described(operation)
    return paths


def _models() -> Iterable[type[BaseModel]]:
    """Wire models: those that operations take and give, what a refusal and a stream are made of."""
    named = [
        one
        for operation in OPERATIONS
        for one in (operation.takes, operation.rejected, *(reply.body for reply in operation.replies))
    ]
    found = [one for one in named if isinstance(one, type) and issubclass(one, BaseModel)]
    return dict.fromkeys([*found, wire.Problem, *wire.EVENTS.values()])


def _schemas() -> dict[str, Any]:
    kind: Literal["validation"] = "validation"
    wired = [(one, kind) for one in _models() if one is not Directory]
    _, models = models_json_schema(wired, ref_template=SCHEMAS + "{model}")
    adapters = [(one.__name__, kind, TypeAdapter(one)) for one in BODIES]
    _, others = TypeAdapter.json_schemas(adapters, ref_template=SCHEMAS + "{model}")
    schemas: dict[str, Any] = {**others["$defs"], **models["$defs"], **_directory()}
    return {name: _closed(schema) for name, schema in schemas.items()}


def _directory() -> dict[str, Any]:
    """A hospital's directory, whose parts have names that other bodies have too, such as an address."""
    whole = Directory.model_json_schema(ref_template=SCHEMAS + PART + "{model}")
    return {PART + name: part for name, part in whole.pop("$defs").items()} | {Directory.__name__: whole}


def _closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema, with no other properties than it has."""
    return {**schema, "additionalProperties": False} if "properties" in schema else dict(schema)
