"""What every HTTP surface has in common: trace ids, problem documents, body limits.

Errors become problem details here and nowhere else.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from careline.curation.editions import DirectoryRejected
from careline.errors import BadRequest, CarelineError, NotAllowed, NotFound, TooLarge
from careline.installation import Installation
from careline.log import context
from careline.log.event_log import EventLog
from careline.schemas import wire
from careline.schemas.problem import MEDIA_TYPE, problem
from careline.tracing import sending
from careline.tracing.spans import LongSpan, Noted, within_xray
from careline.web.rejected_directory import rejected_directory

Worked = TypeVar("Worked")
log = EventLog(__name__)
TRACE_HEADER, XRAY_HEADER, HEALTH = "x-trace-id", "x-amzn-trace-id", "/health"
ADMITTED = "careline.installation"
"""Where a request's scope holds the installation as whoever asks may see it; authentication puts it there."""
MAX_JSON = 256 * 1024
"""Bytes of a JSON body."""
BODY_SECONDS = 20.0
"""How long a JSON body may take: a slow line sends the longest in less, and who never ends holds no place."""
_TRACE = re.compile(r"^[A-Za-z0-9-]{8,64}$")
_XRAY_ROOT = re.compile(r"1-[0-9a-f]{8}-[0-9a-f]{24}")


class MethodNotAllowed(BadRequest):
    """The path exists, not with this method."""

    status = 405
    code = "METHOD_NOT_ALLOWED"


class TooSlow(BadRequest):
    """The body did not come in time."""

    status = 408
    code = "TOO_SLOW"


class Unauthorised(NotAllowed):
    """Nobody has said who they are, or what they showed is not valid."""

    status = 401
    code = "UNAUTHORISED"


def trace_id(request: Request) -> str:
    """The trace id of a request, as `TraceIds` set it."""
    return str(request.scope.get("careline.trace_id") or secrets.token_hex(8))


def problem_response(found: wire.Problem) -> Response:
    """A problem document with its headers."""
    headers = {"retry-after": str(found.retry_after)} if found.retry_after else {}
    if found.status == Unauthorised.status:
        headers["www-authenticate"] = 'Bearer realm="careline"'
    return Response(found.model_dump_json(), found.status, headers, MEDIA_TYPE)


def installation(request: Request) -> Installation:
    """The installation as whoever asks may see it: their tenant's. A request that nobody has admitted has none."""
    admitted: Installation = request.scope[ADMITTED]
    return admitted


async def careline_error(request: Request, error: Exception) -> Response:
    """Map Careline's own errors."""
    assert isinstance(error, CarelineError)
    if error.status >= 500:
        log.write("request_failed", error=error.code)
    return problem_response(problem(error, trace_id(request), datetime.now(UTC)))


async def http_error(request: Request, error: Exception) -> Response:
    """Map what the framework refuses."""
    assert isinstance(error, HTTPException)
    mapped: CarelineError = BadRequest("the request cannot be read")
    if error.status_code == 404:
        mapped = NotFound("there is nothing at this address")
    elif error.status_code == 405:
        mapped = MethodNotAllowed("this address does not take this method")
    elif error.status_code == 413:
        mapped = TooLarge("the request is too large")
    response = await careline_error(request, mapped)
    if error.headers:
        response.headers.update(error.headers)
    return response


async def unexpected_error(request: Request, error: Exception) -> Response:
    """Map a defect of ours."""
    return problem_response(defect(error, trace_id(request)))


class Unexpected(Exception):
    """Stands for an exception whose message may hold a user's words; its own says no more than that one's type."""


def defect(error: Exception, trace: str) -> wire.Problem:
    """The problem of a defect of ours: the log has its type and place, the client a trace id to report."""
    shown = Unexpected(type(error).__name__).with_traceback(error.__traceback__)
    with context.bound(trace=trace):
        log.write_raised("unexpected_error", shown, kind=type(error).__name__)
    hidden = CarelineError("something went wrong on our side; report the trace id")
    return problem(hidden, trace, datetime.now(UTC))


async def directory_error(request: Request, error: Exception) -> Response:
    """Map a directory that cannot be used."""
    assert isinstance(error, DirectoryRejected)
    return problem_response(rejected_directory(error, trace_id(request), datetime.now(UTC)))


HANDLERS: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
    DirectoryRejected: directory_error,
    CarelineError: careline_error,
    HTTPException: http_error,
    Exception: unexpected_error,
}


async def body(request: Request, limit: int = MAX_JSON) -> bytes:
    """The body of a request. Raises: TooLarge beyond `limit` bytes, without reading the rest; TooSlow."""
    if (declared_length(request) or 0) > limit:
        raise TooLarge(f"the body is larger than {limit} bytes")
    parts, size = [], 0
    async with in_time():
        async for part in request.stream():
            size += len(part)
            if size > limit:
                raise TooLarge(f"the body is larger than {limit} bytes")
            parts.append(part)
    return b"".join(parts)


