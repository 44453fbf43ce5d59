"""Counts what a language model consumed: as its provider says, or by our own tokeniser where that says nothing.

Some servers send no usage, and none does when its answer is broken off; the budget counts those answers too.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field

from careline.installation import Installation
from careline.model import Usage
from careline.ports import CompletionChunk
from careline.turn.generate import prompt_input
from careline.turn.route_model import Writer
from careline.turn.turn import Turn

PER_MILLION = 1_000_000


@dataclass(slots=True)
class UsageMeter:
    """What one model wrote in one turn."""

    turn: Turn
    writer: Writer
    installation: Installation
    _written: list[str] = field(default_factory=list)
    _reported: Usage | None = None

    async def metered(self, chunks: AsyncGenerator[CompletionChunk, None]) -> AsyncGenerator[CompletionChunk, None]:
        """The chunks, counted as they pass."""
        async with aclosing(chunks):
            async for completion in chunks:
                self._written.append(completion.text)
                self._reported = completion.usage or self._reported
                yield completion

    def used(self) -> Usage:
        """What was consumed so far: reported, or estimated from the prompt and the text; nothing before the first word,
        and nothing of a model that only quotes."""
        if self._reported is not None:
            return self._reported
        written = "".join(self._written)
        if not written or not self.writer.model.follows_instructions:
            return Usage()
        settings, count = self.installation.settings, self.installation.engines.count_tokens
        tokens_in, tokens_out = sum(map(count, self._told())), count(written)
        cost = (tokens_in * settings.openai_price_in + tokens_out * settings.openai_price_out) / PER_MILLION
        # A model within the trust boundary runs on machines of one's own.
        return Usage(tokens_in, tokens_out, cost=cost if self.writer.where == "cloud" else 0.0, is_estimated=True)

    def _told(self) -> list[str]:
        told = prompt_input(self.turn)
        sources = (f"{source.title}\n{source.hit.passage.chunk.text}" for source in told.sources)
        return [told.system, *sources, *(message.text for message in told.history), told.question]
