"""One call that came in over SIP, from INVITE to BYE, in the order in which LiveKit's SIP service does things."""

from __future__ import annotations

import asyncio
import logging
import secrets
from dataclasses import dataclass
from typing import Protocol

from livekit.protocol import sip

from tests.telephone.livekit_double.rooms import Rooms, new_id
from tests.telephone.livekit_double.rtp import RtpPort
from tests.telephone.livekit_double.session_description import Offer, answer
from tests.telephone.livekit_double.sip_message import (
    Address,
    SipMessage,
    host_port,
    request_within,
    response,
    tag,
    user,
)
from tests.telephone.livekit_double.sip_participant import SipParticipant
from tests.telephone.livekit_double.tasks import Tasks
from tests.telephone.livekit_double.workers import Workers

OK, TRYING, RINGING = (200, "OK"), (100, "Trying"), (180, "Ringing")
NO_MATCH = (404, "Does not match Trunks or Dispatch Rules")
NOT_ACCEPTABLE = (488, "Not Acceptable Here")
UNAVAILABLE, CANCELLED = (480, "Temporarily Unavailable"), (487, "Request Terminated")
TRANSFERRED_SECONDS = 1.0
"""Between the end of a transfer and our BYE."""
REFER_SECONDS = 30.0
logger = logging.getLogger(__name__)


class Wire(Protocol):
    """Where messages of calls are sent, and the address that they are sent from."""

    local: Address

    def send(self, data: bytes, address: Address) -> None:
        """Put a message on the wire."""


@dataclass(frozen=True, slots=True)
class Route:
    """What a dispatch rule makes of a call: a room, attributes of the caller, and the agents that are asked."""

    trunk: sip.SIPInboundTrunkInfo
    rule: sip.SIPDispatchRuleInfo

    def room(self, caller: str, called: str) -> str:
        """The name of a room of its own: by who calls, or by the number that was called."""
        if self.rule.rule.HasField("dispatch_rule_callee"):
            return f"{self.rule.rule.dispatch_rule_callee.room_prefix}{called}_{new_id('')}"
        return f"{self.rule.rule.dispatch_rule_individual.room_prefix}_{caller}_{new_id('')}"


