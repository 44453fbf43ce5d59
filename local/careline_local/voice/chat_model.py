"""A language model's endpoint on loopback, for measurements: quotes the first source as slowly as real ones write."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from aiohttp import web

FIRST_TOKEN_SECONDS = 0.3
TOKEN_SECONDS = 0.02
NAME = "emulated"
MOST_WORDS = 30


def environment(port: int) -> dict[str, str]:
    """Settings of a server that asks this model."""
    return {
        "CARELINE_MODEL": "openai",
        "CARELINE_OPENAI_BASE_URL": f"http://127.0.0.1:{port}/openai/v1",
        "CARELINE_OPENAI_API_KEY": NAME,
        "CARELINE_OPENAI_MODEL": NAME,
    }


def answer(messages: list[dict[str, Any]]) -> str:
    """The first sentence of the first source, with its number; an admission where there is no source."""
    whole = "\n".join(str(message.get("content", "")) for message in messages)
    _, _, source = whole.partition("[1] ")
    _, _, body = source.partition("\n")
    if not body:
        return "Dat weet ik niet."
    text = " ".join(body[:2000].split("\n[2] ")[0].split())
    first = text.split(". ")[0].split(" ")[:MOST_WORDS]
    return " ".join(first).rstrip(".") + " [1]."


async def complete(request: web.Request) -> web.StreamResponse:
    """POST /openai/v1/chat/completions, streamed word by word."""
    asked = await request.json()
    response = web.StreamResponse(headers={"content-type": "text/event-stream"})
    await response.prepare(request)
    await asyncio.sleep(FIRST_TOKEN_SECONDS)
    for word in answer(asked["messages"]).split():
        await response.write(_chunk({"content": f"{word} "}))
        await asyncio.sleep(TOKEN_SECONDS)
    await response.write(_chunk({}, "stop") + b"data: [DONE]\n\n")
    return response


def routes() -> list[web.RouteDef]:
    """The endpoint below `/openai`."""
    return [web.post("/openai/v1/chat/completions", complete)]


def _chunk(delta: dict[str, str], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    made = {"id": NAME, "object": "chat.completion.chunk", "created": 1, "model": NAME, "choices": [choice]}
    return b"data: " + json.dumps(made).encode() + b"\n\n"
