"""A blocked event loop is logged once, with where it stands and without what it holds."""

from __future__ import annotations

import asyncio
import logging
import threading

import pytest

from careline_local.watchdog import Watchdog

TIMEOUT = 30.0
"""Seconds after which something has gone wrong; nothing is measured."""


class Kept(logging.Handler):
    """Keeps records and tells who waits for them."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []
        self.first, self.second = threading.Event(), threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)
        (self.second if self.first.is_set() else self.first).set()


@pytest.fixture
def kept() -> Kept:
    handler = Kept()
    logger = logging.getLogger("careline_local.watchdog")
    logger.addHandler(handler)
    yield handler  # type: ignore[misc]
    logger.removeHandler(handler)


def stand_still(until: threading.Event, words: str) -> None:
    assert until.wait(TIMEOUT), words


async def test_a_blocked_loop_is_logged_once_with_its_stack_and_again_when_it_runs(kept: Kept) -> None:
    async with Watchdog(blocked_after=0.05, beat=0.01).watching():
        stand_still(kept.first, "my name is Mary Higgins")
        assert await asyncio.to_thread(kept.second.wait, TIMEOUT)
    blocked, again = kept.records
    assert (blocked.msg, again.msg) == ("the event loop is blocked", "the event loop runs again")
    stack = vars(blocked)["stack"]
    assert "stand_still server/test_watchdog.py:" in stack
    assert stack.index("test_a_blocked_loop") < stack.index("stand_still")
    assert "Higgins" not in stack
    assert vars(again)["blocked_seconds"] >= 0


async def test_a_second_block_is_logged_too(kept: Kept) -> None:
    async with Watchdog(blocked_after=0.05, beat=0.01).watching():
        for _ in range(2):
            kept.first.clear()
            kept.second.clear()
            stand_still(kept.first, "")
            assert await asyncio.to_thread(kept.second.wait, TIMEOUT)
    assert [record.msg for record in kept.records].count("the event loop is blocked") == 2


async def test_its_thread_ends_with_the_server() -> None:
    async with Watchdog().watching():
        assert any(thread.name == "watchdog" for thread in threading.enumerate())
    assert not any(thread.name == "watchdog" for thread in threading.enumerate())
