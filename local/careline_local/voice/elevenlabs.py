"""ElevenLabs' multi-context web socket as far as the phone uses it, on loopback; it speaks with espeak-ng or tones."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from aiohttp import WSMsgType, web

from careline_local.voice import sound

CHUNK_BYTES = 2 * sound.RATE // 10
KEY = "emulated"
VOICES = {f"emulated-{language}": language for language in sound.VOICES}
"""Voices by id; a voice speaks one language, as the phone chooses them."""
REFUSES_LANGUAGE = "eleven_multilingual_v2"
_spoken = lru_cache(maxsize=500)(sound.speak)


@dataclass(slots=True)
class Speaking:
    """How one call is spoken to."""

    first: float = 0.15
    """Seconds from a sentence to its first audio."""
    between: float = 0.01
    """Seconds between pieces of 100 ms of audio."""
    refuse: int | None = None
    """Status that connections are refused with."""
    silent: bool = False
    """Whether texts are taken and never spoken."""
    hurry: float | None = None
    """Tones are heard instead of espeak-ng, so many times as quick as somebody would speak."""
    said: list[tuple[float, str]] = field(default_factory=list)
    """Texts that were spoken, and when their first audio was sent, by the loop's clock."""


class Context:
    """One text that is being spoken, sentence after sentence."""

    def __init__(self, name: str, language: str, speaking: Speaking, socket: web.WebSocketResponse) -> None:
        self._name, self._language, self._speaking, self._socket = name, language, speaking, socket
        self._text = ""
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self.task = asyncio.create_task(self._run())

    def take(self, message: dict[str, Any]) -> None:
        """Text, with `flush` at the end of what can be spoken now; `close_context` at the end of all."""
        self._text += message.get("text", "")
        closing = message.get("close_context", False)
        if (message.get("flush") or closing) and self._text.strip():
            self._queue.put_nowait(self._text.strip())
            self._text = ""
        if closing:
            self._queue.put_nowait(None)

    async def _run(self) -> None:
        with contextlib.suppress(ConnectionError):
            while (text := await self._queue.get()) is not None:
                await self._say(text)
            await self._socket.send_json({"contextId": self._name, "isFinal": True, "audio": None})

    async def _say(self, text: str) -> None:
        due = asyncio.get_running_loop().time() + self._speaking.first
        hurry = self._speaking.hurry
        made = sound.tones(text, hurry) if hurry else await asyncio.to_thread(_spoken, text, self._language)
        audio = made.tobytes()
        if self._speaking.silent:
            return
        await asyncio.sleep(max(0.0, due - asyncio.get_running_loop().time()))
        self._speaking.said.append((asyncio.get_running_loop().time(), text))
        for start in range(0, len(audio), CHUNK_BYTES):
            piece = base64.b64encode(audio[start : start + CHUNK_BYTES]).decode()
            await self._socket.send_json({"contextId": self._name, "audio": piece, "isFinal": None})
            await asyncio.sleep(self._speaking.between)


async def _serve(socket: web.WebSocketResponse, language: str, speaking: Speaking) -> None:
    contexts: dict[str, Context] = {}
    try:
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            told = message.json()
            name = told.get("context_id") or ""
            if name not in contexts:
                contexts[name] = Context(name, language, speaking, socket)
            contexts[name].take(told)
    finally:
        for context in contexts.values():
            context.task.cancel()


def routes(speaking_of: Callable[[str], Speaking]) -> list[web.RouteDef]:
    """The endpoint below `/elevenlabs/<call>`; `speaking_of` knows how a call is spoken to."""

    async def stream(request: web.Request) -> web.StreamResponse:
        speaking = speaking_of(request.match_info["call"])
        if request.headers.get("xi-api-key") != KEY or speaking.refuse:
            return web.json_response({"detail": {"status": "invalid_api_key"}}, status=speaking.refuse or 401)
        language = VOICES.get(request.match_info["voice"])
        model, named = request.query.get("model_id"), request.query.get("language_code")
        if language is None or (model == REFUSES_LANGUAGE and named):
            return web.json_response({"detail": {"status": "invalid_request"}}, status=400)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await _serve(socket, language, speaking)
        return socket

    return [web.get("/elevenlabs/{call}/text-to-speech/{voice}/multi-stream-input", stream)]
