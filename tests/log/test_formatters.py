"""A line tells whose work it was and what went wrong, and holds nobody's words."""

from __future__ import annotations

import asyncio
import io
import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as some

from careline.log import context
from careline.log.configure import begin
from careline.log.event_log import EventLog
from careline.log.formatters import WITHHELD, JsonLines, Stamp, TextLines, stamped
from tests.log.conftest import Log

SECRET = "mevrouw Godelieve Janssens"
log = EventLog("careline.somewhere")


def test_a_line_has_time_level_code_message_function_ids_and_fields(written: Log) -> None:
    with context.bound(trace="t-1", turn="u-1", tenant="sint-anna"):
        log.write("voice_citations_written", count=0)
    (line,) = written.lines()
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "level": "INFO", "code": "voice_citations_written", "function": "orchestrator", "trace": "t-1", "turn": "u-1",
        "message": "the citations of an answer by phone were recorded", "tenant": "sint-anna", "count": 0,
        "logger": "careline.somewhere",
    }  # fmt: skip


def raise_it() -> None:
    try:
        raise KeyError(SECRET)
    except KeyError as error:
        raise ValueError(f"cannot read {SECRET}") from error


def test_an_exception_is_told_by_its_kinds_and_places_alone(written: Log) -> None:
    try:
        raise_it()
    except ValueError as error:
        log.write_raised("unexpected_error", error, kind="ValueError")
        logging.getLogger("somebody.else").exception("it broke on %s", SECRET)
    ours, theirs = written.lines()
    for line in (ours, theirs):
        assert (line["raised"]["kind"], line["raised"]["from"]) == ("ValueError", ["KeyError"])
        assert any(place.startswith("raise_it log/test_formatters.py:") for place in line["raised"]["at"])
    assert theirs["message"] == "it broke on %s"
    assert SECRET not in written.stream.getvalue()


async def test_a_task_that_nobody_waited_for_is_told_without_its_words(written: Log) -> None:
    asyncio.get_running_loop().call_exception_handler(
        {"message": f"Task exception was never retrieved {SECRET}", "exception": ValueError(SECRET)}
    )
    (line,) = written.lines()
    assert (line["logger"], line["raised"]["kind"]) == ("asyncio", "ValueError")
    assert SECRET not in written.stream.getvalue()


def test_what_a_library_says_the_same_each_time_is_shown_and_anything_else_is_a_place(written: Log) -> None:
    other = logging.getLogger("somebody.else")
    other.warning("the pool is full", extra={"size": 3, "who": SECRET})
    other.warning(f"cannot reach {SECRET}")
    fixed, made = written.lines()
    assert (fixed["code"], fixed["message"], fixed["size"]) == ("library", "the pool is full", 3)
    assert made["message"].startswith(f"{WITHHELD} test_formatters:")
    assert SECRET not in written.stream.getvalue()


@given(some.text(min_size=1))
def test_a_line_stays_one_line_whatever_stands_in_it(words: str) -> None:
    record = logging.makeLogRecord({"name": "uvicorn.error", "msg": "%s", "args": (words,), "levelname": "INFO"})
    line = JsonLines().format(record)
    assert "\n" not in line
    assert json.loads(line)["level"] == "INFO"


def test_a_line_that_a_library_writes_wrongly_breaks_nothing_and_shows_no_values(
    written: Log, capsys: pytest.CaptureFixture[str]
) -> None:
    logging.getLogger("somebody.else").warning("two values: %s %s", SECRET)
    assert [line["message"] for line in written.lines()] == ["two values: %s %s"]
    written.stream.close()
    log.write("job_ended")
    assert capsys.readouterr().err.startswith("a line of the log could not be written: test_formatters:")
    written.stream = io.StringIO()


async def test_ids_of_two_requests_at_once_stay_apart(written: Log) -> None:
    async def request(name: str) -> None:
        with context.bound(trace=name):
            await asyncio.sleep(0)
            context.add(turn=f"turn of {name}")
            await asyncio.gather(*(child() for _ in range(2)))

    async def child() -> None:
        await asyncio.sleep(0)
        log.write("job_ended")

    await asyncio.gather(request("one"), request("two"))
    told = [(line["trace"], line["turn"]) for line in written.lines()]
    assert sorted(told) == [("one", "turn of one")] * 2 + [("two", "turn of two")] * 2
    assert context.ids() == {}


def test_only_known_ids_are_bound() -> None:
    with pytest.raises(ValueError, match="phone"):
        context.add(phone="0470121212")


def test_a_record_that_was_stamped_keeps_the_ids_of_the_work_that_wrote_it() -> None:
    record = logging.makeLogRecord({"name": "careline.x", "msg": "gone", "exc_info": None})
    with context.bound(call="call-1"):
        Stamp().filter(record)
    with context.bound(call="call-2"):
        assert json.loads(JsonLines("voice-worker").format(stamped(record)))["call"] == "call-1"


def test_a_person_reads_one_line_of_text() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(TextLines())
    logger = logging.getLogger("careline.somewhere")
    logger.addHandler(handler)
    try:
        log.write("purge_waiting", error="TABLE_UNAVAILABLE")
    finally:
        logger.removeHandler(handler)
    assert stream.getvalue() == (
        "WARNING purge_waiting: expired records wait for the next purge error=TABLE_UNAVAILABLE\n"
    )


def test_a_program_that_has_a_log_keeps_it() -> None:
    before = list(logging.getLogger().handlers)
    assert before
    begin("careline")
    assert logging.getLogger().handlers == before
