"""Puts a caller through to a person (SIP REFER), and ends the call; in a room of LiveKit, or anywhere else in tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from google.protobuf.duration_pb2 import Duration
from livekit import api, rtc
from livekit.agents import JobContext

from careline.log.event_log import EventLog

RINGING_SECONDS = 25
log = EventLog(__name__)


@dataclass(frozen=True, slots=True)
class HandOver:
    """What the person who takes over gets to know: by reference to the conversation, without the caller's words."""

    conversation_id: str
    language: str
    reason: str
    questions: int

    def headers(self) -> dict[str, str]:
        """SIP headers of the transfer."""
        return {
            "X-Careline-Conversation": self.conversation_id,
            "X-Careline-Language": self.language,
            "X-Careline-Reason": self.reason,
            "X-Careline-Questions": str(self.questions),
        }


class Desk(Protocol):
    """Where a call goes when it leaves the worker."""

    async def transfer(self, to: str, hand_over: HandOver) -> bool:
        """Put the caller through; False when that was refused or nobody answered, and the caller is still here."""

    async def hang_up(self) -> None:
        """End the call."""


class SipDesk:
    """The caller's SIP participant in a room of LiveKit."""

    def __init__(self, job: JobContext, caller: rtc.RemoteParticipant) -> None:
        self._job, self._caller = job, caller

    async def transfer(self, to: str, hand_over: HandOver) -> bool:
        """See `Desk`."""
        request = api.TransferSIPParticipantRequest(
            room_name=self._job.room.name,
            participant_identity=self._caller.identity,
            transfer_to=to,
            # The caller hears it ring, and not a silence.
            play_dialtone=True,
            headers=hand_over.headers(),
            ringing_timeout=Duration(seconds=RINGING_SECONDS),
        )
        try:
            await self._job.api.sip.transfer_sip_participant(request)
        except api.TwirpError as error:
            log.write("transfer_refused", error=error.code, status=error.status)
            return False
        return True

    async def hang_up(self) -> None:
        """See `Desk`."""
        await self._job.delete_room()


def address(number: str) -> str:
    """A telephone number as an address to transfer to; one that is an address already stays as it is."""
    if number.startswith(("sip:", "sips:", "tel:")):
        return number
    return "tel:" + "".join(sign for sign in number if sign.isdigit() or sign == "+")
