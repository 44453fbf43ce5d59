"""Counts what a language model consumed: as its provider says, or by our own tokeniser where that says nothing.

Some servers send no usage, and none does when its answer is broken off; the budget counts those answers too.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Literal, assert_never

from careline.chat import ChatDelta, TextDelta, ToolCall
from careline.installation import Installation
from careline.log.event_log import EventLog
from careline.model import Usage
from careline.turn.speak.generate import messages
from careline.turn.turn import Turn

PER_MILLION = 1_000_000
log = EventLog(__name__)


@dataclass(slots=True)
class UsageMeter:
    """What one model wrote in one turn."""

    turn: Turn
    where: Literal["local", "cloud"]
    installation: Installation
    _written: list[str] = field(default_factory=list)
    _reported: Usage | None = None

    async def metered(self, deltas: AsyncGenerator[ChatDelta, None]) -> AsyncGenerator[str, None]:
        """The text, counted as it passes."""
        async with aclosing(deltas):
            async for delta in deltas:
                match delta:
                    case TextDelta():
                        self._written.append(delta.text)
                        yield delta.text
                    case Usage():
                        self._reported = delta
                    case ToolCall():
                        # No tool was offered; what it wanted of one is run by nobody.
                        log.write("tool_call_unoffered", where=self.where)
                    case _:
                        assert_never(delta)

    def used(self) -> Usage:
        """What was consumed so far: reported, or estimated from the prompt and the text; nothing before the first
        word."""
        if self._reported is not None:
            return self._reported
        written = "".join(self._written)
        if not written:
            return Usage()
        settings, count = self.installation.settings, self.installation.engines.count_tokens
        tokens_in, tokens_out = sum(count(told.text) for told in messages(self.turn)), count(written)
        cost = (tokens_in * settings.openai.price_in + tokens_out * settings.openai.price_out) / PER_MILLION
        # A model within the trust boundary runs on machines of one's own.
        return Usage(tokens_in, tokens_out, cost=cost if self.where == "cloud" else 0.0, is_estimated=True)
