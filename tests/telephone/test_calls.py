"""A telephone rings, and the line greets, lets itself be interrupted, and puts through to a person."""

from __future__ import annotations

import pytest

from tests.telephone.line import Line, a_call

pytestmark = pytest.mark.asyncio(loop_scope="module")
MACHINE = "Ik ben een computer met artificiële intelligentie, geen mens."
INVITING = "Waarmee kan ik u helpen?"


async def test_a_caller_hears_a_greeting_that_says_it_is_a_machine(line: Line) -> None:
    async with a_call(line, "greeting") as call:
        assert await call.quiet()
        assert MACHINE in call.spoken()
        assert call.hears(MACHINE)
        assert call.hears(INVITING)
