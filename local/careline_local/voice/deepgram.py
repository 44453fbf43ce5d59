"""Deepgram's live endpoint as far as the phone uses it, on loopback: its query, its messages, its errors and drops.

It recognises nothing. A caller's words are known beforehand (`Script`); the emulator finds the speech by its energy
and gives the words out as they are said, with the delays of the real service.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from careline_local.voice.script import Script

FRAME_SECONDS = 0.02
CONFIDENCE = 0.97
KEY = "emulated"
"""The key that is let in."""


@dataclass(slots=True)
class Recognition:
    """How one call is heard. Times in seconds."""

    script: Script
    final: float = 0.25
    """From the end of speech to its final transcript."""
    quiet: float = 0.1
    """Silence after which an utterance is taken to be over."""
    interim: float = 0.15
    """By which interim transcripts lag."""
    every: float = 0.25
    """Between two interim transcripts."""
    drop_after: float | None = None
    """Seconds of speech after which the connection breaks, once."""
    refuse: int | None = None
    """Status that connections are refused with."""
    connections: list[dict[str, list[str]]] = field(default_factory=list)
    """The queries of the connections so far."""
    said: list[tuple[float, str]] = field(default_factory=list)
    """When speech began or ended, by the loop's clock."""
    given: list[float] = field(default_factory=list)
    """When words were given out before the end of an utterance, by the same clock."""


class Connection:
    """One web socket. What is due later is sent later, in order."""

    def __init__(self, hearing: Recognition, socket: web.WebSocketResponse, language: str) -> None:
        self._hearing, self._socket, self._language = hearing, socket, language
        self._speaking = False
        self._silence = 0.0
        self._since_interim = 0.0
        self._position = 0.0
        self._sending: set[asyncio.TimerHandle] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def audio(self, data: bytes) -> None:
        """Audio of the caller."""
        for loud in self._hearing.script.hear(data):
            self._position += FRAME_SECONDS
            if loud:
                self._loud()
            elif self._speaking:
                self._quiet()
            await self._drop_if_told()

    def close(self) -> None:
        """Nothing more is sent."""
        for timer in self._sending:
            timer.cancel()
        for task in self._tasks:
            task.cancel()

    def _loud(self) -> None:
        self._silence = 0.0
        if not self._speaking:
            self._speaking, self._since_interim = True, 0.0
            self._note("speech")
            self._send(0.0, {"type": "SpeechStarted", "channel": [0, 1], "timestamp": round(self._position, 2)})
        self._hearing.script.loud()
        self._since_interim += FRAME_SECONDS
        if self._since_interim >= self._hearing.every:
            self._since_interim = 0.0
            if words := self._hearing.script.words():
                self._send(self._hearing.interim, self._results(words, final=False))
                self._hearing.given.append(asyncio.get_running_loop().time() + self._hearing.interim)

    def _quiet(self) -> None:
        self._silence += FRAME_SECONDS
        if self._silence >= self._hearing.quiet:
            self._speaking = False
            self._note("silence")
            words = self._hearing.script.give()
            self._send(max(0.0, self._hearing.final - self._silence), self._results(words, final=True))

    def _note(self, what: str) -> None:
        ago = self._silence if what == "silence" else 0.0
        self._hearing.said.append((asyncio.get_running_loop().time() - ago, what))

    async def _drop_if_told(self) -> None:
        hearing = self._hearing
        if hearing.drop_after is not None and hearing.script.heard * FRAME_SECONDS >= hearing.drop_after:
            hearing.drop_after = None
            self.close()
            await self._socket.close(code=1011, message=b"NET-0001")

    def _results(self, words: list[str], *, final: bool) -> dict[str, Any]:
        script, position = self._hearing.script, self._position
        spent = script.heard * FRAME_SECONDS
        start, step = max(0.0, position - self._silence - spent), spent / max(1, len(words))
        timed = [
            {"word": word, "punctuated_word": word, "confidence": CONFIDENCE,
             "start": round(start + step * at, 3), "end": round(start + step * (at + 1), 3)}
            for at, word in enumerate(words)
        ]  # fmt: skip
        alternative: dict[str, Any] = {
            "transcript": " ".join(words), "confidence": CONFIDENCE if words else 0.0, "words": timed,
        }  # fmt: skip
        if self._language == "multi":
            alternative["languages"] = [script.now.language] if words and script.now else []
            if not alternative["languages"]:
                del alternative["languages"]
        return {
            "type": "Results", "channel_index": [0, 1], "duration": round(spent, 3), "start": round(start, 3),
            "is_final": final, "speech_final": final, "from_finalize": False,
            "channel": {"alternatives": [alternative]},
            "metadata": {"request_id": "emulated", "model_uuid": "emulated", "model_info": {"name": "nova-3"}},
        }  # fmt: skip

    def _send(self, after: float, message: dict[str, Any]) -> None:
        def now() -> None:
            task = asyncio.create_task(self._deliver(message))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        self._sending.add(asyncio.get_running_loop().call_later(after, now))

    async def _deliver(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(ConnectionError):
            await self._socket.send_json(message)


def routes(hearing_of: Callable[[str], Recognition]) -> list[web.RouteDef]:
    """The endpoint below `/deepgram/<call>`; `hearing_of` knows how a call is heard."""

    async def listen(request: web.Request) -> web.StreamResponse:
        hearing = hearing_of(request.match_info["call"])
        if request.headers.get("Authorization") != f"Token {KEY}" or hearing.refuse:
            return web.json_response({"err_code": "INVALID_AUTH"}, status=hearing.refuse or 401)
        hearing.connections.append({name: request.query.getall(name) for name in request.query})
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        connection = Connection(hearing, socket, request.query.get("language", "en"))
        try:
            async for message in socket:
                if message.type is WSMsgType.BINARY:
                    await connection.audio(message.data)
                elif message.type is WSMsgType.TEXT and json.loads(message.data).get("type") == "CloseStream":
                    await socket.send_json({"type": "Metadata", "request_id": "emulated", "channels": 1})
                    break
        finally:
            connection.close()
        return socket

    return [web.get("/deepgram/{call}/v1/listen", listen)]
