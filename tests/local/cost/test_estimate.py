"""A month's cost: sums, what grows with what, and a small case added up by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as some

from careline_local.cli.main import main
from careline_local.cost.estimate import HOURS, VENDORS, estimate
from careline_local.cost.prices import prices
from careline_local.cost.published import ROWS, TOTAL_EUR, beside
from careline_local.cost.resources import Resources, Task, counted, of_stage
from careline_local.cost.usage import EVERY_QUERY_A_CALL, HOSPITALS, Usage

NOTHING = replace(Usage(0), documents=0, people=0, awake_hours=0, indexing_hours=0, library_gb=0, metrics=0)


def price(name: str) -> float:
    return prices().prices[name].usd


def test_nothing_that_nobody_uses_costs_nothing() -> None:
    assert estimate(Resources(), NOTHING).total == 0


def test_a_small_case_by_hand() -> None:
    """Two search units, a key, three alarms and one waiting task; a hundred chats of 2,000 + 100 tokens."""
    there = Resources(search_units=2, keys=1, alarms=3, tasks=(Task(1, 1.0, 2.0),), functions={"orchestrator": 2.0})
    used = replace(NOTHING, queries=100, voice_share=0.0)
    standing = 2 * 730 * 0.24 + 1.0 + 3 * 0.10 + 730 * (0.03238 + 2 * 0.00356)
    functions = (100 * 2.5 * 2.0 + 100 * 0.3 * 0.5) * 0.0000133334 + 200 * 0.0000002
    chat = 100 * (0.0000035 + 0.0000006)
    records = 100 * (15 * 0.0000001415 + 16 * 0.000000705) + 0.002 * (0.283 + 0.226)
    rest = 300 * 0.0000005 + 0.0005 * 0.57 + 5 * 0.000005 + 200 * 0.000003 + 0.0008 * 0.09
    model = 100 * (2000 * 0.0000004 + 100 * 0.0000016)
    assert estimate(there, used).total == pytest.approx(standing + functions + chat + records + rest + model)
    assert estimate(there, used).of_vendors == pytest.approx(model)


@pytest.mark.parametrize("hospital", HOSPITALS)
@pytest.mark.parametrize("stage", ["dev", "prod"])
def test_the_total_is_the_sum_of_its_lines_and_of_its_services(stage: str, hospital: str) -> None:
    month = estimate(of_stage(stage), HOSPITALS[hospital])
    assert month.total == pytest.approx(sum(line.quantity * price(line.price) for line in month.lines))
    assert month.total == pytest.approx(sum(month.by_service().values()))
    assert 0 < month.of_vendors < month.total
    assert month.of_vendors == pytest.approx(sum(month.by_service()[name] for name in VENDORS))


@given(queries=some.integers(0, 10**6), more=some.integers(1, 10**6), share=some.floats(0, 1))
def test_more_queries_never_cost_less(queries: int, more: int, share: float) -> None:
    used = Usage(queries, voice_share=share)
    there = of_stage("prod")
    assert estimate(there, replace(used, queries=queries + more)).total > estimate(there, used).total


@given(share=some.floats(0, 0.9))
def test_a_telephone_costs_more_than_a_chat(share: float) -> None:
    there, used = of_stage("prod"), Usage(10_000, voice_share=share)
    assert estimate(there, replace(used, voice_share=share + 0.1)).total > estimate(there, used).total


def test_calls_are_billed_by_whole_minutes() -> None:
    used = Usage(300, voice_share=1.0, turns_per_call=3.0, seconds_per_call=61.0)
    assert (used.calls, used.billed_minutes) == (100, 200)
    assert used.minutes == pytest.approx(101.7, abs=0.1)


def test_a_stage_that_may_sleep_is_paid_for_the_hours_it_was_woken() -> None:
    used = replace(NOTHING, awake_hours=10, awake_units=2)
    assert estimate(Resources(), used).total == pytest.approx(20 * 0.24)
    assert estimate(Resources(search_units=2), used).total == pytest.approx(2 * HOURS * 0.24)


def idle(stage: str) -> float:
    """Dollars of a month in which nobody asks."""
    return estimate(of_stage(stage), HOSPITALS["middle"].idle()).total


def test_an_idle_prod_stage_stays_below_what_is_promised() -> None:
    assert idle("prod") <= 650


def test_an_idle_dev_stage_costs_ten_dollars_at_most() -> None:
    assert idle("dev") <= 10


def test_every_price_is_used_by_a_line_or_a_row_and_has_a_source() -> None:
    in_rows = {name for *_, made_of in ROWS for name in made_of}
    assert in_rows == set(prices().prices)
    assert all(one.source and one.unit for one in prices().prices.values())


def test_the_published_estimate_adds_up_and_every_line_of_ours_stands_beside_it_once() -> None:
    assert sum(euros for _, euros, *_ in ROWS) == pytest.approx(TOTAL_EUR, abs=5)
    month = estimate(of_stage("prod"), EVERY_QUERY_A_CALL)
    assert sum(row["ours_eur"] for row in beside(month, 1.0)) == pytest.approx(month.total, abs=0.1)
    assert sum(len(made_of) for *_, made_of in ROWS) == len(prices().prices)


def a_template(folder: Path) -> Path:
    resources = {
        "Group": {"Type": "AWS::OpenSearchServerless::CollectionGroup", "Properties": {"CapacityLimits": {
            "MinSearchCapacityInOcu": 2, "MinIndexingCapacityInOcu": 0}}},
        "Acl": {"Type": "AWS::WAFv2::WebACL", "Properties": {"Rules": [{}, {}, {}]}},
        "Gateway": {"Type": "AWS::EC2::VPCEndpoint", "Properties": {"VpcEndpointType": "Gateway"}},
        "Interface": {"Type": "AWS::EC2::VPCEndpoint", "Properties": {
            "VpcEndpointType": "Interface", "SubnetIds": ["a", "b", "c"]}},
        "Size": {"Type": "AWS::ECS::TaskDefinition", "Properties": {"Cpu": "1024", "Memory": "2048"}},
        "Service": {"Type": "AWS::ECS::Service", "Properties": {
            "DesiredCount": 2, "TaskDefinition": {"Ref": "Size"}}},
        "Function": {"Type": "AWS::Lambda::Function", "Properties": {
            "FunctionName": "careline-prod-orchestrator", "MemorySize": 2048,
            "SnapStart": {"ApplyOn": "PublishedVersions"}}},
    }  # fmt: skip
    (folder / "one.template.json").write_text(json.dumps({"Resources": resources}))
    return folder


def test_resources_are_counted_in_templates(tmp_path: Path) -> None:
    there = counted(a_template(tmp_path))
    assert (there.search_units, there.web_acl_rules, there.endpoint_zones) == (2, 3, 3)
    assert there.tasks == (Task(2, 1.0, 2.0),)
    assert (there.functions, there.snapshots) == ({"orchestrator": 2.0}, ("orchestrator",))


def test_the_command_tells_lines_whose_sum_is_the_total_and_where_prices_are_from() -> None:
    done = CliRunner().invoke(main, ["cost", "--hospital", "small", "--stage", "dev", "--json"])
    said = json.loads(done.stdout)
    (idle, used) = said["months"]
    assert (idle["use"], used["use"]) == ("idle", "in use")
    assert used["total_usd"] == pytest.approx(sum(line["cost"] for line in used["lines"]), abs=0.02)
    assert said["prices"]["checked"]
    assert said["usage"]["small"]["queries"] == 2000


def test_the_use_can_be_given() -> None:
    def total(*more: str) -> float:
        line = ["cost", "--hospital", "middle", "--stage", "prod", "--json", *more]
        return float(json.loads(CliRunner().invoke(main, line).stdout)["months"][1]["total_usd"])

    assert total("--queries", "50000") > total()
    assert total("--without-model") < total()
    assert total("--set", "prompt_tokens=20000") > total()
    assert CliRunner().invoke(main, ["cost", "--set", "no_figure=1"]).exit_code == 1
    assert CliRunner().invoke(main, ["cost", "--assembly", "/nowhere"]).exit_code == 1


NUMBERS = sorted(name for name in Usage.__slots__ if not isinstance(getattr(HOSPITALS["middle"], name), bool))


@pytest.mark.parametrize("figure", NUMBERS)
def test_no_figure_of_the_use_breaks_the_estimate_when_it_is_nothing(figure: str) -> None:
    done = CliRunner().invoke(main, ["cost", "--hospital", "middle", "--stage", "prod", "--set", f"{figure}=0"])
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert done.exit_code == 0 or f"{figure} must be a number from 1 on" in done.stderr


@pytest.mark.parametrize("figure", ["turns_per_call", "seconds_per_call"])
def test_a_call_has_a_turn_and_a_second_whichever_option_says_it(figure: str) -> None:
    assert CliRunner().invoke(main, ["cost", "--set", f"{figure}=0.5"]).exit_code == 1
    assert CliRunner().invoke(main, ["cost", f"--{figure.replace('_', '-')}", "0.5"]).exit_code == 2
