"""Every route stands in the table with its least role, and a request of each role is answered as the table says."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles
from starlette.testclient import TestClient

from careline.access.authentication import Authentication
from careline.access.origin import SAFE
from careline.identity import Role
from careline.web.operation import Operation
from careline.web.routes import BY_ROUTE, OPERATIONS
from careline_functions.admin.app import app as admin
from careline_functions.orchestrator.app import app as orchestrator
from careline_local import server
from tests.access.doors import HERE, Door, code, door
from tests.turn.turns import an_installation

NO_ROLE = "nobody"
ROLES = [NO_ROLE, *Role]


def served(app: Starlette) -> set[tuple[str, str]]:
    """Method and path of every route of an app; nothing else may be mounted in it."""
    assert all(isinstance(route, Route) for route in app.routes), "a mount or socket has no entry in the table"
    return {(m, r.path) for r in app.routes if isinstance(r, Route) for m in r.methods or () if m != "HEAD"}


@pytest.fixture(scope="module", name="at")
def the_door() -> Iterator[Door]:
    with door() as made:
        yield made


def test_one_machine_serves_every_route_of_the_table_and_files_where_no_route_is() -> None:
    laptop = server.application(an_installation())
    assert isinstance(laptop.router.default, StaticFiles)
    assert served(laptop) == set(BY_ROUTE)


def test_no_route_stands_in_the_table_twice() -> None:
    assert len(BY_ROUTE) == len(OPERATIONS)


def test_every_change_that_asks_for_a_role_is_counted_and_nothing_that_only_looks_is() -> None:
    for one in OPERATIONS:
        assert (one.counted is not None) == (one.method not in SAFE and one.least is not None), one.name


@pytest.mark.parametrize("app", [orchestrator, admin, server.application(an_installation())])
def test_authentication_stands_before_every_route_of_every_app(app: Starlette) -> None:
    kept = [one for one in app.user_middleware if one.cls is Authentication]
    assert [one.kwargs["routes"] for one in kept] == [app.routes]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.name)
def test_a_request_of_each_role_is_answered_as_the_table_says(at: Door, operation: Operation, role: str) -> None:
    least = operation.least
    token = None if role == NO_ROLE else at.tokens[Role(role)]
    response = at.as_(token, operation.method, re.sub(r"\{\w+}", "none", operation.path))
    if least is None:
        assert response.status_code not in {401, 403}
    elif token is None:
        assert code(response) == (401, "UNAUTHORISED")
        assert response.headers["www-authenticate"].startswith("Bearer")
    elif not Role(role).covers(least):
        assert code(response) == (403, "NOT_ALLOWED")
        assert least.value in response.json()["message"]
    else:
        assert response.status_code in {200, 400, 404, 415, 428}, response.text


def test_each_role_may_do_what_the_ones_below_may() -> None:
    assert [[one.covers(least) for least in Role] for one in Role] == [
        [n >= m for m in range(len(Role))] for n in range(len(Role))
    ]


@pytest.mark.parametrize("path", ["/", "/index.html", "/console.js", "/words/nl.js", "/health", "/openapi.json"])
def test_the_console_opens_without_a_login_and_is_the_same_for_everybody(at: Door, path: str) -> None:
    assert at.client.get(path).status_code == 200
    assert at.client.head(path).status_code == 200


@pytest.mark.parametrize("path", ["/v1/none", "/v1/query/", "/..%2f..%2fetc/passwd", "//v1/packs"])
def test_what_is_no_route_is_no_way_in(at: Door, path: str) -> None:
    assert at.client.get(path).status_code in {404, 307}


def test_a_route_that_is_not_in_the_table_is_refused_to_everybody() -> None:
    async def forgotten(request: Request) -> Response:
        return PlainTextResponse("secret")

    routes = [Route("/v1/forgotten", forgotten)]
    app = Starlette(routes=routes, middleware=[Middleware(Authentication, routes=routes)])
    app.state.installation = an_installation()
    assert code(TestClient(app, base_url=HERE).get("/v1/forgotten")) == (403, "NOT_ALLOWED")


@pytest.mark.parametrize("path", ["/v1/documents", "/v1/conversations/none"])
def test_a_method_that_a_path_does_not_take_is_refused_with_all_those_it_takes(at: Door, path: str) -> None:
    response = at.as_(at.tokens[Role.OWNER], "PUT", path)
    assert code(response) == (405, "METHOD_NOT_ALLOWED")
    taken = {one.method for one in OPERATIONS if re.fullmatch(re.sub(r"\{\w+}", "[^/]+", one.path), path)}
    assert set(response.headers["allow"].split(", ")) - {"HEAD"} == taken
