"""Ends a language model's answer when the time for all of it is over; timeouts for single words are the engine's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from careline.errors import ModelOverdue
from careline.installation import Installation
from careline.ports import CompletionChunk
from careline.turn.turn import Turn


def deadline_of(turn: Turn, installation: Installation) -> float:
    """When the language models of an answer that begins now must have ended, in the event loop's time."""
    settings = installation.settings
    seconds = settings.model_answer_seconds_voice if turn.voice else settings.model_answer_seconds
    return asyncio.get_running_loop().time() + seconds


async def in_time(
    chunks: AsyncGenerator[CompletionChunk, None], deadline: float
) -> AsyncGenerator[CompletionChunk, None]:
    """The chunks that come before the deadline; then the model is stopped. Raises: ModelOverdue."""
    async with aclosing(chunks):
        while True:
            try:
                async with asyncio.timeout_at(deadline):
                    completion = await anext(chunks, None)
            except TimeoutError:
                raise ModelOverdue("the language model did not finish its answer in time", kind="overdue") from None
            if completion is None:
                return
            yield completion
