"""The embedded reader: how long a window takes it, and what it does without its weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from careline.engines.embedded.e5.model import E5Model
from careline.engines.embedded.reader import E5Reader
from careline.errors import ReaderUnavailable
from careline.ports import LEAST_READ


async def test_what_a_window_takes_is_measured_once_where_there_is_a_budget() -> None:
    reader = E5Reader(E5Model(), budget_ms=200.0)
    pace = await reader.pace()
    assert pace.window_ms > 0
    assert await reader.pace() == pace
    assert LEAST_READ <= pace.windows(12) <= 12


async def test_nothing_is_measured_where_it_is_known_or_nothing_follows_from_it(tmp_path: Path) -> None:
    missing = tmp_path / "none.npz"
    assert (await E5Reader(E5Model(), missing, budget_ms=200.0, window_ms=25.0).pace()).windows(12) == 8
    assert (await E5Reader(E5Model(), missing).pace()).windows(12) == 12


async def test_a_reader_without_weights_says_so(tmp_path: Path) -> None:
    with pytest.raises(ReaderUnavailable):
        await E5Reader(E5Model(), tmp_path / "none.npz", budget_ms=200.0).pace()
