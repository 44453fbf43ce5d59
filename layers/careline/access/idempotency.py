"""Keeps a change from being made twice where its sender asks twice: `Idempotency-Key`, as the draft of the IETF has it
(draft-ietf-httpapi-idempotency-key-header).

The answer to the first request is kept for a day and given again to whoever sends the same key. What failed is not
kept, so that it may be tried again under the same key. The record is the table's, the same on a laptop and in AWS.

A record stands for a day from its last write, whatever came of the request, so that its revision only ever grows: by
its revision a request that lasted too long finds that the key is another's by now, and leaves that one's record alone.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from careline.access.routes import operation_of
from careline.errors import BadRequest, CarelineError, Conflict, Contended, kind_and_place
from careline.installation import Installation
from careline.log.event_log import EventLog
from careline.ports import Engines
from careline.privacy.redaction.encryption import decrypt, encrypt
from careline.privacy.redaction.keyed_digest import digest
from careline.records import keys
from careline.records.keys import Key
from careline.records.record_table import Body, Item, Put
from careline.web.http import ADMITTED, careline_error

HEADER, AGAIN = "idempotency-key", "idempotency-replayed"
"""What a sender sends, and what an answer carries that was given before."""
KEPT, RUNNING = timedelta(hours=24), timedelta(minutes=5)
"""How long an answer is kept, and how long a request is waited for whose process may have ended."""
LARGEST = 64 * 1024
"""Bytes of an answer that is kept; changes answer with a few hundred. Of a longer one it is kept that it was given."""
BUSY_SECONDS = 2
_KEY = re.compile(r"[\x21-\x7e]{1,255}")
PURPOSE = "idempotency"
log = EventLog(__name__)


@dataclass(frozen=True, slots=True)
class KeyedChange:
    """A request with a key: where its record stands, and a digest of what it asks for. A file is not part of that: a
    form sent again has other bytes around it."""

    place: Key
    asks: str


class IdempotencyKeys:
    """Lets a change on to its route once for each key; behind the authentication, as a key is its sender's own."""

    def __init__(self, app: ASGIApp, routes: Sequence[BaseRoute]) -> None:
        self.app = app
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope) if scope["type"] == "http" else None
        if request is None or ADMITTED not in scope or HEADER not in request.headers:
            await self.app(scope, receive, send)
            return
        if operation_of(request, self._routes).counted != "change":
            # What is asked or read changes nothing.
            await self.app(scope, receive, send)
            return
        engines: Engines = scope[ADMITTED].engines
        try:
            sent = _sent(request, scope[ADMITTED])
            begun = await _begun(sent, engines)
        except CarelineError as refusal:
            await (await careline_error(request, refusal))(scope, receive, send)
            return
        if isinstance(begun, Response):
            log.write("change_answered_again", status=begun.status_code)
            await begun(scope, receive, send)
            return
        await self._once(_Running(sent, begun, engines), scope, receive, send)

    async def _once(self, running: _Running, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, and keep the answer before its last byte is sent: whoever has it may rely on it."""
        answer = _Answer()

        async def noted(message: Message) -> None:
            if answer.note(message) and answer.is_success:
                await running.keep(answer)
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            if not answer.is_success:
                await running.let_go()


class _Answer:
    """A response on its way."""

    def __init__(self) -> None:
        self.status, self.media_type = 0, ""
        self.body: bytes | None = b""
        """None where it is longer than what is kept."""

    def note(self, message: Message) -> bool:
        """Whether it is whole with this message."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.media_type = Headers(raw=message["headers"]).get("content-type", "")
            return False
        if self.body is not None:
            whole = self.body + message.get("body", b"")
            self.body = whole if len(whole) <= LARGEST else None
        return not message.get("more_body", False)

    @property
    def is_success(self) -> bool:
        """Whether the change was made."""
        return 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class _Running:
    """A request that is let on, with the revision of its record. What it writes holds while that is still the record's:
    after `RUNNING` another request with this key may have begun, whose record it is then."""

    sent: KeyedChange
    revision: int
    engines: Engines

    async def keep(self, answer: _Answer) -> None:
        """Keep the answer to a change that was made.

        Where that fails the record stays as it is, and the answer is sent all the same: the change was made, and it
        would be made again if its sender were told otherwise.
        """
        if answer.body is None:
            log.write("change_answer_not_kept", kind="TooLarge", at=None)
        body = None if answer.body is None else base64.b64encode(answer.body).decode("ascii")
        content = {"status": answer.status, "type": answer.media_type, "body": body}
        try:
            kept = encrypt(content, self.engines.key, PURPOSE, self.sent.place.sort)
            await self._write({"asks": self.sent.asks, "answer": kept})
        except Exception as error:
            log.write("change_answer_not_kept", **kind_and_place(error))

    async def let_go(self) -> None:
        """Let whoever sends the key again try at once, as nothing was changed; where this fails, after `RUNNING`."""
        try:
            await self._write(_waited_for(self.sent, self.engines.clock.now()))
        except Exception as error:
            log.write("change_key_not_freed", **kind_and_place(error))

    async def _write(self, body: Body) -> None:
        expires = self.engines.clock.now() + KEPT
        await self.engines.table.write(Put(Item(*self.sent.place, body, expires_at=expires), expects=self.revision))


def _sent(request: Request, installation: Installation) -> KeyedChange:
    """Raises: BadRequest for a key that is none."""
    written = request.headers[HEADER].strip().strip('"')
    if not _KEY.fullmatch(written):
        raise BadRequest(f"{HEADER}: 1 to 255 visible characters, such as a UUID")
    tenant, key = installation.settings.tenant, installation.engines.key
    mine = digest(f"{installation.asker.subject}\0{written}", key, PURPOSE)
    asks = digest(f"{request.method} {request.url.path}?{request.url.query}", key, PURPOSE)
    return KeyedChange(keys.idempotent_change(tenant, mine), asks)


async def _begun(sent: KeyedChange, engines: Engines) -> Response | int:
    """The answer that was given before; where this request may make the change, the revision of its record.

    Raises: BadRequest for a key that was used for something else, Contended while the first request is going on,
    Conflict where the change was made and its answer was too long to be kept.
    """
    now = engines.clock.now()
    body = _waited_for(sent, now + RUNNING)
    try:
        await engines.table.write(Put(Item(*sent.place, body, expires_at=now + KEPT), expects=0))
        return 1
    except Conflict:
        item = await engines.table.get(*sent.place)
    if item is None:
        raise Contended("the request with this key has just failed; send it again", retry_after=BUSY_SECONDS)
    if "answer" not in item.body and item.body["until"] <= now.timestamp():
        try:
            await engines.table.write(Put(Item(*sent.place, body, expires_at=now + KEPT), expects=item.revision))
        except Conflict:
            raise Contended("the request with this key is being worked on", retry_after=BUSY_SECONDS) from None
        return item.revision + 1
    if item.body["asks"] != sent.asks:
        raise BadRequest(f"{HEADER}: this key was used for another request; use one for each change")
    if "answer" not in item.body:
        raise Contended("the request with this key is being worked on", retry_after=BUSY_SECONDS)
    return _response(decrypt(item.body["answer"], engines.key, PURPOSE, sent.place.sort))


def _waited_for(sent: KeyedChange, until: datetime) -> Body:
    """What a record says of a request that has no answer: until when others with its key wait for it."""
    return {"asks": sent.asks, "until": until.timestamp()}


def _response(content: Mapping[str, Any]) -> Response:
    """Raises: Conflict where the answer was too long to be kept."""
    if content["body"] is None:
        raise Conflict(f"{HEADER}: this change was made; its answer was too long to be kept, so read what it changed")
    headers = {AGAIN: "true", **({"content-type": content["type"]} if content["type"] else {})}
    return Response(base64.b64decode(content["body"]), content["status"], headers)
