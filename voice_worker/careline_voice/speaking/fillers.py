"""Puts fillers before an answer that keeps the caller waiting, and gives up on one that does not come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence

from careline.speech.filler import FillerStep

GIVE_UP_SECONDS = 16.0
"""After the last filler has been said nobody hears ten seconds of nothing."""


class AnswerTooSlow(TimeoutError):
    """The first sentence did not come in time."""


async def with_fillers(
    answer: AsyncIterator[str], ladder: Sequence[FillerStep], confirmed: asyncio.Event, give_up: float = GIVE_UP_SECONDS
) -> AsyncGenerator[str, None]:
    """The pieces of `answer`, and before them the steps whose time passes without one; none once it has begun.

    Time runs from `confirmed`, when it is certain that the caller has finished. Raises: AnswerTooSlow.
    """
    coming, certain = asyncio.ensure_future(anext(answer, None)), asyncio.ensure_future(confirmed.wait())
    try:
        await asyncio.wait({coming, certain}, return_when=asyncio.FIRST_COMPLETED)
        loop = asyncio.get_running_loop()
        began = loop.time()
        for step in ladder:
            if await _come(coming, began + step.after_seconds - loop.time()):
                break
            # A transcript joins the pieces, so what follows a filler is parted from it here.
            yield f"{step.text} "
        if not await _come(coming, began + give_up - loop.time()):
            raise AnswerTooSlow
        piece = await coming
        while piece is not None:
            yield piece
            piece = await anext(answer, None)
    finally:
        certain.cancel()
        coming.cancel()


async def _come(coming: asyncio.Future[str | None], seconds: float) -> bool:
    await asyncio.wait({coming}, timeout=max(0.0, seconds))
    return coming.done()
