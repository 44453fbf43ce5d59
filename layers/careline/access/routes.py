"""Which operation a request asks for. A route that is not in the table is refused to everybody."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.requests import Request
from starlette.routing import BaseRoute, Match, Route

from careline.errors import NotAllowed
from careline.web.operation import Operation
from careline.web.routes import BY_ROUTE, CONSOLE_FILES


def operation_of(request: Request, routes: Iterable[BaseRoute]) -> Operation:
    """The operation that will answer; the console's files where no route will.

    Raises: NotAllowed for a route that is not in the table.
    """
    method = "GET" if request.method == "HEAD" else request.method
    for route in routes:
        if isinstance(route, Route) and route.matches(request.scope)[0] is Match.FULL:
            if (method, route.path) not in BY_ROUTE:
                raise NotAllowed("nobody has been given leave to use this address")
            return BY_ROUTE[method, route.path]
    return CONSOLE_FILES
