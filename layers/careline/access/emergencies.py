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
from careline.turn.emergencies.emergency import PATIENCE, Emergency, answer_to, emergency_in, events_of, see_tenant
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
        try:
            await asked.read()
        except http.TooSlow as refusal:
            await (await http.careline_error(Request(scope), refusal))(scope, receive, send)
            return
        try:
            async with asyncio.timeout(None) as limit:
                watching = asyncio.create_task(asked.end(limit))
                try:
                    await self.app(scope, asked.receive, asked.send)
                finally:
                    watching.cancel()
        except Exception as error:
            is_ours = isinstance(error, TimeoutError) and limit.expired()
            if not is_ours and (asked.begun or not await asked.is_emergency()):
                raise
            if not is_ours:
                asked.refused = http.defect(error, http.trace_id(Request(scope))).error_code
        if asked.refused is not None:
            await asked.answer(asked.refused)


class _Question:
    """One question on its way: its body, which is read once, and what became of it so far."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        self._read: list[Message] = []
        self._body: bytes | None = b""
        self._asked: wire.QueryRequest | None = None
        self._emergency: Emergency | None = None
        self._looked, self._looking = False, asyncio.Lock()
        self.begun = False
        self.refused: str | None = None
        """Why an emergency got no answer, which is kept from its sender; nothing is passed on any more."""

    async def read(self) -> None:
        """Read the body as far as any may go; what is longer is left to be refused. Raises: TooSlow."""
        async with http.in_time():
            await self._read_body()

    async def _read_body(self) -> None:
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
            if _is_ours(message["status"]) and await self.is_emergency():
                self.refused = str(message["status"])
                return
            self.begun = True
        await self._send(message)

    async def end(self, limit: asyncio.Timeout) -> None:
        """Wait no longer than `LONGEST` for an emergency that has had no byte of an answer. One that is in doubt waits
        on: what is slow may still answer it."""
        await asyncio.sleep(LONGEST)
        if self._is_unanswered() and (found := await self._look()) and found.is_certain and self._is_unanswered():
            self.refused = "TIMEOUT"
            limit.reschedule(asyncio.get_running_loop().time())

    def _is_unanswered(self) -> bool:
        return not self.begun and self.refused is None

    async def is_emergency(self) -> bool:
        """Whether the question is one that can be answered here."""
        return await self._look() is not None

    async def _look(self) -> Emergency | None:
        """What emergency the question is. Looked at once."""
        async with self._looking:
            if not self._looked:
                self._emergency, self._looked = await self._found(), True
        return self._emergency

    async def _found(self) -> Emergency | None:
        try:
            self._asked = wire.read_body(wire.QueryRequest, self._body or b"")
        except CarelineError:
            return None
        return await emergency_in(self._asked, self._installation)

    @property
    def _installation(self) -> Installation:
        """As whoever asks may see it, where that is known."""
        found: Installation = self._scope.get(http.ADMITTED) or Request(self._scope).app.state.installation
        return found

    async def answer(self, why: str) -> None:
        """Answer in place of what did not."""
        assert self._emergency is not None
        assert self._asked is not None
        log.write("emergency_not_recorded", kind=why, at=None)
        request, installation = Request(self._scope), self._installation
        await see_tenant(installation)
        told = answer_to(self._emergency, self._asked, installation, http.trace_id(request))
        await _response(told, request.headers.get("accept", ""))(self._scope, self._receive, self._send)


def _is_ours(status: int) -> bool:
    """Whether a refusal is for no fault of its sender's."""
    return status == TooManyRequests.status or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def _response(answer: wire.Answer, accept: str) -> Response:
    headers: Mapping[str, str] = {"cache-control": "no-store"}
    if EVENT_STREAM in accept:
        lines = b"".join(event.to_sse() for event in events_of(answer))
        return Response(lines, headers=dict(headers), media_type=EVENT_STREAM)
    return Response(answer.model_dump_json(), headers=dict(headers), media_type=JSON)
