"""The least role of every route, in one table. A route that is not in it is refused to everybody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from starlette.requests import Request
from starlette.routing import BaseRoute, Match, Route

from careline.errors import NotAllowed
from careline.identity import Role

CALLER, USER, MANAGER, ADMIN, OWNER = Role.CALLER, Role.USER, Role.MANAGER, Role.ADMIN, Role.OWNER
NOBODY: Final = None
"""Nobody needs to be known: what is behind the route holds nothing of a hospital or a person."""
STATIC = ("GET", "/{file}")
"""The console's own files, which the laptop serves wherever no route is."""

LEAST_ROLE: Mapping[tuple[str, str], Role | None] = MappingProxyType(
    {
        STATIC: NOBODY,
        ("GET", "/health"): NOBODY,
        ("GET", "/openapi.json"): NOBODY,
        ("POST", "/login"): NOBODY,
        ("POST", "/logout"): NOBODY,
        ("GET", "/v1/session"): CALLER,
        ("POST", "/v1/query"): CALLER,
        ("POST", "/v1/turns/{turn_id}/decision"): CALLER,
        ("GET", "/v1/line"): CALLER,
        ("GET", "/v1/packs"): CALLER,
        ("GET", "/v1/conversations/{conversation_id}"): CALLER,
        ("DELETE", "/v1/conversations/{conversation_id}"): CALLER,
        ("POST", "/v1/search"): USER,
        ("GET", "/v1/documents/{doc_key}/text"): USER,
        ("GET", "/v1/documents/{doc_key}/original"): USER,
        ("GET", "/v1/documents"): MANAGER,
        ("POST", "/v1/documents"): MANAGER,
        ("GET", "/v1/documents/{doc_key}"): MANAGER,
        ("DELETE", "/v1/documents/{doc_key}"): MANAGER,
        ("GET", "/v1/jobs"): MANAGER,
        ("GET", "/v1/jobs/{job_id}"): MANAGER,
        ("POST", "/v1/jobs/{job_id}/retry"): MANAGER,
        ("GET", "/v1/turns/{turn_id}"): MANAGER,
        ("GET", "/v1/turns/{turn_id}/explanation"): MANAGER,
        ("GET", "/v1/admin/quarantine"): MANAGER,
        ("GET", "/v1/admin/quarantine/{passage_id}"): MANAGER,
        ("POST", "/v1/admin/quarantine/{passage_id}/release"): MANAGER,
        ("POST", "/v1/admin/quarantine/{passage_id}/discard"): MANAGER,
        ("GET", "/v1/admin/audit/verification"): ADMIN,
        ("GET", "/v1/admin/subjects/{subject}"): ADMIN,
        ("DELETE", "/v1/admin/subjects/{subject}"): OWNER,
    }
)
"""By method and path as the route is written. A caller is answered about their own conversations alone, and from public
documents; both are checked where conversations and documents are read."""
QUESTIONS = frozenset({("POST", "/v1/query"), ("POST", "/v1/search")})
"""What counts as a question where questions are counted; every other change counts as a write."""


def route_of(request: Request, routes: Iterable[BaseRoute]) -> tuple[str, str]:
    """Method and path, as they are written, of the route that will answer; `STATIC` where none will."""
    method = "GET" if request.method == "HEAD" else request.method
    for route in routes:
        if isinstance(route, Route) and route.matches(request.scope)[0] is Match.FULL:
            return method, route.path
    return STATIC


def least_role(route: tuple[str, str]) -> Role | None:
    """The least role that a route asks for. Raises: NotAllowed for a route that is not in the table."""
    if route not in LEAST_ROLE:
        raise NotAllowed("nobody has been given leave to use this address")
    return LEAST_ROLE[route]
