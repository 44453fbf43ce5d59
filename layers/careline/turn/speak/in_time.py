"""Ends a language model's answer when the time for all of it is over; timeouts for single words are the engine's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from careline.errors import ModelOverdue
from careline.installation import Installation
from careline.turn.turn import Turn


def deadline_of(turn: Turn, installation: Installation) -> float:
    """When the language models of an answer that begins now must have ended, in the event loop's time."""
    settings = installation.settings
    seconds = settings.timeouts.answer_seconds_voice if turn.voice else settings.timeouts.answer_seconds
    return asyncio.get_running_loop().time() + seconds


async def in_time(texts: AsyncGenerator[str, None], deadline: float) -> AsyncGenerator[str, None]:
    """The texts that come before the deadline; then the model is stopped. Raises: ModelOverdue."""
    async with aclosing(texts):
        while True:
            try:
                async with asyncio.timeout_at(deadline):
                    text = await anext(texts, None)
            except TimeoutError:
                raise ModelOverdue("the language model did not finish its answer in time", kind="overdue") from None
            if text is None:
                return
            yield text
