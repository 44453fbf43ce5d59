"""The figures of a turn as CloudWatch's embedded metric format, made of its record without a word of it."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from careline.log.catalogue import events
from careline.schemas.oversight import TurnRecord
from careline.telemetry import metric_catalogue, metrics
from careline.turn import pipeline
from tests.fakes import NOW
from tests.turn.turns import a_hospital, an_installation, ask

VISITS = "Van 14 tot 20 uur [1]."
PAGE = Path(__file__).parents[2] / "docs" / "metrics.md"
DIRECTIVE = {"Namespace", "Dimensions", "Metrics"}


async def a_record(**more: Any) -> dict[str, Any]:
    """The record of a turn that was really asked."""
    installation = await a_hospital([VISITS])
    await ask(installation, "wanneer is er bezoek, ik ben Jan Peeters", **more)
    (entry,) = await installation.engines.outbox.take()
    turn: dict[str, Any] = entry.body["turn"]
    return turn


async def records() -> list[dict[str, Any]]:
    """Those of turns that end differently: answered, refused, an emergency, a greeting, and one that fails."""
    installation = await a_hospital([VISITS], ["Parkeren kost 2,50 euro per uur [2]."])
    for channel in ("chat", "voice"):
        for text in ("wanneer is er bezoek", "hoeveel dafalgan mag ik nemen", "pijn op de borst", "hallo"):
            await ask(installation, text, channel=channel)
    await ask(an_installation(), "wanneer is er bezoek")
    return [entry.body["turn"] for entry in await installation.engines.outbox.take()]


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def line_of(record: Mapping[str, Any], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    metrics.emit("sint-anna", record, "prod")
    (line,) = lines(capsys)
    return line


def summed(lines: list[dict[str, Any]]) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """What CloudWatch would say is the sum of each metric under each set of dimensions."""
    found: dict[tuple[str, tuple[tuple[str, str], ...]], float] = defaultdict(float)
    for line in lines:
        for told in line["_aws"]["CloudWatchMetrics"]:
            for one in told["Dimensions"]:
                for metric in told["Metrics"]:
                    key = tuple(sorted((name, line[name]) for name in one))
                    found[metric["Name"], key] += sum(line[metric["Name"]])
    return found


async def test_a_turn_is_one_line_with_each_metric_under_the_dimensions_of_the_catalogue(
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = await a_record(channel="voice", user="0470123456")
    line = line_of(record, capsys)
    assert (line["stage"], line["tenant"], line["channel"]) == ("prod", "sint-anna", "voice")
    seen = {}
    for told in line["_aws"]["CloudWatchMetrics"]:
        assert set(told) == DIRECTIVE
        assert told["Namespace"] == "Careline"
        for one in told["Metrics"]:
            seen[one["Name"]] = (one["Unit"], {frozenset(each) for each in told["Dimensions"]})
    assert {"turns", "turn_ms", "retrieve_ms", "first_token_ms", "citations", "tokens_input", "cost_euro"} <= set(seen)
    assert {"turns_answered", "turns_failed", "disclaimers", "sentences_blocked", "sent_to_cloud"} <= set(seen)
    for name, told in seen.items():
        metric = metric_catalogue.metrics()[name]
        assert told == (metric.unit, {frozenset(one) for one in metric.dimension_sets}), name
    assert line["hits"] == [record["hits"]]
    assert line["turn_id"] == record["turn_id"]


async def test_the_metrics_of_many_turns_add_up_to_their_records(capsys: pytest.CaptureFixture[str]) -> None:
    kept = await records()
    assert {"answered", "refused", "escalated"} <= {record["disposition"] for record in kept}
    for record in kept:
        metrics.emit("sint-anna", record, "prod")
    told = summed(lines(capsys))
    for channel in ("chat", "voice"):
        of_channel = [record for record in kept if record["channel"] == channel]
        under = (("channel", channel), ("stage", "prod"))
        assert told["turns", under] == len(of_channel)
        for disposition in metrics.DISPOSITIONS:
            expected = sum(record["disposition"] == disposition for record in of_channel)
            assert told[f"turns_{disposition}", under] == expected
        assert told["citations", under] == sum(len(record["cited"]) for record in of_channel)
        assert told["disclaimers", under] == sum(record["disclaimed"] for record in of_channel)
        times = (record["first_token_ms"] for record in of_channel if record["first_token_ms"] is not None)
        assert told["first_token_ms", under] == pytest.approx(sum(times))
        assert told["tokens_output", under] == sum(record["tokens"]["output"] for record in of_channel)
    of_hospital = (("stage", "prod"), ("tenant", "sint-anna"))
    assert told["turns", of_hospital] == len(kept)
    assert told["cost_euro", of_hospital] == pytest.approx(sum(record["cost"] for record in kept))


async def test_of_a_model_there_are_its_turns_tokens_and_cost(capsys: pytest.CaptureFixture[str]) -> None:
    record = {**await a_record(), "model": "gpt-4.1-mini", "cost": 0.25}
    told = summed([line_of(record, capsys)])
    under = (("model", "gpt-4.1-mini"), ("stage", "prod"))
    assert told["model_turns", under] == 1
    assert told["cost_euro", under] == 0.25
    assert {name for name, key in told if key == under} == {
        "model_turns", "tokens_input", "tokens_output", "tokens_cached", "cost_euro",
    }  # fmt: skip


async def test_neither_who_asked_nor_what_stands_in_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    record = await a_record(user="0470123456")
    said = json.dumps(line_of(record, capsys))
    assert "Peeters" not in said
    assert "0470" not in said
    assert record["user"] not in said


WORDS = "Jan Peeters, 0470 12 34 56, heeft pijn"


def filled(value: Any) -> Any:
    """The same shape with somebody's words in place of every text."""
    match value:
        case str():
            return WORDS
        case dict():
            return {name: filled(one) for name, one in value.items()}
        case list():
            return [filled(one) for one in value]
        case _:
            return value


