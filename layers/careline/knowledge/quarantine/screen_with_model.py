"""Lets a language model look for planted text in passages that nothing else holds back, where the installation has one.

Rules and classifiers know wordings and miss a harm that has no word of its own (decision 0024). The model may only
hold back: it is shown a passage as data, answers in one shape, and releases nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from careline.errors import ModelUnavailable
from careline.log.event_log import EventLog
from careline.model import Chunk
from careline.ports import StructuredCaller

log = EventLog(__name__)
SITE = "screen_documents"
AT_ONCE = 8
"""Passages that the model reads at a time."""
SECONDS, SECONDS_IN_ALL = 20.0, 200.0
"""For one passage, all attempts together, and for all of a document; a stage of ingestion has 300 on AWS."""
FAILURES = 3
"""Passages without an answer after which the model is taken to be down and is asked no more."""


class PlantedVerdict(BaseModel):
    """What the model is asked for: whether a passage holds planted text, and the sentence, word for word."""

    model_config = ConfigDict(extra="forbid")
    planted: bool
    sentence: Annotated[str, Field(max_length=2_000)]


async def planted_by_model(chunks: Sequence[Chunk], caller: StructuredCaller) -> list[str | None]:
    """For each passage what the model takes for planted in it, the whole text where it names no sentence of it; None
    where it sees nothing, or did not answer: what is known without it then stands, and a warning is logged."""
    room, until, unread = asyncio.Semaphore(AT_ONCE), time.monotonic() + SECONDS_IN_ALL, 0

    async def one(chunk: Chunk) -> str | None:
        nonlocal unread
        async with room:
            left = until - time.monotonic()
            if unread >= FAILURES or left <= 0:
                unread += 1
                return None
            shown = "\n".join((*chunk.heading_path, chunk.text))
            try:
                seen = await caller.ask(SITE, _instructions(), shown, PlantedVerdict, min(SECONDS, left))
            except ModelUnavailable:
                unread += 1
                return None
        named = seen.sentence.strip()
        return (named if named and named in shown else chunk.text) if seen.planted else None

    found = await asyncio.gather(*map(one, chunks))
    if unread:
        log.write("passages_not_screened", count=unread, of=len(chunks))
    return found


@cache
def _instructions() -> str:
    return files("careline.safety").joinpath("data", "screen_documents.md").read_text("utf-8")
