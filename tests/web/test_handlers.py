"""An app serves what the table gives it, each operation by one handler, and does not start otherwise."""

from __future__ import annotations

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from careline.web.handlers import Handler, routes_of, routes_with
from careline.web.operation import Server
from careline.web.routes import operations_of
from careline_functions.admin import app as admin
from careline_functions.orchestrator import app as orchestrator


async def answered(request: Request) -> Response:
    return PlainTextResponse("answered")


def handlers(server: Server) -> dict[str, Handler]:
    return {one.name: answered for one in operations_of(server)}


@pytest.mark.parametrize(("server", "bound"), [("orchestrator", orchestrator.HANDLERS), ("admin", admin.HANDLERS)])
def test_every_operation_of_a_function_has_a_handler_of_its_own(server: Server, bound: dict[str, Handler]) -> None:
    assert set(bound) == {one.name for one in operations_of(server)}
    assert len(set(bound.values())) == len(bound)


def test_an_operation_without_a_handler_is_named() -> None:
    bound = handlers("admin")
    del bound["retryJob"]
    with pytest.raises(LookupError, match=r"admin: .*retryJob"):
        routes_of("admin", bound)


@pytest.mark.parametrize("name", ["query", "noSuchThing"])
def test_a_handler_of_another_server_or_of_nothing_is_named(name: str) -> None:
    with pytest.raises(LookupError, match=name):
        routes_of("admin", handlers("admin") | {name: answered})


def test_some_operations_alone_can_be_served() -> None:
    (route,) = routes_with({"showConversation": answered})
    assert (route.path, route.methods) == ("/v1/conversations/{conversation_id}", {"GET", "HEAD"})
    with pytest.raises(LookupError, match="noSuchThing"):
        routes_with({"noSuchThing": answered})
