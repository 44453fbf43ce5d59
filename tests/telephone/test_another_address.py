"""The same tests call a line elsewhere: environment variables alone say where."""

from __future__ import annotations

import sys

import pytest

from tests.source_roots import ROOT
from tests.telephone.line import AGENT
from tests.telephone.processes import process
from tests.telephone.stack import ARTEFACTS, NUMBER, LiveKit, a_double, set_up_line

pytestmark = [pytest.mark.long_call, pytest.mark.timeout(300)]
ELSEWHERE = "127.0.0.2"


@pytest.mark.usefixtures("telephone")
async def test_a_greeting_is_heard_from_a_line_at_another_address() -> None:
    folder = ARTEFACTS / "another_address"
    livekit = LiveKit.of_our_own(ELSEWHERE)
    test = str(ROOT / "tests" / "telephone" / "test_calls.py")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test, "-k", "greeting"]
    environment = {**livekit.environment, "TELEPHONE_NUMBER": NUMBER, "CARELINE_VOICE_AGENT_NAME": AGENT}
    async with a_double(livekit, folder / "double.log"):
        await set_up_line(livekit, AGENT)
        async with process(folder / "pytest.log", *command, environment=environment) as running:
            assert await running.wait() == 0, (folder / "pytest.log").read_text("utf-8")
    assert "a call was answered" in (folder / "double.log").read_text("utf-8")
