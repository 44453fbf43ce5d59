"""Every alarm tells of the fault that it is for, and none of them in a normal week, by CloudWatch's own rule."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from careline.telemetry.metric_catalogue import metrics
from infra.operations.alarm_rules import Alarm, alarms, as_markdown, rules
from infra.operations.example import example
from infra.operations.metric_math import RecordedMetrics, evaluate, statistic
from infra.operations.metric_query import own
from infra.operations.objectives import OBJECTIVES
from infra.operations.watched import Watched
from tests.infra.alarm_evaluation import MORE, is_bad, tells, told_at
from tests.infra.conftest import Templates
from tests.infra.simulated_week import BEGIN, DAYS, Line, week

RUNBOOKS = Path(__file__).resolve().parents[2] / "docs" / "runbooks.md"
START, DAY = int(BEGIN.timestamp()), 86_400
FAULT = START + 3 * DAY + 12 * 3600
"""Thursday noon."""
WATCHED = example("prod", "canary", "firewall", "voice")
FAULTS: Mapping[str, Mapping[str, list[float]]] = {
    "function-errors": {"errors": [1]},
    "function-throttles": {"throttles": [1]},
    "function-slow": {"longest": [2e6]},
    "url-failing": {"failed": [3]},
    "api-failing": {"failed": [3]},
    "api-slow": {"slow": 5 * [20_000]},
    "firewall-blocking": {"blocked": [600]},
    "ingestion-failed": {"failed": [1]},
    "ingestion-unfinished": {"aborted": [1]},
    "ingestion-failing": {"failed": [6], "all": [8]},
    "upload-not-registered": {"lost": [1]},
    "upload-event-failed": {"failed": [1]},
    "dead-letters": {"waiting": [1]},
    "outbox-waiting": {"oldest": [400]},
    "turns-unrecorded": {"finished": [6]},
    "turn-not-measured": {"lost": [1]},
    "audit-chain-broken": {"broken": [1]},
    "search-full": {"units": [16]},
    "indexing-full": {"units": [8]},
    "search-failing": {"failed": [3]},
    "records-throttled": {"reads": [4], "writes": [6]},
    "records-failing": {"query": [3]},
    "answers-degraded": {"degraded": 20 * [1], "turns": 20 * [1]},
    "screens-failed": {"failed": [1]},
    "advice-withheld": {"withheld": 5 * [1], "turns": 5 * [1]},
    "categories-mismatched": {"rate": 200 * [0.9]},
    "calls-dropped": {"dropped": [1, 1]},
    "calls-failing": {"outages": [1, 1, 1]},
    "calls-unprotected": {"failed": [1, 1, 1]},
    "transfers-failing": {"refused": 8 * [1]},
    "canary-down": {"failed": [1, 1, 1]},
    "canary-failed": {"failed": [1]},
    "budget-crossed": {"crossed": [1]},
    "circuit-opened": {"opened": [1]},
    "model-spending": {"chat": [12], "voice": [9]},
    "objective-burns-fast": {"bad": 40 * [1], "counted": 40 * [9000]},
    "objective-burns-slowly": {"bad": 60 * [1], "counted": 60 * [9000]},
}
"""What is recorded besides the normal week, in each period while the fault lasts."""
SILENCES = {"canary-silent": "canary_runs", "no-phone-worker": "CallsPerTask"}
"""Alarms that tell when a metric is missing."""


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    return week(WATCHED)


def recorded(lines: list[Line]) -> RecordedMetrics:
    made = RecordedMetrics()
    for line in lines:
        made.add_line(line)
    return made


@pytest.fixture(scope="module")
def normal(lines: list[Line]) -> RecordedMetrics:
    return recorded(lines)


ALARMS = {alarm.name: alarm for alarm in alarms(WATCHED)}
OF_EACH_RULE = {alarm.rule.name: alarm for alarm in ALARMS.values()}
"""One alarm of each entry of the list."""


def test_each_entry_of_the_list_has_a_fault_that_it_is_for() -> None:
    assert set(FAULTS) | set(SILENCES) == set(rules()) == set(OF_EACH_RULE)


@pytest.mark.parametrize("name", ALARMS)
def test_an_alarm_is_silent_in_a_normal_week(name: str, normal: RecordedMetrics) -> None:
    assert list(told_at(ALARMS[name], normal, START, START + DAYS * DAY)) == []


def begins(alarm: Alarm) -> int:
    """The first period of the fault."""
    return FAULT - FAULT % alarm.period


@pytest.mark.parametrize("rule", FAULTS)
def test_an_alarm_tells_of_its_fault_when_it_has_lasted_and_not_before(rule: str, lines: list[Line]) -> None:
    """Over the normal week, with the fault on top of it. It is over again when the fault is."""
    alarm, faulty = OF_EACH_RULE[rule], recorded([])
    names = {query.name for query in alarm.metrics.values()}
    for line in lines:
        if not names.isdisjoint(line):
            faulty.add_line(line)
    start = begins(alarm)
    end = start + alarm.bad_periods * alarm.period
    for period in range(start, end, alarm.period):
        for name, values in FAULTS[rule].items():
            faulty.add(alarm.metrics[name], period, *values)
    told = list(told_at(alarm, faulty, START, START + DAYS * DAY))
    assert told, rule
    assert end - alarm.period < told[0] <= end
    assert told[-1] <= end + (alarm.periods + MORE) * alarm.period


@pytest.mark.parametrize(("rule", "missing"), SILENCES.items())
def test_an_alarm_tells_when_what_it_listens_to_falls_silent(rule: str, missing: str, lines: list[Line]) -> None:
    alarm = OF_EACH_RULE[rule]
    start = begins(alarm)
    silent = recorded([one for one in lines if missing in one and not start <= one["_aws"]["Timestamp"] / 1000])
    told = list(told_at(alarm, silent, START, start + 2 * alarm.periods * alarm.period))
    assert told
    # What came before is still looked at for a while.
    assert start < told[0] <= start + (alarm.periods + MORE) * alarm.period


def test_half_a_fault_is_none(normal: RecordedMetrics) -> None:
    """One of two periods that both have to be bad."""
    alarm, faulty = OF_EACH_RULE["canary-failed"], RecordedMetrics()
    for n in range(8):
        faulty.add(alarm.metrics["failed"], START + n * alarm.period, float(n % 2))
    assert list(told_at(alarm, faulty, START, START + 8 * alarm.period)) == []


@pytest.mark.parametrize(
    ("newest_last", "when_ok", "when_bad"),
    [
        ("0-X-X", False, False),
        ("0XX-X", True, True),
        ("-----", False, True),
        ("--X--", False, True),
        ("---XX", False, True),
        ("0----", False, False),
        ("-XX-0", False, False),
    ],
)
def test_missing_data_is_treated_as_cloudwatch_says(newest_last: str, when_ok: bool, when_bad: bool) -> None:
    """Three of three; X is bad, 0 is not, - is missing (rows of AWS's table, and of a quiet start)."""
    values = [{"0": 0.0, "X": 1.0, "-": None}[one] for one in reversed(newest_last)]
    for missing, expected in (("ok", when_ok), ("bad", when_bad)):
        assert tells(an_alarm("m >= 1", "3 of 3", missing), values) is expected


def an_alarm(when: str, lasting: str, missing: str) -> Alarm:
    """An alarm over one metric."""
    made = OF_EACH_RULE["api-failing"]
    bad, _, periods = lasting.partition(" of ")
    rule: Any = replace(made.rule, missing=missing)
    _, comparison, threshold = when.split()
    return replace(
        made, rule=rule, comparison=comparison, threshold=float(threshold), bad_periods=int(bad), periods=int(periods)
    )


def test_a_comparison_with_less_is_one() -> None:
    assert is_bad(an_alarm("m < 1", "1 of 1", "ok"), 0.5)
    assert not is_bad(an_alarm("m < 1", "1 of 1", "ok"), 1)


@pytest.mark.parametrize(
    ("expression", "values", "expected"),
    [
        ("a + b", {"a": 1, "b": 2}, 3),
        ("a + b", {"a": 1, "b": None}, None),
        ("FILL(a, 0) + b", {"a": None, "b": 2}, 2),
        ("1000 * a / b", {"a": 1, "b": 0}, None),
        ("IF(b >= 10, 100 * a / b, 0)", {"a": 5, "b": 20}, 25),
        ("IF(b >= 10, 100 * a / b, 0)", {"a": 5, "b": 0}, 0),
        ("IF(a >= 1 AND b >= 1, 1, 0)", {"a": 1, "b": 0}, 0),
        ("MAX([FILL(a, 0), b])", {"a": None, "b": 4}, 4),
        ("SUM([a, b])", {"a": None, "b": 4}, 4),
    ],
)
def test_metric_math_is_worked_out(expression: str, values: dict[str, float | None], expected: float | None) -> None:
    assert evaluate(expression, values) == expected


@pytest.mark.parametrize("expression", ["STDDEV(a)", "a +", "c", "a ** 2"])
def test_metric_math_that_is_not_known_is_refused(expression: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        evaluate(expression, {"a": 1.0})


def test_statistics_are_those_of_cloudwatch() -> None:
    values = [float(n) for n in range(1, 101)]
    asked = ("Sum", "Average", "Maximum", "SampleCount", "p50", "p99")
    assert [statistic(values, name) for name in asked] == [5050, 50.5, 100, 100, 50, 99]


@pytest.mark.parametrize(
    ("name", "dimensions"),
    [("no_such", {}), ("cache_hits", {"channel": "chat"}), ("turns", {}), ("documents_failed", {"channel": "chat"})],
)
def test_an_alarm_cannot_ask_for_what_nobody_writes(name: str, dimensions: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=name):
        own(name, "dev", "Sum", dimensions)


def test_objectives_count_metrics_of_the_catalogue_and_can_burn_as_fast_as_their_alarms() -> None:
    for one in OBJECTIVES:
        assert {one.counted, one.bad} <= set(metrics())
        assert all(one.burn(times) < 100 / (100 - one.attained) for times in (14.4, 6.0))


def alarms_of(stage: Templates) -> dict[str, dict[str, Any]]:
    """Those of the list; another stack may have alarms that are for itself, as a deployment has."""
    (name,) = [name for name in stage.stacks if name.endswith("-operations")]
    resources = stage.stacks[name]["Resources"].values()
    made = [one["Properties"] for one in resources if one["Type"] == "AWS::CloudWatch::Alarm"]
    return {one["AlarmName"]: one for one in made}


def of_rule(rule: str, stage: Templates) -> dict[str, str]:
    """What the alarms of a rule are for, as the template names it."""
    names = (name.partition("-")[2].partition("-")[2] for name in alarms_of(stage))
    return {name.removeprefix(f"{rule}-"): name for name in names if name.startswith(f"{rule}-")}


def watched_of(stage: Templates) -> Watched:
    """What there is to watch in a template; two of its stacks may call theirs the same."""
    name = "prod" if any("-prod-" in stack for stack in stage.stacks) else "dev"
    functions = {one["FunctionName"]: one["Timeout"] for one in stage.of("AWS::Lambda::Function").values()}
    parts = {"canary"} if f"careline-{name}-canary" in functions else set()
    parts |= {"firewall"} if stage.of("AWS::WAFv2::WebACL") else set()
    parts |= {"voice"} if stage.of("AWS::ECS::Service") else set()
    return replace(
        example(name), functions=functions, parts=frozenset(parts),  # type: ignore[arg-type]
        rules=of_rule("upload-event-failed", stage), state_machines=of_rule("ingestion-unfinished", stage),
        dead_letters=of_rule("dead-letters", stage), queues=of_rule("outbox-waiting", stage),
    )  # fmt: skip


def test_the_template_has_every_alarm_as_it_was_evaluated(watched_stage: Templates) -> None:
    made = alarms_of(watched_stage)
    watched = watched_of(watched_stage)
    expected = {f"careline-{watched.stage}-{one.name}": one for one in alarms(watched)}
    assert set(made) == set(expected)
    for name, alarm in expected.items():
        found = made[name]
        assert (found["Threshold"], found["EvaluationPeriods"], found["DatapointsToAlarm"]) == (
            alarm.threshold, alarm.periods, alarm.bad_periods,
        )  # fmt: skip
        assert found["TreatMissingData"] == {"ok": "notBreaching", "bad": "breaching"}[alarm.rule.missing]
        expressions = [one["Expression"] for one in found.get("Metrics", ()) if "Expression" in one]
        assert expressions == ([] if alarm.expression in alarm.metrics else [alarm.expression])
        asked = {one["MetricStat"]["Metric"]["MetricName"] for one in found.get("Metrics", ()) if "MetricStat" in one}
        assert asked | {found.get("MetricName")} - {None} == {query.name for query in alarm.metrics.values()}


def test_whatever_a_stack_has_is_watched(watched_stage: Templates) -> None:
    """A queue that nobody reads is held to have an alarm in test_queues.py."""
    watched = watched_of(watched_stage)
    throttled = {f"careline-{watched.stage}-{name}" for name in of_rule("function-throttles", watched_stage)}
    assert throttled == set(watched.functions)
    assert len(watched.rules) == len(watched_stage.of("AWS::Events::Rule"))
    assert len(watched.state_machines) == len(watched_stage.of("AWS::StepFunctions::StateMachine"))


def test_the_stage_of_pictures_has_the_functions_of_the_template(prod: Templates) -> None:
    assert WATCHED.functions.items() <= watched_of(prod).functions.items()


def test_where_nobody_is_told_there_are_no_alarms_but_those_of_a_deployment(dev: Templates) -> None:
    assert alarms_of(dev) == {}
    assert not re.search("alarm:", json.dumps(dev.of("AWS::CloudWatch::Dashboard")))
    (group,) = dev.of("AWS::CodeDeploy::DeploymentGroup").values()
    assert len(group["AlarmConfiguration"]["Alarms"]) == len(dev.of("AWS::CloudWatch::Alarm")) > 0


def test_every_alarm_tells_the_topic_when_it_begins_and_when_it_is_over(watched_stage: Templates) -> None:
    for alarm in alarms_of(watched_stage).values():
        assert alarm["AlarmActions"] == alarm["OKActions"]
        assert "AlarmsTopic" in json.dumps(alarm["AlarmActions"])


def anchors() -> dict[str, str]:
    """The sections of the runbooks by their headings."""
    parts = re.split(r"^## (.*)$", RUNBOOKS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_alarm_leads_to_a_section_that_says_what_it_means_where_to_look_and_what_to_do(
    watched_stage: Templates,
) -> None:
    sections = anchors()
    assert set(rules()) <= set(sections)
    for name, alarm in alarms_of(watched_stage).items():
        link = alarm["AlarmDescription"].rsplit(" ", 1)[1]
        page, _, anchor = link.partition("#")
        assert page == "docs/runbooks.md", name
        told = sections[anchor]
        assert all(f"**{part}.**" in told for part in ("For callers", "Look", "Do")), anchor
        assert re.search(r"`[^`]+`", told), f"{anchor}: the query or command to look with"


def test_the_page_of_runbooks_has_the_list_of_alarms_and_no_section_of_none() -> None:
    assert as_markdown() in RUNBOOKS.read_text(encoding="utf-8"), "python -m infra.operations.alarm_rules prints it"
    assert set(anchors()) - set(rules()) == {"All alarms"}