async def test_no_field_of_a_record_but_ids_and_codes_reaches_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Words in any field that the catalogue does not name as one of codes are nowhere in the line."""
    record = await a_record()
    codes = {*metrics.BESIDE, "channel", "began_at", "disposition", "timings", "evidence", "tokens", "screening", "phi"}
    hostile = {name: value if name in codes else filled(value) for name, value in record.items()}
    hostile |= {"screening": {**record["screening"], "input": filled(record["screening"]["input"])}}
    assert WORDS in json.dumps(hostile)
    line = line_of(hostile, capsys)
    assert WORDS not in json.dumps(line)
    figures = {one["Name"] for told in line["_aws"]["CloudWatchMetrics"] for one in told["Metrics"]}
    texts = {name for name, value in line.items() if isinstance(value, str)}
    assert all(isinstance(value, int | float) for name in figures for value in line[name])
    assert texts <= {*metrics.BESIDE, "stage", "tenant", "channel"}


def test_a_record_of_an_older_version_has_the_figures_that_it_holds(capsys: pytest.CaptureFixture[str]) -> None:
    line = line_of({"channel": "chat", "began_at": "2026-03-02T09:30:15+00:00", "cost": 0.5}, capsys)
    assert (line["turns"], line["cost_euro"]) == ([1.0], [0.5])
    assert "hits" not in line
    assert "turns_answered" not in line


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        ({"relevance": 2.5, "confidence": 0.8, "by": "reader"}, {"relevance_by_reader": 2.5, "confidence": 0.8}),
        ({"relevance": 0.3, "confidence": None, "by": "search"}, {"relevance_by_search": 0.3}),
    ],
)
def test_a_figure_of_each_scale_has_a_name_of_its_own(evidence: dict[str, Any], expected: dict[str, float]) -> None:
    assert dict(metrics.figures({"evidence": evidence})) == {"turns": 1, **expected}


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"first_token_ms": 3000.0}, {"first_token_late": 0}),
        ({"first_token_ms": 3000.1}, {"first_token_late": 1}),
        ({"disposition": "failed", "reason": "CLIENT_LEFT"}, {"turns_failed": 1, "answers_unavailable": 0}),
        ({"disposition": "failed", "reason": "MODEL_STALLED"}, {"turns_failed": 1, "answers_unavailable": 1}),
        ({"disposition": "refused", "reason": "ADVICE_BLOCKED"}, {"advice_withheld": 1, "screens_failed": 0}),
        ({"disposition": "escalated", "reason": "EMERGENCY"}, {"emergencies": 1}),
        ({"disposition": "answered", "reason": None, "cited": []}, {"answers_cited": 0}),
        ({"reason": None, "phi": {"state": "assumed", "types": {}}}, {"screens_failed": 1}),
        ({"warnings": ["READER_UNAVAILABLE"]}, {"turns_degraded": 1, "warnings": 1}),
        ({"warnings": ["CAUTION"]}, {"turns_degraded": 0, "warnings": 1}),
    ],
)
def test_what_an_alarm_or_an_objective_counts_is_told(record: dict[str, Any], expected: dict[str, float]) -> None:
    assert expected.items() <= dict(metrics.figures(record)).items()


def test_a_metric_without_an_entry_cannot_be_written() -> None:
    with pytest.raises(KeyError):
        metrics.write({"of_no_catalogue": 1}, {"stage": "dev"}, {}, NOW)


def test_the_catalogue_has_every_stage_of_a_turn_and_no_other() -> None:
    stages = {stage.__name__ for stage in pipeline.STAGES} | {"admit", "speak", "screen_output"}
    named = {one.name for one in metric_catalogue.metrics().values() if one.field == "timings"}
    assert named == {"turn_ms", *(f"{stage}_ms" for stage in stages)}


def test_every_metric_of_turns_is_made_of_a_field_that_a_record_has() -> None:
    fields = TurnRecord.__annotations__
    for one in metric_catalogue.metrics().values():
        if one.origin == "turn" and one.field != "the record":
            for field in one.field.split(", "):
                assert field.partition(".")[0] in fields, one.name


async def test_every_metric_of_turns_is_written_for_some_turn_and_every_gap_for_none() -> None:
    seen = {name for record in await records() for name, _ in metrics.figures(record)}
    seen |= {name for name, _ in metrics.figures({"model": "m", "tokens": {"cached": 1}})}
    seen |= {f"relevance_by_{by}" for by in ("reader", "search")} | {"confidence", "first_token_late"}
    turned = {one.name for one in metric_catalogue.metrics().values() if one.origin == "turn"}
    idle = {"screen_with_model_ms", "ask_which_ms", "classify_embedding_ms", "embed_question_ms"}
    assert turned - seen <= idle
    assert seen <= turned


def test_what_is_read_from_the_log_is_an_event_of_its_catalogue_with_that_field() -> None:
    read = {one.name: one.logged_as for one in metric_catalogue.metrics().values() if one.origin == "log"}
    assert read["error_lines"] == metric_catalogue.LoggedAs(None, ("level", "ERROR"), None)
    assert read["documents_completed"] == metric_catalogue.LoggedAs("job_ended", ("outcome", "completed"), None)
    # A file that its sender has to mend is nothing that anybody on call is waked for.
    failures = {name: read[name] for name in ("documents_failed", "uploads_not_registered")}
    assert {one.having for one in failures.values()} == {("fault", "system")}
    assert [one.code for one in failures.values()] == ["ingestion_failed", "upload_not_registered"]
    for one in read.values():
        if one.code is not None:
            fields = events()[one.code].fields
            assert one.having is None or one.having[0] in fields
            assert one.counted is None or one.counted in fields


def test_the_metrics_of_the_worker_name_events_of_the_log() -> None:
    for one in metric_catalogue.metrics().values():
        if one.origin == "worker" and "_" in one.field:
            assert set(one.field.split(", ")) <= set(events()), one.name


def test_a_metric_is_kept_once_for_each_value_of_its_dimensions(monkeypatch: pytest.MonkeyPatch) -> None:
    one = metric_catalogue.metrics()["cost_euro"]
    monkeypatch.setattr(metric_catalogue, "metrics", lambda: {"cost_euro": one})
    assert metric_catalogue.kept(hospitals=3, models=5) == 2 + 3 + 5


def test_the_page_about_metrics_has_the_catalogue() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert metric_catalogue.as_markdown() in page, "python -m careline.telemetry.metric_catalogue prints it"


def test_names_are_those_that_cloudwatch_takes() -> None:
    assert all(re.fullmatch(r"[A-Za-z]\w{0,254}", name) for name in metric_catalogue.metrics())


def test_figures_are_written_by_one_module_and_by_the_phone_workers_which_have_no_powertools() -> None:
    root = Path(__file__).parents[2]
    parts = ("layers", "functions", "voice_worker", "local")
    sources = (file for part in parts for file in (root / part).rglob("*.py"))
    writers = {str(file.relative_to(root)) for file in sources if "CloudWatchMetrics" in file.read_text("utf-8")}
    assert writers == {"layers/careline/telemetry/metrics.py", "layers/careline/schemas/phone_figures.py"}
