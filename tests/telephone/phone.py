"""A SIP telephone: baresip, told over its control connection what to dial, say and press. It records both sides."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import wave
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from careline_local.voice.sound import RATE, Samples, loud_frames
from tests.telephone.processes import free_port, process, until
from tests.telephone.recording import STEP

MODULES = Path(os.environ.get("TELEPHONE_BARESIP_MODULES", "/usr/lib/baresip/modules"))
TELEPHONE_RATE = 8000
HEADER_BYTES = 44
"""Of a WAV of baresip's."""
FRAME_BYTES = 2 * TELEPHONE_RATE // 50
SILENCE_SECONDS = 180
"""Silence behind everything that is said: baresip hangs up where its audio file ends."""
CONFIG = """\
poll_method epoll
sip_listen {address}:{sip}
audio_source aufile,{silence}
audio_player aubridge,nil
audio_alert aubridge,nil
ausrc_srate 8000
auplay_srate 8000
ausrc_channels 1
auplay_channels 1
jitter_buffer_delay 1-5
rtp_ports {rtp}-{rtp_end}
module_path {modules}
module g711.so
module aufile.so
module sndfile.so
module aubridge.so
module_app account.so
module_app menu.so
module_app ctrl_tcp.so
ctrl_tcp_listen 127.0.0.1:{control}
snd_path {folder}
"""
ACCOUNT = "<sip:{number}@{address}:{sip}>;regint=0;answermode={answers};audio_codecs=PCMU/8000/1\n"


class Phone:
    """A telephone that is switched on. `events` are the names of what it reported, in order."""

    def __init__(self, folder: Path, uri: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.folder, self.uri = folder, uri
        self._reader, self._writer = reader, writer
        self.events: list[str] = []
        self._said = 0
        self._ears: dict[Path, Ear] = {}

    async def dial(self, to: str) -> None:
        """Call an address."""
        await self._tell("dial", to)

    async def say(self, audio: Samples) -> None:
        """Say something (16 kHz) from now on, and nothing after it."""
        self._said += 1
        await self._tell("ausrc", f"aufile,{write_speech(self.folder / f'speech-{self._said}.wav', audio)}")

    async def press(self, digit: str) -> None:
        """Press a key."""
        await self._tell("sndcode", digit)

    async def hang_up(self) -> None:
        """End the call."""
        await self._tell("hangup", "")

    async def reported(self, event: str, seconds: float = 30.0) -> bool:
        """Wait for an event such as `CALL_ESTABLISHED`; False when it does not come."""
        return await until(lambda: event in self.events, seconds)

    def heard(self) -> Samples:
        """What the telephone has played so far, at 16 kHz."""
        return self._recorded("dec")

    def loud(self) -> NDArray[np.bool_]:
        """Which frames of 20 ms of what was played so far hold speech. Only what is new is read: this is asked all
        the time, of ten telephones at once.
        """
        paths = self._recordings("dec")
        parts = [self._ears.setdefault(path, Ear(path)).loud() for path in paths]
        return np.concatenate(parts) if parts else np.zeros(0, np.bool_)

    def heard_seconds(self, after: int = 0) -> float:
        """How long somebody was heard to speak, after a number of frames."""
        return float(self.loud()[after:].sum()) * STEP

    def said(self) -> Samples:
        """What the caller has said so far, at 16 kHz."""
        return self._recorded("enc")

    async def listen(self) -> None:
        """Take in what the telephone reports, until it is switched off."""
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                length = await self._reader.readuntil(b":")
                told: dict[str, Any] = json.loads((await self._reader.readexactly(int(length[:-1]) + 1))[:-1])
                if told.get("event"):
                    self.events.append(str(told["type"]))

    async def _tell(self, command: str, words: str) -> None:
        data = json.dumps({"command": command, "params": words, "token": "test"}).encode()
        self._writer.write(b"%d:%s," % (len(data), data))
        await self._writer.drain()

    def _recorded(self, direction: str) -> Samples:
        """The recordings of a direction one after the other: one for each call, and for each change of the source."""
        parts = [read_growing(path) for path in self._recordings(direction)]
        return np.concatenate(parts) if parts else np.zeros(0, np.int16)

    def _recordings(self, direction: str) -> list[Path]:
        return sorted(self.folder.glob(f"dump-*-{direction}.wav"))


class Ear:
    """Where somebody speaks in a WAV that is still written, frame by frame."""

    def __init__(self, path: Path) -> None:
        self._path, self._read = path, HEADER_BYTES
        self._loud = np.zeros(0, np.bool_)

    def loud(self) -> NDArray[np.bool_]:
        """The whole frames so far."""
        with self._path.open("rb") as file:
            file.seek(self._read)
            raw = file.read()
        raw = raw[: len(raw) // FRAME_BYTES * FRAME_BYTES]
        self._read += len(raw)
        new = loud_frames(np.repeat(np.frombuffer(raw, np.int16), RATE // TELEPHONE_RATE))
        self._loud = np.concatenate([self._loud, new])
        return self._loud


def read_growing(path: Path) -> Samples:
    """The samples of a WAV that may still be written, whose header does not know its length yet; at 16 kHz."""
    raw = path.read_bytes()[HEADER_BYTES:]
    samples = np.frombuffer(raw[: len(raw) // 2 * 2], np.int16)
    return np.repeat(samples, RATE // TELEPHONE_RATE)


def write_speech(path: Path, audio: Samples) -> Path:
    """What a telephone can say: 8 kHz, with silence behind it."""
    narrow = audio[: len(audio) // 2 * 2].reshape(-1, 2).mean(axis=1).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(TELEPHONE_RATE)
        file.writeframes(narrow.tobytes() + bytes(2 * TELEPHONE_RATE * SILENCE_SECONDS))
    return path


def configure(folder: Path, **told: str | int) -> None:
    """Write baresip's files into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    silence = write_speech(folder / "silence.wav", np.zeros(0, np.int16))
    rtp = free_port()
    config = CONFIG.format(silence=silence, rtp=rtp, rtp_end=rtp + 8, modules=MODULES, folder=folder, **told)
    (folder / "config").write_text(config, "utf-8")
    (folder / "accounts").write_text(ACCOUNT.format(**told), "utf-8")


@asynccontextmanager
async def a_phone(
    folder: Path, address: str, number: str, *, sip: int | None = None, answers: str = "manual"
) -> AsyncIterator[Phone]:
    """A telephone of this number, on a port of its own choice; `answers` is `auto` where it takes calls by itself."""
    sip, control = sip or free_port(), free_port()
    configure(folder, address=address, number=number, answers=answers, sip=sip, control=control)
    try:
        async with process(folder / "baresip.log", "baresip", "-f", str(folder)):
            reader, writer = await _connected(control)
            phone = Phone(folder, f"sip:{number}@{address}:{sip}", reader, writer)
            listening = asyncio.create_task(phone.listen())
            try:
                yield phone
            finally:
                listening.cancel()
                writer.close()
    finally:
        forget_speech(folder)


def forget_speech(folder: Path) -> None:
    """Delete what was there to be said: minutes of silence for each sentence, which the recordings hold as well."""
    for path in (folder / "silence.wav", *folder.glob("speech-*.wav")):
        path.unlink()


async def _connected(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    for _ in range(100):
        with contextlib.suppress(ConnectionError):
            return await asyncio.open_connection("127.0.0.1", port)
        await asyncio.sleep(0.1)
    raise TimeoutError("baresip did not start; baresip.log says why")
