"""When somebody is told that callers find pages about something else than they ask for."""

from __future__ import annotations

from typing import Any

import pytest

from careline.telemetry import turns
from careline.telemetry.explain import explain
from careline.telemetry.mismatches import PREVIEW, WINDOW, mismatch_trend, trend_of
from tests.builders import some_engines
from tests.telemetry.chains import TENANT
from tests.telemetry.test_retention import an_entry
from tests.turn.turns import packs


def a_record(rate: float, number: int = 0, **said: Any) -> dict[str, Any]:
    value = {
        "row": None, "primary": "practical", "evaluated": 9, "mismatched": 3, "mismatch_rate": rate, "units": None,
        "candidates": [{"chunk_id": "a:1:0", "category": "practical", "multiplier": 1.0}],
    }  # fmt: skip
    asked = "waar is dat"
    return {"turn_id": f"turn-{number}", "intent": "general", "value": value, "question_redacted": asked, **said}


@pytest.mark.parametrize(
    ("rates", "alarming"),
    [
        ([0.6] * WINDOW, True),
        ([0.8] * 40 + [0.0] * 10, True),
        ([0.59] * WINDOW, False),
        ([1.0] * (WINDOW - 1), False),
        ([0.0] * WINDOW + [1.0] * 500, False),
        ([], False),
    ],
)
def test_sixty_percent_over_the_last_fifty_turns_is_alarming(rates: list[float], alarming: bool) -> None:
    assert trend_of(a_record(rate) for rate in rates).is_alarming is alarming


def test_turns_that_searched_nothing_count_for_nothing() -> None:
    silent = [a_record(0.0, value=None), {"turn_id": "older"}, a_record(0.0, value={"evaluated": 0})]
    trend = trend_of([*silent, *(a_record(0.8) for _ in range(WINDOW))])
    assert trend.is_alarming
    assert len(trend.turns) == WINDOW


def test_the_turns_behind_it_are_named_with_the_beginning_of_their_questions() -> None:
    trend = trend_of([a_record(0.8, 1, question_redacted="a" * 300), a_record(0.2, 2)])
    assert [(one.turn_id, one.preview) for one in trend.behind] == [("turn-1", "a" * PREVIEW)]


async def test_the_trend_is_read_from_the_newest_records_of_a_hospital() -> None:
    engines = some_engines()
    for number in range(WINDOW + 10):
        rate = 0.0 if number < 10 else 0.7
        entry = an_entry(f"turn-{number:03}")
        entry.body["turn"]["value"] = a_record(rate)["value"]
        await engines.outbox.put(entry)
    await turns.relay(engines)
    trend = await mismatch_trend(TENANT, engines)
    assert (len(trend.turns), trend.is_alarming) == (WINDOW, True)
    assert trend.turns[0].turn_id == f"turn-{WINDOW + 9:03}"


def test_a_turn_is_explained_with_the_categories_and_the_beginning_of_its_question() -> None:
    told = explain(a_record(0.4, question_redacted="b" * 300), packs())["value"]
    assert told["mismatch_rate"] == 0.4
    assert told["preview"] == "b" * PREVIEW
    assert explain({"turn_id": "older"}, packs())["value"] is None
