"""Binds the operations of a server to the functions that handle them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from careline.web.operation import Operation, Server
from careline.web.routes import OPERATIONS, operations_of

Handler = Callable[[Request], Awaitable[Response]]


def routes_of(server: Server, handlers: Mapping[str, Handler]) -> list[Route]:
    """Routes of everything that a server serves, by the names of its operations.

    Raises: LookupError for an operation without a handler, and for a handler without an operation of this server.
    """
    served = operations_of(server)
    unbound = {operation.name for operation in served} ^ set(handlers)
    if unbound:
        raise LookupError(f"{server}: no operation or no handler for {', '.join(sorted(unbound))}")
    return _bound(served, handlers)


def routes_with(handlers: Mapping[str, Handler]) -> list[Route]:
    """Routes of these operations alone. Raises: LookupError for a handler without an operation."""
    unknown = set(handlers) - {operation.name for operation in OPERATIONS}
    if unknown:
        raise LookupError(f"no operation for {', '.join(sorted(unknown))}")
    return _bound((operation for operation in OPERATIONS if operation.name in handlers), handlers)


def _bound(operations: Iterable[Operation], handlers: Mapping[str, Handler]) -> list[Route]:
    """One route for each path, so that a method which a path does not take is refused with all those it takes."""
    by_path: dict[str, dict[str, Handler]] = {}
    for operation in operations:
        by_path.setdefault(operation.path, {})[operation.method] = handlers[operation.name]
    return [Route(path, _by_method(taken), methods=list(taken)) for path, taken in by_path.items()]


def _by_method(handlers: Mapping[str, Handler]) -> Handler:
    async def handle(request: Request) -> Response:
        return await handlers["GET" if request.method == "HEAD" else request.method](request)

    return handle
