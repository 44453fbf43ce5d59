"""The SIP service's UDP port: finds the call that a message belongs to, or begins one."""

from __future__ import annotations

import asyncio
import logging
from typing import cast

from livekit.protocol import sip

from tests.telephone.livekit_double.rooms import Participant, Rooms
from tests.telephone.livekit_double.settings import DoubleSettings
from tests.telephone.livekit_double.sip_call import Route, SipCall
from tests.telephone.livekit_double.sip_message import Address, SipMessage, response, user
from tests.telephone.livekit_double.tasks import Tasks
from tests.telephone.livekit_double.workers import Workers

logger = logging.getLogger(__name__)


class SipEndpoint(asyncio.DatagramProtocol):
    """All calls by their Call-ID, and the trunks and rules that say where calls go."""

    def __init__(self, settings: DoubleSettings, rooms: Rooms, workers: Workers) -> None:
        self.local: Address = (settings.sip_host, settings.sip_port)
        self.trunks: dict[str, sip.SIPInboundTrunkInfo] = {}
        self.rules: dict[str, sip.SIPDispatchRuleInfo] = {}
        self._settings, self._rooms, self._workers = settings, rooms, workers
        self._calls: dict[str, SipCall] = {}
        self._tasks = Tasks()
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.DatagramProtocol`."""
        # Not `isinstance`: until Python 3.12 asyncio's own transport does not inherit from this class.
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, address: Address) -> None:
        """See `asyncio.DatagramProtocol`."""
        message = SipMessage.read(data)
        if message is None:
            return
        call = self._calls.get(message.call_id)
        if message.status is not None:
            if call is not None:
                call.answered(message)
        elif message.method == "INVITE":
            if call is None:
                self._tasks.start(self._take(message, address))
        elif call is not None:
            call.take(message)
        elif message.method != "ACK":
            status = (200, "OK") if message.method == "OPTIONS" else (481, "Call/Transaction Does Not Exist")
            self.send(response(message, *status, self.local, "none"), address)

    def send(self, data: bytes, address: Address) -> None:
        """Put a message on the wire."""
        assert self._transport is not None
        self._transport.sendto(data, address)

    def call_of(self, participant: Participant) -> SipCall | None:
        """The call of a participant; None where it has none."""
        return next((call for call in self._calls.values() if call.is_of(participant)), None)

    async def _take(self, invite: SipMessage, address: Address) -> None:
        call = self._calls[invite.call_id] = SipCall(invite, address, self, self._rooms)
        try:
            await call.run(self._route(user(invite.header("to"))), self._workers, self._settings.answer_seconds)
        finally:
            del self._calls[invite.call_id]

    def _route(self, number: str) -> Route | None:
        """The rule of the trunk that has this number; a trunk without numbers has all."""
        for trunk in self.trunks.values():
            if trunk.numbers and number not in trunk.numbers:
                continue
            for rule in self.rules.values():
                if not rule.trunk_ids or trunk.sip_trunk_id in rule.trunk_ids:
                    return Route(trunk, rule)
        return None
