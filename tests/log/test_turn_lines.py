"""What an operator can tell of a turn from its lines alone: history, search, screens, citations, its end; no words."""

from __future__ import annotations

from careline.errors import IndexUnavailable
from careline.telemetry.turns import relay
from tests.fakes import SettableClock
from tests.log.conftest import Log
from tests.turn.turns import TENANT, TRACE, BrokenIndex, a_hospital, an_installation, answer, ask

VISITS = "Bezoek is welkom van 14 tot 20 uur [1]."
ADVICE = "U kunt best twee tabletten paracetamol nemen [1]."
PERSON = "ik ben Godelieve Zonderling, 0470 12 34 56"


async def test_a_turn_on_the_phone_is_told_from_its_history_to_its_end(written: Log) -> None:
    installation = await a_hospital([VISITS], [VISITS])
    for _ in range(2):
        events = await ask(installation, "wanneer is er bezoek", channel="voice", conversation_id="call-1")
        await relay(installation.engines)
    assert [line["count"] for line in written.of("voice_history_loaded")] == [0, 2]
    assert [line["count"] for line in written.of("voice_citations_written")] == [1, 1]
    decided = [(line["detected"], line["prepend"]) for line in written.of("voice_disclaimer_decision")]
    assert decided == [(False, False)] * 2
    (_, last) = written.of("turn_finished")
    assert (last["trace"], last["turn"], last["disposition"]) == (TRACE, answer(events).id, "answered")
    of_turns = [line for line in written.lines() if line["logger"].startswith("careline.turn")]
    assert all(line["trace"] == TRACE and line["tenant"] == TENANT for line in of_turns)


async def test_each_turn_that_is_taken_out_of_the_outbox_is_a_line_with_its_id(written: Log) -> None:
    installation = await a_hospital([VISITS], [VISITS])
    asked = [answer(await ask(installation, "wanneer is er bezoek")).id for _ in range(2)]
    await relay(installation.engines)
    assert [(line["turn"], line["tenant"]) for line in written.of("outbox_relayed")] == [(id, TENANT) for id in asked]


async def test_an_answer_without_citations_says_so_with_a_zero(written: Log) -> None:
    await ask(await a_hospital([VISITS]), "goeiedag", channel="voice")
    assert [line["count"] for line in written.of("voice_citations_written")] == [0]


async def test_a_sentence_that_a_screen_replaced_is_a_warning_with_its_rules(written: Log) -> None:
    await ask(await a_hospital([ADVICE]), "wanneer is er bezoek", channel="voice")
    (line,) = written.of("voice_llm_post_filter_triggered")
    assert line["level"] == "WARNING"
    assert "/" in line["rules"]
    assert "paracetamol" not in written.stream.getvalue()


async def test_a_search_that_fails_twice_is_a_warning_and_an_error_of_the_same_turn(written: Log) -> None:
    index = BrokenIndex(2, IndexUnavailable("the index does not answer"))
    await ask(an_installation(index=index), "wanneer is er bezoek")
    (again,), (failed,) = written.of("index_retried"), written.of("documents_not_searched")
    assert (again["error"], failed["error"], failed["level"]) == ("INDEX_UNAVAILABLE", "INDEX_UNAVAILABLE", "ERROR")
    assert again["turn"] == failed["turn"]


class ClockThatRuns(SettableClock):
    """A hundredth of a second passes whenever somebody looks."""

    def elapsed(self) -> float:
        self.move(0.01)
        return super().elapsed()


async def test_the_time_of_a_turn_counts_its_screens_once(written: Log) -> None:
    made = answer(await ask(await a_hospital([VISITS], clock=ClockThatRuns()), "wanneer is er bezoek"))
    took = {timing.stage: timing.ms for timing in made.timings}
    (line,) = written.of("turn_finished")
    assert took["screen_output"] > 0
    assert line["ms"] == round(sum(ms for stage, ms in took.items() if stage != "screen_output"))


async def test_nothing_that_was_asked_or_answered_stands_in_any_line(written: Log) -> None:
    installation = await a_hospital([f"{PERSON}: bezoek is welkom van 14 tot 20 uur [1]."], [VISITS])
    await ask(installation, f"wanneer is er bezoek, {PERSON}", user="0470123456")
    await relay(installation.engines)
    told = written.stream.getvalue()
    assert written.of("turn_finished")
    assert not [word for word in ("Godelieve", "Zonderling", "0470", "bezoek", "welkom") if word in told]