class SipCall:
    """A call; `invite` is the message that began it and `address` where that came from."""

    def __init__(self, invite: SipMessage, address: Address, wire: Wire, rooms: Rooms) -> None:
        self._invite, self._address, self._wire, self._rooms = invite, address, wire, rooms
        self._tag, self._number = secrets.token_hex(5), 100
        self._state = "ringing"
        self._participant: SipParticipant | None = None
        self._referred: asyncio.Future[tuple[int, str]] | None = None
        self._tasks = Tasks()
        self.ended = asyncio.Event()

    async def run(self, route: Route | None, workers: Workers, answer_seconds: float) -> None:
        """Take the call, and stay until it is over."""
        offer = Offer.read(self._invite.body)
        if route is None or offer is None:
            self._reply(*(NO_MATCH if route is None else NOT_ACCEPTABLE))
            return
        self._reply(*TRYING)
        self._reply(*RINGING)
        host = self._wire.local[0]
        loop = asyncio.get_running_loop()
        _, rtp = await loop.create_datagram_endpoint(lambda: RtpPort(offer, self._pressed), local_addr=(host, 0))
        try:
            caller = await self._enter(route, workers, rtp)
            await self._ring(caller, answer(host, rtp.port, offer.digits), answer_seconds)
            await caller.ended.wait()
            self._over()
        finally:
            rtp.close()
            self.ended.set()

    def take(self, request: SipMessage) -> None:
        """A request within this call."""
        if request.method == "ACK":
            return
        self._wire.send(response(request, *OK, self._wire.local, self._tag), self._address)
        match request.method:
            case "BYE":
                self._leave("hung up")
            case "CANCEL" if self._state == "ringing":
                self._reply(*CANCELLED)
                self._leave("cancelled")
            case "NOTIFY" if request.header("event").lower().startswith("refer"):
                self._notified(request.body)

    def answered(self, answered: SipMessage) -> None:
        """A response to a request of ours; that a REFER is accepted decides nothing yet."""
        if answered.method == "REFER" and answered.status is not None and answered.status >= 300:
            self._settle(answered.status, answered.reason)

    async def refer(self, to: str, headers: dict[str, str], ringing_seconds: float) -> tuple[int, str]:
        """Ask the caller's side to call somebody else instead (REFER), and wait for what becomes of it: the last SIP
        status that it reports. A caller who hangs up meanwhile has been put through.
        """
        self._referred = asyncio.get_running_loop().create_future()
        self._request("REFER", [f"Refer-To: <{to}>", *(f"{name}: {value}" for name, value in headers.items())])
        try:
            result = await asyncio.wait_for(self._referred, ringing_seconds or REFER_SECONDS)
        except TimeoutError:
            result = (408, "Request Timeout")
        if result[0] == 200:
            self._tasks.start(self._transferred())
        return result

    def is_of(self, participant: object) -> bool:
        """Whether this is the call of a participant."""
        return self._participant is participant

    async def _enter(self, route: Route, workers: Workers, rtp: RtpPort) -> SipParticipant:
        caller = user(self._invite.header("from"))
        room = self._rooms.open(route.room(caller, user(self._invite.header("to"))))
        for agent in route.rule.room_config.agents:
            await workers.dispatch(room, agent.agent_name, agent.metadata)
        attributes = {
            "sip.callID": new_id("SCL_"),
            "sip.callIDFull": self._invite.call_id,
            "sip.callTag": tag(self._invite.header("from")),
            "sip.callStatus": "ringing",
            "sip.phoneNumber": caller,
            "sip.trunkPhoneNumber": user(self._invite.header("to")),
            "sip.trunkID": route.trunk.sip_trunk_id,
            "sip.ruleID": route.rule.sip_dispatch_rule_id,
            **route.rule.attributes,
            **{f"sip.h.{name}": said[0] for name, said in self._invite.headers.items() if name.startswith("x-")},
        }
        self._participant = SipParticipant(self._rooms, room, caller, attributes, rtp)
        await self._participant.enter()
        return self._participant

    async def _ring(self, caller: SipParticipant, sdp: str, seconds: float) -> None:
        """Answer when somebody in the room hears the caller, as LiveKit's SIP service does."""
        waiting = [asyncio.ensure_future(event.wait()) for event in (caller.subscribed, caller.ended)]
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for one in waiting:
            one.cancel()
        if self._state != "ringing":
            return
        if not caller.subscribed.is_set() or caller.ended.is_set():
            await caller.leave()
            return
        self._state = "active"
        self._wire.send(response(self._invite, *OK, self._wire.local, self._tag, sdp), self._address)
        caller.answered()
        caller.set_attributes({"sip.callStatus": "active"})
        logger.info("a call was answered")

    def _over(self) -> None:
        """The caller is out of the room: say so on the wire where the caller did not."""
        if self._state == "active":
            self._request("BYE")
        elif self._state == "ringing":
            self._reply(*UNAVAILABLE)
        self._state = "over"

    def _leave(self, why: str) -> None:
        logger.info("a caller left", extra={"why": why})
        self._state = "over"
        self._settle(*OK)
        if self._participant is not None:
            self._participant.set_attributes({"sip.callStatus": "hangup"})
            self._tasks.start(self._participant.leave())

    def _notified(self, fragment: str) -> None:
        words = fragment.strip().split("\r\n")[0].split(" ", 2)
        if len(words) > 1 and words[1].isdecimal() and int(words[1]) >= 200:
            self._settle(int(words[1]), words[2] if len(words) > 2 else "")

    def _settle(self, status: int, reason: str) -> None:
        if self._referred is not None and not self._referred.done():
            self._referred.set_result((status, reason))

    async def _transferred(self) -> None:
        await asyncio.sleep(TRANSFERRED_SECONDS)
        if self._participant is not None:
            await self._participant.leave()

    def _pressed(self, code: int) -> None:
        if self._participant is not None:
            self._participant.pressed(code)

    def _reply(self, status: int, reason: str) -> None:
        self._wire.send(response(self._invite, status, reason, self._wire.local, self._tag), self._address)

    def _request(self, method: str, more: list[str] | None = None) -> None:
        self._number += 1
        written = request_within(self._invite, method, self._number, self._wire.local, self._tag, more or [])
        self._wire.send(written, host_port(self._invite.header("contact"), self._address))
