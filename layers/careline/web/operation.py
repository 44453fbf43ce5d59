"""One operation of the HTTP API: a method of a path, who may use it, what it takes and what it answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from careline.identity import Role

JSON = "application/json"
EVENT_STREAM = "text/event-stream"
URL_ENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
OCTETS = "application/octet-stream"
COOKIE = "careline_session"
"""Holds the id of a session of the console."""
CSRF_HEADER = "x-csrf-token"
"""Carries, with every change that the cookie stands for, what only our own page knows."""
NOBODY: Final = None
"""Nobody needs to be known: what is behind the route holds nothing of a hospital or a person."""

Server = Literal["orchestrator", "admin", "local"]
"""What serves an operation: one of the two web functions, or `careline up` alone, which serves theirs as well."""
Counted = Literal["question", "change"]
"""The limit that an operation counts towards: questions, or changes, so many a minute."""
Schema = type[Any] | Mapping[str, Any]
"""A wire model, a body of `careline.schemas`, or a JSON schema that is nobody's model."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of an operation that is no refusal."""

    status: int
    description: str
    body: Schema | None = None
    media_type: str = JSON
    others: tuple[str, ...] = ()
    """Media types of files that it is given as where the request asks for them."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the query, which may be left out."""

    name: str
    schema: Mapping[str, Any]
    description: str


@dataclass(frozen=True, slots=True)
class Operation:
    """A method of a path. `name` is its `operationId`, and the name its handler is bound to."""

    name: str
    method: str
    path: str
    """As it is written, with `{names}` of its parameters."""
    server: Server
    least: Role | None
    """The least role that may use it; `NOBODY` where nobody needs to be known."""
    summary: str
    replies: tuple[Reply, ...]
    refusals: tuple[int, ...] = ()
    """Statuses of its own refusals, beside those that any operation may give."""
    takes: Schema | None = None
    sent_as: tuple[str, ...] = (JSON,)
    """Media types of what it takes."""
    query: tuple[Parameter, ...] = ()
    streams: bool = False
    """Whether it answers as server-sent events where the request asks for them."""
    counted: Counted | None = None
    rejected: Schema | None = None
    """The body of a 422, where it says more than a problem."""
    needs_models: bool = False
    """Whether it waits for the models where the server still loads them."""
    by_gateway: bool = True
    """Whether the cloud's gateway passes it on, where a function serves it."""

    @property
    def route(self) -> tuple[str, str]:
        """Method and path."""
        return self.method, self.path

    @property
    def names_in_path(self) -> tuple[str, ...]:
        """Names of the parameters of its path, in order."""
        return tuple(re.findall(r"\{(\w+)}", self.path))
