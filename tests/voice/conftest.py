"""Calls in tests do not wait longer than they must. Without the worker's requirements their modules are skipped."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    if find_spec("livekit") is not None:
        monkeypatch.setattr("careline_local.voice.simulate.QUIET_SECONDS", 0.4)
        monkeypatch.setattr("careline_local.voice.sound.WORDS_PER_MINUTE", 200)
