"""`done` means durable: a server that is killed in the moment its client reads `done`, or anywhere before."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from careline.schemas import wire
from tests.journeys.process import Careline, Served

QUESTION = "hoeveel kost parkeren per uur, ik ben bereikbaar op 0478 12 34 56"
KILLS_BEFORE = (1, 3, 6, 9, 12, 14)


def stream(server: Served, number: int, kill_at: int | None, seen: dict[int, wire.Done]) -> None:
    """Read a stream event by event; kill the server after one of them, or at once when `done` is read."""
    headers = {"accept": "text/event-stream"}
    body: dict[str, Any] = {"text": QUESTION, "conversation_id": f"talk-{number}", "language": "nl"}
    try:
        with httpx2.Client(base_url=server.client.base_url, timeout=60) as client:
            with client.stream("POST", "/v1/query", json=body, headers=headers) as response:
                lines: list[str] = []
                count = 0
                for line in response.iter_lines():
                    lines.append(line)
                    if line:
                        continue
                    (event,) = wire.read_events([*lines, ""])
                    lines, count = [], count + 1
                    if isinstance(event, wire.Done):
                        seen[number] = event
                        if kill_at == 0:
                            server.process.send_signal(signal.SIGKILL)
                    if count == kill_at:
                        server.process.send_signal(signal.SIGKILL)
    except (httpx2.HTTPError, httpx2.StreamError):
        # The server is gone; that is what this is about.
        return


def several(server: Served, first: int, kill_at: int | None) -> dict[int, wire.Done]:
    """Four streams at once, one of which ends the server."""
    seen: dict[int, wire.Done] = {}
    killer = first if kill_at is not None else None
    threads = [
        threading.Thread(target=stream, args=(server, n, kill_at if n == killer else None, seen))
        for n in range(first, first + 4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return seen


def check(careline: Careline, acknowledged: dict[int, wire.Done]) -> None:
    """After the restart: what was acknowledged is there once, and nothing is there by halves."""
    careline.json("audit", "head")  # Any command settles what a killed server left in the outbox.
    listed = careline.json("turns", "--limit", "1000")["turns"]
    recorded = [one["turn_id"] for one in listed]
    assert len(recorded) == len(set(recorded))
    entries = careline.json("audit", "list", "--limit", "1000", "--kind", "turn")["entries"]
    audited = [entry["id"] for entry in entries]
    assert sorted(audited) == sorted(recorded)
    held = careline.json("export", "--subject", "0478123456")
    said = [one["turn_id"] for conversation in held["conversations"] for one in conversation["messages"]]
    assert sorted(said) == sorted(recorded * 2), "a question and an answer of each turn, and of no other"
    assert sorted(one["turn_id"] for one in held["billing"]) == sorted(recorded)
    assert {event.answer.id for event in acknowledged.values()} <= set(recorded)
    assert careline.json("audit", "verify")["intact"] is True


@pytest.mark.parametrize("moments", [(0,) * 6, KILLS_BEFORE], ids=["when `done` is read", "before"])
def test_what_was_done_is_there_once_and_nothing_is_there_by_halves(
    home_of_their_own: Callable[[], Careline], moments: tuple[int, ...]
) -> None:
    careline = home_of_their_own()
    acknowledged: dict[int, wire.Done] = {}
    for number, kill_at in enumerate(moments):
        with careline.served() as server:
            acknowledged |= several(server, 10 * number, kill_at)
    if moments[0] == 0:
        assert len(acknowledged) >= len(moments)
    check(careline, acknowledged)
