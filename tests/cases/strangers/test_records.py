"""Whoever was told that a turn is done finds its record: on the server, and on no other one's account."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from datetime import timedelta

import pytest

from careline import bootstrap
from careline.errors import NotFound
from careline.telemetry import turns
from tests.fakes import NOW, SettableClock
from tests.journeys.process import Careline, Served
from tests.turn.turns import TENANT, a_hospital, answer, ask

UNKNOWN = "9" * 24


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("records")
    (folder / "visiting.md").write_text("# Visiting\n\nVisiting is from 14:00 to 20:00 every day.\n", "utf-8")
    careline = Careline(folder / "home")
    assert careline.run("ingest", str(folder / "visiting.md")).returncode == 0
    with careline.served() as served:
        yield served


@pytest.mark.parametrize("what", ["", "/explanation"])
def test_f40_the_record_of_a_turn_is_there_right_behind_its_answer(server: Served, what: str) -> None:
    for question in ("when is visiting", "my father does not breathe any more", "hello", "how long is the moon"):
        for told in (server.ask(question), server.ask(question, channel="voice")):
            response = server.client.get(f"/v1/turns/{told['id']}{what}")
            assert (response.status_code, response.json().get("turn_id")) == (200, told["id"]), response.text


def test_f40_the_record_is_there_right_behind_done_of_a_stream(server: Served) -> None:
    done = server.stream("when is visiting")[-1]
    assert server.client.get(f"/v1/turns/{done.answer.id}").json()["disposition"] == "answered"  # type: ignore[attr-defined]


def test_f40_an_id_of_long_ago_or_of_nobody_is_not_waited_for(server: Served) -> None:
    for unknown in (UNKNOWN, "0" * 24, "no-turn-of-ours"):
        began = time.monotonic()
        assert server.client.get(f"/v1/turns/{unknown}").status_code == 404
        assert time.monotonic() - began < turns.LOOKS * turns.LOOK_SECONDS / 2


async def test_f40_a_record_that_comes_out_of_the_outbox_meanwhile_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LOOK_SECONDS", 0.01)
    installation = await a_hospital(["Bezoek mag van 14 tot 20 uur [1]."], clock=SettableClock(), new_id=_made_at(NOW))
    turn_id = answer(await ask(installation, "wanneer is er bezoek")).id
    waiting = asyncio.create_task(turns.show(turn_id, TENANT, installation.engines))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    await turns.relay(installation.engines)
    assert (await waiting)["turn_id"] == turn_id


async def test_f40_a_turn_that_was_never_recorded_is_said_to_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LOOK_SECONDS", 0.001)
    installation = await a_hospital(clock=SettableClock(NOW))
    with pytest.raises(NotFound):
        await turns.show(_made_at(NOW - timedelta(seconds=30))(), TENANT, installation.engines)


def test_f40_ids_of_ours_say_when_they_were_made() -> None:
    made = int(bootstrap.new_ids()()[: turns.ID_TIME], 16) / 1000
    assert abs(made - time.time()) < 60


def _made_at(moment: object) -> object:
    """Identifiers as they would be made at a moment."""
    numbers = iter(range(4096))
    return lambda: f"{int(moment.timestamp() * 1000):011x}{next(numbers):03x}{'0' * 10}"  # type: ignore[attr-defined]
