"""How many calls a process carries is counted over vendors in a process of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from careline.settings import Settings

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from careline_local.bench.measures import Share
from careline_local.bench.speed import calls_at_once
from tests.voice.telephone import needs_espeak


@needs_espeak
async def test_calls_that_one_process_holds_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls_at_once, "RAMP_SECONDS", 1.0)
    monkeypatch.setattr(calls_at_once, "set_aside", lambda: None)
    measured = await calls_at_once.calls_at_once(Settings(home=tmp_path), ["wat kost parkeren"], (1, 2))
    assert [each.name for each in measured if isinstance(each, Share)] == [
        "frames in time with 1 calls at once",
        "frames in time with 2 calls at once",
    ]
    assert all(each.of > 100 for each in measured if isinstance(each, Share)), "both held a call with a question"
