"""The caller as a participant of the room: published from RTP, and hearing the others mixed into RTP."""

from __future__ import annotations

import asyncio
import time

import av
import numpy as np
from aiortc import MediaStreamTrack
from aiortc.mediastreams import MediaStreamError
from livekit.protocol import models

from tests.telephone.livekit_double import mu_law
from tests.telephone.livekit_double.rooms import SIP, Participant, Room, Rooms, new_id
from tests.telephone.livekit_double.rtp import DIGITS, PACKET, RATE, SILENCE, Clock, Playout, RtpPort


class SipParticipant(Participant):
    """`subscribed` is set once somebody hears the caller; `ended` once the caller is out of the room."""

    def __init__(self, rooms: Rooms, room: Room, number: str, attributes: dict[str, str], rtp: RtpPort) -> None:
        info = models.ParticipantInfo(
            sid=new_id("PA_"),
            identity=f"sip_{number}",
            name=f"Phone {number}",
            state=models.ParticipantInfo.ACTIVE,
            kind=SIP,
            attributes=attributes,
            joined_at=int(time.time()),
        )
        super().__init__(rooms, room, info)
        self.rtp = rtp
        self._playouts: list[Playout] = []
        self.subscribed, self.ended = asyncio.Event(), asyncio.Event()

    async def enter(self) -> None:
        """Join the room and be heard in it."""
        await self.join()
        track = models.TrackInfo(sid=new_id("TR_"), type=models.AUDIO, source=models.MICROPHONE, mime_type="audio/PCMU")
        await self.publish(self.rtp.audio, track)

    def heard_by_somebody(self, track: str) -> None:
        """See `Participant`."""
        self.subscribed.set()

    async def hear(self, publisher: Participant, track: str) -> None:
        """See `Participant`."""
        if track not in self.heard:
            self.heard.add(track)
            self.tasks.start(self._receive(publisher.relay.subscribe(publisher.tracks[track])))
            publisher.heard_by_somebody(track)

    async def gone(self) -> None:
        """See `Participant`."""
        self.tasks.cancel()
        self.ended.set()

    def pressed(self, code: int) -> None:
        """The caller pressed a key: everybody in the room is told."""
        digit = models.SipDTMF(code=code, digit=DIGITS[code])
        packet = models.DataPacket(
            kind=models.DataPacket.RELIABLE,
            participant_identity=self.info.identity,
            participant_sid=self.info.sid,
            sip_dtmf=digit,
        )
        self.room.deliver(packet, self)

    def answered(self) -> None:
        """The caller hears the room from now on, and silence where nobody speaks."""
        self.tasks.start(self._play())

    async def _play(self) -> None:
        clock = Clock()
        while True:
            await clock.tick()
            heard = [samples for playout in self._playouts if (samples := playout.next()) is not None]
            mixed = sum((samples.astype(np.int32) for samples in heard), np.zeros(PACKET, np.int32))
            self.rtp.play(mu_law.encode(np.clip(mixed, -32768, 32767)) if heard else SILENCE)

    async def _receive(self, track: MediaStreamTrack) -> None:
        playout = Playout[mu_law.Samples | None](None)
        self._playouts.append(playout)
        while True:
            try:
                received = await track.recv()
            except MediaStreamError:
                return
            assert isinstance(received, av.AudioFrame)
            for packet in narrowed(received.to_ndarray(), received.sample_rate, len(received.layout.channels)):
                playout.take(packet)


def narrowed(samples: mu_law.Samples, rate: int, channels: int) -> list[mu_law.Samples]:
    """Interleaved samples as packets of a telephone: the mean of those that each of its own stands for."""
    each = rate // RATE * channels
    whole = samples.reshape(-1)[: samples.size // (each * PACKET) * each * PACKET]
    return list(whole.reshape(-1, PACKET, each).mean(axis=2).astype(np.int16))
