"""LiveKit's server API for trunks and dispatch rules on loopback: Twirp over HTTP, with messages of its own protocol.

It keeps what it is given as LiveKit documents it: ids of its own, a number in one trunk alone.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from google.protobuf.message import Message
from livekit import api
from livekit.protocol import sip

KEY, SECRET = "APItest", "a secret of tests, of 32 signs or more"


class Refused(Exception):
    """An error as Twirp tells it."""

    def __init__(self, code: str, status: int, message: str) -> None:
        super().__init__(message)
        self.code, self.status = code, status


@dataclass
class EmulatedLiveKit:
    """`calls` are the methods that were called, in order; `down` answers nothing but 503."""

    url: str = ""
    trunks: dict[str, sip.SIPInboundTrunkInfo] = field(default_factory=dict)
    rules: dict[str, sip.SIPDispatchRuleInfo] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    down: bool = False

    @property
    def environment(self) -> dict[str, str]:
        """What tells clients where it is."""
        return {"LIVEKIT_URL": self.url, "LIVEKIT_API_KEY": KEY, "LIVEKIT_API_SECRET": SECRET}

    @property
    def changes(self) -> list[str]:
        """The methods that change something."""
        return [name for name in self.calls if not name.startswith("List")]

    def add_trunk(self, **fields: Any) -> sip.SIPInboundTrunkInfo:
        """A trunk that somebody has made."""
        trunk = sip.SIPInboundTrunkInfo(sip_trunk_id=f"ST_{secrets.token_hex(6)}", **fields)
        self.trunks[trunk.sip_trunk_id] = trunk
        return trunk

    def add_rule(self, **fields: Any) -> sip.SIPDispatchRuleInfo:
        """A dispatch rule that somebody has made."""
        rule = sip.SIPDispatchRuleInfo(sip_dispatch_rule_id=f"SDR_{secrets.token_hex(6)}", **fields)
        self.rules[rule.sip_dispatch_rule_id] = rule
        return rule

    async def serve(self, request: web.Request) -> web.Response:
        """Answer one call of `livekit.SIP`."""
        name = request.match_info["method"]
        self.calls.append(name)
        if self.down:
            return web.json_response({"code": "unavailable", "msg": "try again"}, status=503)
        try:
            _may_administer(request)
            answered = METHODS[name](self, await request.read())
        except Refused as error:
            return web.json_response({"code": error.code, "msg": str(error)}, status=error.status)
        return web.Response(body=answered.SerializeToString(), content_type="application/protobuf")

    def list_trunks(self, _: bytes) -> Message:
        return sip.ListSIPInboundTrunkResponse(items=self.trunks.values())

    def list_rules(self, _: bytes) -> Message:
        return sip.ListSIPDispatchRuleResponse(items=self.rules.values())

    def create_trunk(self, body: bytes) -> Message:
        given = sip.CreateSIPInboundTrunkRequest.FromString(body).trunk
        self._refuse_shared(given)
        given.sip_trunk_id = f"ST_{secrets.token_hex(6)}"
        self.trunks[given.sip_trunk_id] = given
        return given

    def update_trunk(self, body: bytes) -> Message:
        asked = sip.UpdateSIPInboundTrunkRequest.FromString(body)
        if asked.sip_trunk_id not in self.trunks:
            raise Refused("not_found", 404, "object cannot be found")
        asked.replace.sip_trunk_id = asked.sip_trunk_id
        self._refuse_shared(asked.replace)
        self.trunks[asked.sip_trunk_id] = asked.replace
        return asked.replace

    def create_rule(self, body: bytes) -> Message:
        given = sip.CreateSIPDispatchRuleRequest.FromString(body).dispatch_rule
        given.sip_dispatch_rule_id = f"SDR_{secrets.token_hex(6)}"
        self.rules[given.sip_dispatch_rule_id] = given
        return given

    def update_rule(self, body: bytes) -> Message:
        asked = sip.UpdateSIPDispatchRuleRequest.FromString(body)
        if asked.sip_dispatch_rule_id not in self.rules:
            raise Refused("not_found", 404, "object cannot be found")
        asked.replace.sip_dispatch_rule_id = asked.sip_dispatch_rule_id
        self.rules[asked.sip_dispatch_rule_id] = asked.replace
        return asked.replace

    def _refuse_shared(self, given: sip.SIPInboundTrunkInfo) -> None:
        for trunk in self.trunks.values():
            if trunk.sip_trunk_id != given.sip_trunk_id and set(trunk.numbers) & set(given.numbers):
                raise Refused("invalid_argument", 400, "Conflicting inbound SIP Trunks")


METHODS: dict[str, Callable[[EmulatedLiveKit, bytes], Message]] = {
    "ListSIPInboundTrunk": EmulatedLiveKit.list_trunks,
    "ListSIPDispatchRule": EmulatedLiveKit.list_rules,
    "CreateSIPInboundTrunk": EmulatedLiveKit.create_trunk,
    "UpdateSIPInboundTrunk": EmulatedLiveKit.update_trunk,
    "CreateSIPDispatchRule": EmulatedLiveKit.create_rule,
    "UpdateSIPDispatchRule": EmulatedLiveKit.update_rule,
}


def _may_administer(request: web.Request) -> None:
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    try:
        claims = api.TokenVerifier(KEY, SECRET).verify(token)
    except Exception:
        raise Refused("unauthenticated", 401, "invalid token") from None
    if claims.sip is None or not claims.sip.admin:
        raise Refused("permission_denied", 403, "permissions denied")


@contextmanager
def emulated_livekit() -> Iterator[EmulatedLiveKit]:
    """Serve it on a free port, beside a test that runs commands."""
    made, ready, ends = EmulatedLiveKit(), threading.Event(), threading.Event()

    async def serve() -> None:
        app = web.Application()
        app.router.add_post("/twirp/livekit.SIP/{method}", made.serve)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        made.url = f"ws://127.0.0.1:{runner.addresses[0][1]}"
        ready.set()
        await asyncio.to_thread(ends.wait)
        await runner.cleanup()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(10)
        yield made
    finally:
        ends.set()
        thread.join(10)
        assert not thread.is_alive()
