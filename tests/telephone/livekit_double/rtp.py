"""RTP (RFC 3550) of one call: the caller as a track, the room as packets, digits as they are pressed."""

from __future__ import annotations

import asyncio
import fractions
import logging
import secrets
import struct
import time
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar, cast

import av
from aiortc import MediaStreamTrack

from tests.telephone.livekit_double.session_description import PCMU, Offer
from tests.telephone.livekit_double.sip_message import Address

RATE = 8000
PACKET = RATE // 50
"""Samples of a packet of 20 ms."""
TIME_BASE = fractions.Fraction(1, RATE)
HEADER = struct.Struct("!BBHII")
DIGITS = "0123456789*#ABCD"
END = 0x80
"""Bit of a telephone event that says the key was let go."""
FULL, READY = 10, 2
"""Packets that wait at most, and before playing begins."""
SILENCE = b"\xff" * PACKET
"""20 ms of mu-law silence."""
Packet = TypeVar("Packet")
logger = logging.getLogger(__name__)


class Playout(Generic[Packet]):
    """Packets on their way to be played, a few deep; `silence` where none is there in time."""

    def __init__(self, silence: Packet) -> None:
        self._waiting: deque[Packet] = deque(maxlen=FULL)
        self._silence = silence
        self._playing = False

    def take(self, packet: Packet) -> None:
        """A packet has come."""
        self._waiting.append(packet)

    def next(self) -> Packet:
        """What is played now."""
        self._playing = len(self._waiting) >= (1 if self._playing else READY)
        return self._waiting.popleft() if self._playing else self._silence


class Clock:
    """Ticks every 20 ms; after a delay it catches up."""

    def __init__(self) -> None:
        self._began: float | None = None
        self.ticks = -1

    async def tick(self) -> int:
        """Wait until the next packet is due. Its number, from 0."""
        if self._began is None:
            self._began = time.monotonic()
        self.ticks += 1
        await asyncio.sleep(max(0.0, self._began + self.ticks * PACKET / RATE - time.monotonic()))
        return self.ticks


class CallerAudio(MediaStreamTrack):
    """What the caller says, in real time: G.711 as it came, which goes into the room without being decoded."""

    kind = "audio"

    def __init__(self) -> None:
        super().__init__()
        self.playout = Playout(SILENCE)
        self._clock = Clock()

    async def recv(self) -> av.Packet:
        """The next 20 ms, when they are due."""
        number = await self._clock.tick()
        packet = av.Packet(self.playout.next())
        packet.pts, packet.time_base = number * PACKET, TIME_BASE
        return packet


class RtpPort(asyncio.DatagramProtocol):
    """The call's UDP port. `pressed` hears of each digit once."""

    def __init__(self, offer: Offer, pressed: Callable[[int], None]) -> None:
        self.audio = CallerAudio()
        self._pressed, self._digits = pressed, offer.digits
        self._caller: Address = (offer.host, offer.port)
        self._transport: asyncio.DatagramTransport | None = None
        self._sequence, self._timestamp = secrets.randbelow(1 << 15), secrets.randbelow(1 << 30)
        self._source = secrets.randbits(32)
        self._last_event: bytes | None = None

    @property
    def port(self) -> int:
        """The port that the caller sends to."""
        assert self._transport is not None
        return int(self._transport.get_extra_info("sockname")[1])

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.DatagramProtocol`."""
        # Not `isinstance`: until Python 3.12 asyncio's own transport does not inherit from this class.
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, address: Address) -> None:
        """See `asyncio.DatagramProtocol`. Answers go to where the caller sends from (symmetric RTP)."""
        if len(data) <= HEADER.size or data[0] >> 6 != 2:
            return
        self._caller = address
        kind, payload = data[1] & 0x7F, data[HEADER.size + 4 * (data[0] & 0x0F) :]
        if kind == PCMU:
            self.audio.playout.take(payload)
        elif kind == self._digits and len(payload) >= 4 and payload[1] & END:
            self._event(data[4:8], payload[0])

    def play(self, packet: bytes) -> None:
        """Send a packet of the room's audio, mu-law."""
        if self._transport is None or self._transport.is_closing():
            return
        header = HEADER.pack(0x80, PCMU, self._sequence & 0xFFFF, self._timestamp & 0xFFFFFFFF, self._source)
        self._transport.sendto(header + packet, self._caller)
        self._sequence += 1
        self._timestamp += PACKET

    def close(self) -> None:
        """Nothing is heard or sent any more."""
        self.audio.stop()
        if self._transport is not None:
            self._transport.close()

    def _event(self, timestamp: bytes, code: int) -> None:
        # The end of an event is sent three times, with the timestamp of its beginning.
        if timestamp != self._last_event and code < len(DIGITS):
            self._last_event = timestamp
            self._pressed(code)