@asynccontextmanager
async def in_time() -> AsyncIterator[None]:
    """Read a JSON body here. Raises: TooSlow after `BODY_SECONDS`."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            yield
    except TimeoutError:
        raise TooSlow(f"the body took longer than {BODY_SECONDS:.0f} seconds") from None


async def unless_gone(work: Coroutine[Any, Any, Worked], request: Request) -> Worked:
    """What the work comes to; it is cancelled when the client hangs up. The body must have been read before.

    Raises: ClientDisconnect, and what the work raises.
    """
    working, gone = asyncio.create_task(work), asyncio.create_task(_hung_up(request))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return await working
    finally:
        gone.cancel()
        working.cancel()
        await asyncio.wait({working, gone})


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def declared_length(request: Request) -> int | None:
    """Bytes of the body as the client declares them; None when it does not, or not in digits."""
    declared = request.headers.get("content-length", "")
    return int(declared) if re.fullmatch(r"[0-9]{1,18}", declared) else None


def whole_number(request: Request, name: str, default: int, most: int) -> int:
    """A query parameter between 1 and `most`. Raises: BadRequest."""
    text = request.query_params.get(name)
    if text is None or text == "":
        return default
    if not re.fullmatch(r"[0-9]{1,6}", text) or not 1 <= int(text) <= most:
        raise BadRequest(f"{name}: a whole number from 1 to {most}")
    return int(text)


def json_response(content: Any, status: int = 200) -> JSONResponse:
    """JSON with accents as they are."""
    return JSONResponse(content, status)


def download(file_name: str, content: bytes) -> Response:
    """A file for saving, never for showing in our own origin."""
    name = file_name.rsplit("/", 1)[-1]
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name)
    headers = {
        "content-disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}",
        "x-content-type-options": "nosniff",
    }
    return Response(content, 200, headers, "application/octet-stream")


def application(
    routes: Sequence[BaseRoute],
    make: Callable[[], Installation],
    ready: Callable[[Installation], Awaitable[None]] | None = None,
    middleware: Sequence[Middleware] = (),
) -> Starlette:
    """An app over an installation that is made once and made `ready`, before the process serves its first request."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        began = time.perf_counter()
        try:
            app.state.installation = made = make()
            if ready is not None:
                await ready(made)
        except Exception as error:
            reason = error.message if isinstance(error, CarelineError) else None
            log.write_raised("server_not_started", error, kind=type(error).__name__, reason=reason)
            raise
        log.write("server_ready", ms=round((time.perf_counter() - began) * 1000))
        yield

    return Starlette(
        routes=list(routes),
        lifespan=lifespan,
        middleware=[Middleware(TraceIds), Middleware(ErrorMiddleware), *middleware],
        exception_handlers=HANDLERS,
    )


class TraceIds:
    """Gives every request a trace id, the client's own when it sends a plausible one, and returns it in a header.

    What is logged meanwhile carries that id, and the request has a line of its own when it is over.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        sent = headers.get(TRACE_HEADER.encode(), b"").decode("latin-1")
        trace = sent if _TRACE.match(sent) else secrets.token_hex(8)
        scope["careline.trace_id"] = trace
        began, status = time.perf_counter(), 0

        spanned = Noted.none()

        async def send_with_trace(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (TRACE_HEADER.encode(), trace.encode())]
            elif not message.get("more_body", False):
                # Lambda stops the process behind the last message, so its spans are sent before: a stream is all there
                # by then but for its end, and an answer of one piece waits, a second at the most. Elsewhere nothing
                # is sent here.
                spanned.note({"http.route": _route(scope), "http.response.status_code": status})
                spanned.end()
                await sending.send_soon()
            await send(message)

        xray = headers.get(XRAY_HEADER.encode(), b"").decode("latin-1")
        with context.bound(trace=trace, xray=_xray(headers)), within_xray(xray):
            try:
                if scope["path"] != HEALTH:
                    about = {"http.request.method": scope["method"], "careline.trace_id": trace}
                    spanned = LongSpan("request", about, "server")
                await self.app(scope, receive, send_with_trace)
            finally:
                spanned.end()
                if scope["path"] != HEALTH:
                    ms = round((time.perf_counter() - began) * 1000)
                    log.write("request_finished", method=scope["method"], route=_route(scope), status=status, ms=ms)


def _xray(headers: Mapping[bytes, bytes]) -> str | None:
    """The id under which X-Ray knows the request; None outside AWS."""
    found = _XRAY_ROOT.search(headers.get(XRAY_HEADER.encode(), b"").decode("latin-1"))
    return found[0] if found else None


def _route(scope: Scope) -> str | None:
    """The pattern of the route that answered; a path itself may name a person."""
    return getattr(scope.get("route"), "path", None)


class ErrorMiddleware:
    """Answers for defects of ours, so that no server sees and logs an exception whose message holds a user's words."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except ClientDisconnect:
            return
        except Exception as error:
            if scope["type"] != "http":
                raise
            response = await unexpected_error(Request(scope), error)
            if begun:
                raise Unexpected("the response was broken off") from None
            await response(scope, receive, send)
