"""Answers an emergency that a question's way to its turn would not let through: too many questions, records that cannot
say who asks, models that are still being loaded, a defect of ours.

Outermost of what may refuse a question. It lets every question on as it came, and looks at its words only where that
ends in a refusal that is not its sender's, or in nothing for longer than an emergency waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from careline.errors import CarelineError, TooManyRequests
from careline.installation import Installation
from careline.log.event_log import EventLog
from careline.schemas import wire
from careline.turn.emergency import PATIENCE, emergency_answer, events_of
from careline.web import http
from careline.web.operation import EVENT_STREAM, JSON
from careline.web.routes import BY_ROUTE

LONGEST = PATIENCE * 3
"""Seconds to the first byte: a turn takes one or two where models are cold, and its records another."""
QUESTIONS = frozenset(route for route, one in BY_ROUTE.items() if one.takes is wire.QueryRequest)
"""Methods and paths by which something is asked."""
log = EventLog(__name__)


class EmergenciesFirst:
    """Lets questions on, and answers the emergencies among those that get no answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or (scope["method"], scope["path"]) not in QUESTIONS:
            await self.app(scope, receive, send)
            return
        asked = _Question(scope, receive, send)
        await asked.read()
        try:
            async with asyncio.timeout(None) as limit:
                timer = asyncio.get_running_loop().call_later(LONGEST, asked.end, limit)
                try:
                    await self.app(scope, asked.receive, asked.send)
                finally:
                    timer.cancel()
        except TimeoutError:
            if not limit.expired():
                raise
            await asked.answer("TIMEOUT")
            return
        except Exception as error:
            if asked.begun or not asked.is_emergency():
                raise
            await asked.answer(http.defect(error, http.trace_id(Request(scope))).error_code)
            return
        if asked.refused is not None:
            await asked.answer(asked.refused)


class _Question:
    """One question on its way: its body, which is read once, and what became of it so far."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        self._read: list[Message] = []
        self._body: bytes | None = b""
        self._answer: wire.Answer | None = None
        self._looked = False
        self.begun = False
        self.refused: str | None = None
        """Why an emergency was refused, which is kept from its sender."""

    async def read(self) -> None:
        """Read the body as far as any may go; what is longer is left to be refused."""
        parts, size, more = [], 0, True
        while more and size <= http.MAX_JSON:
            message = await self._receive()
            self._read.append(message)
            if message["type"] != "http.request":
                self._body = None
                return
            parts.append(message.get("body", b""))
            size, more = size + len(parts[-1]), message.get("more_body", False)
        self._body = b"".join(parts) if not more and size <= http.MAX_JSON else None

    async def receive(self) -> Message:
        """The request as it came."""
        return self._read.pop(0) if self._read else await self._receive()

    async def send(self, message: Message) -> None:
        """Pass the response on, unless it refuses an emergency."""
        if self.refused is not None:
            return
        if message["type"] == "http.response.start" and not self.begun:
            if _is_ours(message["status"]) and self.is_emergency():
                self.refused = str(message["status"])
                return
            self.begun = True
        await self._send(message)

    def end(self, limit: asyncio.Timeout) -> None:
        """Wait no longer for an emergency that has had no byte of an answer yet."""
        if not self.begun and self.refused is None and self.is_emergency():
            limit.reschedule(asyncio.get_running_loop().time())

    def is_emergency(self) -> bool:
        """Whether the question is one that can be answered here. Looked at once."""
        if not self._looked:
            self._looked, self._answer = True, self._found()
        return self._answer is not None

    def _found(self) -> wire.Answer | None:
        request = Request(self._scope)
        installation: Installation = self._scope.get(http.ADMITTED) or request.app.state.installation
        try:
            asked = wire.read_body(wire.QueryRequest, self._body or b"")
        except CarelineError:
            return None
        return emergency_answer(asked, installation, http.trace_id(request))

    async def answer(self, why: str) -> None:
        """Answer in place of what did not."""
        assert self._answer is not None
        log.write("emergency_not_recorded", kind=why, at=None)
        accept = Request(self._scope).headers.get("accept", "")
        await _response(self._answer, accept)(self._scope, self._receive, self._send)


def _is_ours(status: int) -> bool:
    """Whether a refusal is for no fault of its sender's."""
    return status == TooManyRequests.status or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def _response(answer: wire.Answer, accept: str) -> Response:
    headers: Mapping[str, str] = {"cache-control": "no-store"}
    if EVENT_STREAM in accept:
        lines = b"".join(event.to_sse() for event in events_of(answer))
        return Response(lines, headers=dict(headers), media_type=EVENT_STREAM)
    return Response(answer.model_dump_json(), headers=dict(headers), media_type=JSON)
