"""The simulation of calls at once, held to what queueing theory says of the simple cases."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from careline_local.bench.scale import demand
from careline_local.bench.scale.demand import rows
from careline_local.bench.scale.simulate import PER_BATCH, Load, Times, calls
from careline_local.cli.main import main
from careline_local.cost.usage import Usage
from tests.source_roots import ROOT

PLAIN = Times(speculative_share=0.0)
CYCLE = PLAIN.speaks + PLAIN.answer + PLAIN.says


def test_as_many_turns_pass_as_calls_go_round() -> None:
    """Little (1961): calls = rate x time of a round."""
    load = calls(400, PLAIN, hospitals=400, seconds=2_000)
    assert load.turns_a_second == pytest.approx(400 / CYCLE, rel=0.03)
    assert load.requests_a_second == pytest.approx(load.turns_a_second, rel=0.03)


def test_guesses_are_asked_besides() -> None:
    load = calls(200, Times(speculative_share=1.0), hospitals=200)
    assert load.requests == pytest.approx(2 * load.turns, rel=0.05)


def test_orchestrators_at_once_are_never_more_than_calls_and_about_what_little_says() -> None:
    load = calls(400, PLAIN, hospitals=400, seconds=2_000)
    mean = 400 / CYCLE * PLAIN.answer
    assert mean < load.orchestrators < 2 * mean


def test_a_reader_that_keeps_up_lets_no_record_wait_long() -> None:
    load = calls(60, PLAIN)
    assert load.last_wait < 2.0


def test_a_reader_that_does_not_keep_up_falls_behind_for_ever() -> None:
    most = 1 / (PLAIN.record + PLAIN.batch / PER_BATCH)
    twice = round(2 * most * CYCLE)
    short, long = calls(twice, PLAIN, seconds=200), calls(twice, PLAIN, seconds=400)
    assert long.last_wait > 1.7 * short.last_wait > 60


def test_one_reader_a_hospital_does_not_hold_up_many_hospitals() -> None:
    assert calls(500, Times(), hospitals=50).last_wait < 5 < calls(500, Times(), hospitals=1).last_wait


def test_the_same_seed_is_the_same_run() -> None:
    assert calls(50, Times()) == calls(50, Times())
    assert calls(50, Times()) != calls(50, Times(), seed=12)


def test_what_is_asked_grows_and_what_is_given_does_not() -> None:
    few, many = rows(10_000, 10, 100, Times()), rows(1_000_000, 500, 10_000, Times())
    assert [row.given for row in few] == [row.given for row in many]
    assert all(less.asked < more.asked for less, more in zip(few, many, strict=True))
    assert all(row.share < 1 for row in few)
    assert all(row.remedy and row.source for row in many)


def test_a_faster_reader_is_the_remedy_for_records() -> None:
    def wait(times: Times) -> float:
        return next(row.asked for row in rows(1_000, 500, 1, times) if "last record" in row.part)

    assert wait(replace(Times(), record=0.01)) < 2 < wait(Times())


def told(*more: str) -> dict[str, float]:
    """What is asked of each part, by its name."""
    done = CliRunner().invoke(main, ["bench", "scale", "--json", *more])
    return {row["part"]: row["asked"] for row in json.loads(done.stdout)["rows"]}


def test_the_command_tells_the_longest_and_the_last_wait_for_other_times_and_hospitals() -> None:
    last, longest = "telemetry: wait of the last record after 300 s", "telemetry: longest wait of a record"
    usual, quick, many = told(), told("--record-seconds", "0.015"), told("--hospitals", "10")
    assert usual[longest] >= usual[last] > 100
    for one in (quick, many):
        assert one[last] <= one[longest] < 1
    one_of_ten = told("--calls", "50")["SQS: messages of one hospital"]
    assert many["SQS: messages of one hospital"] == pytest.approx(one_of_ten, rel=0.1)


def test_the_figures_of_waits_in_the_documentation_are_those_of_the_commands_beside_them() -> None:
    text = (ROOT / "docs/measurements.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\| `(--calls .*?)` \| ([\d.]+) s \| ([\d.]+) s", text, re.MULTILINE)
    assert len(lines) == 5
    for options, longest, last in lines:
        found = told(*options.split())
        waits = found["telemetry: longest wait of a record"], found["telemetry: wait of the last record after 300 s"]
        assert waits == pytest.approx((float(longest), float(last)), rel=0.02, abs=0.006)


BESIDE = {
    "500 calls: wait of the last record after 300 s": "telemetry: wait of the last record after 300 s",
    "500 calls: Fargate vCPUs, six calls a task": "Fargate: tasks of one processor, 6 calls each",
    "500 calls: Deepgram streams": "speech to text: streams",
    "a million passages while documents come in: reading what changed":
        "the same while documents come in: seconds of reading in a second of an environment",
    "500 calls: sentences that ElevenLabs makes at once": "text to speech: sentences made at once (peak)",
    "a million passages: replaced documents named in a search": "OpenSearch: replaced documents named in a search",
    "500 calls: LiveKit calls": "LiveKit: calls",
    "500 calls: tokens a minute, guesses at a question too": "language model: tokens",
    "a million passages: reading that list once": "orchestrator: list of replaced documents, read once",
    "500 calls: write units of a hospital's partitions": "DynamoDB: writes to a hospital's partitions",
    "a million passages: vectors in OpenSearch's memory, two copies": "OpenSearch: vectors in memory, two copies",
    "500 calls: orchestrators at once (peak)": "Lambda: orchestrators at once (peak)",
    "500 calls: messages of one hospital": "SQS: messages of one hospital",
    "10,000 documents: ingestion at once": "Lambda: ingestion at once",
}  # fmt: skip
"""Parts as the documentation calls them, and as the command does."""


def amount(cell: str) -> float:
    """The number that a cell of a table begins with: `8.2 million`, `100,000`, `6.9 s a second`."""
    said = re.match(r"[\d.,]+", cell)
    assert said is not None, cell
    return float(said[0].replace(",", "")) * (1_000_000 if "million" in cell else 1)


def test_the_table_of_scale_in_the_documentation_is_what_the_command_prints() -> None:
    scale = (ROOT / "docs/measurements.md").read_text(encoding="utf-8").partition("\n## Scale\n")[2]
    table = re.findall(r"^\| (.+?) \| (\d.*?) \| (\d.*?) \| ([\d.]+) \|", scale.partition("\n## ")[0], re.MULTILINE)
    assert {name for name, *_ in table} == set(BESIDE)
    found = {row.part: row for row in rows(1_000_000, 500, 10_000, Times())}
    for name, asked, given, share in table:
        row, unit = found[BESIDE[name]], 0.6 * 10 ** -len(share.partition(".")[2])
        assert (name, amount(asked)) == (name, pytest.approx(row.asked, rel=0.02))
        assert (name, amount(given)) == (name, row.given)
        assert (name, float(share)) == (name, pytest.approx(row.share, abs=unit))


def test_every_limit_that_is_kept_is_held_against_something() -> None:
    source = Path(demand.__file__).read_text(encoding="utf-8")
    unused = [name for name in yaml.safe_load(demand.LIMITS.read_text(encoding="utf-8")) if f'"{name}"' not in source]
    assert unused == []


def test_everything_that_a_simulation_sees_is_told() -> None:
    sources = Path(demand.__file__).read_text(encoding="utf-8") + inspect.getsource(Load)
    unread = [one.name for one in fields(Load) if not re.search(rf"\b(load|self)\.{one.name}\b", sources)]
    assert unread == []


def test_what_costs_are_computed_from_is_what_scale_is() -> None:
    used, times = Usage(queries=0), Times()
    assert (times.answer, times.speculative) == (used.turn_seconds, used.speculative_seconds)
    assert times.tokens == used.prompt_tokens + used.answer_tokens
    an_hour = {row.part: row.asked for row in rows(1_000, 1, 3_600, times)}
    assert an_hour["Lambda: ingestion at once"] == used.document_seconds + demand.VISIBLE_SECONDS
    assert an_hour["Step Functions: transitions"] == used.transitions_per_document


def test_the_command_names_the_shortest_part_first() -> None:
    done = CliRunner().invoke(main, ["bench", "scale", "--calls", "500", "--json"])
    shares = [row["share"] for row in json.loads(done.stdout)["rows"]]
    assert shares == sorted(shares, reverse=True)
    assert CliRunner().invoke(main, ["bench", "scale", "--calls", "20"]).exit_code == 0
