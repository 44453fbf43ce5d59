"""What tells people of a stage: who is told, dashboards, objectives, the canary, and what is read out of the log."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from careline.log.catalogue import events
from careline.log.event_log import EventLog
from careline.log.formatters import JsonLines
from careline.telemetry.metric_catalogue import metrics
from infra.operations import logged
from infra.operations.dashboards import WIDE, bodies
from infra.operations.example import example
from tests.infra.conftest import Templates

ROOT = Path(__file__).resolve().parents[2]
QUESTIONS = ROOT / "events" / "schedule_canary.json"
BOARDS = bodies(example("prod", "canary", "firewall", "voice"), "docs/runbooks.md", ["arn:aws:cloudwatch:…:alarm:a"])


def statements(stage: Templates, role: str) -> list[dict[str, Any]]:
    policies = [*stage.of("AWS::IAM::Policy").values(), *stage.of("AWS::IAM::ManagedPolicy").values()]
    return [
        statement
        for policy in policies
        for statement in policy["PolicyDocument"]["Statement"]
        if any(each["Ref"].startswith(role) for each in policy.get("Roles", ()))
    ]


def log_groups(stage: Templates) -> set[str]:
    """Those whose name is written out, as every one of ours is."""
    return {
        name for one in stage.of("AWS::Logs::LogGroup").values() if isinstance(name := one.get("LogGroupName"), str)
    }


def test_development_has_no_canary_so_that_its_search_can_sleep(dev: Templates) -> None:
    assert dev.of("AWS::Scheduler::Schedule") == {}
    assert not any("canary" in one["FunctionName"] for one in dev.of("AWS::Lambda::Function").values())


def test_the_canary_may_ask_the_orchestrator_over_its_url_and_nothing_else(prod: Templates) -> None:
    did = {}
    for one in statements(prod, "CanaryAsksRole"):
        actions = [one["Action"]] if isinstance(one["Action"], str) else one["Action"]
        did.update(dict.fromkeys(actions, one.get("Condition")))
    assert set(did) == {
        "logs:CreateLogStream", "logs:PutLogEvents", "xray:PutTraceSegments", "xray:PutTelemetryRecords",
        "lambda:InvokeFunctionUrl", "lambda:InvokeFunction",
    }  # fmt: skip
    assert did["lambda:InvokeFunction"] == {"Bool": {"lambda:InvokedViaFunctionUrl": True}}


def test_the_orchestrator_knows_the_role_of_the_canary_as_a_caller(prod: Templates) -> None:
    assert "careline-prod-canary" in [one.get("RoleName") for one in prod.of("AWS::IAM::Role").values()]
    (variables,) = [
        one["Environment"]["Variables"]
        for one in prod.of("AWS::Lambda::Function").values()
        if one["FunctionName"].endswith("-orchestrator")
    ]
    assert "careline-prod-canary=caller" in json.dumps(variables["CARELINE_IAM_ROLES"])


def test_the_canary_is_sent_the_questions_of_the_sample_event(prod: Templates) -> None:
    (schedule,) = prod.of("AWS::Scheduler::Schedule").values()
    assert json.loads(schedule["Target"]["Input"]) == json.loads(QUESTIONS.read_text())
    assert schedule["ScheduleExpression"] == "rate(15 minutes)"
    (canary,) = [one for one in prod.of("AWS::Lambda::Function").values() if one["FunctionName"].endswith("-canary")]
    assert set(canary["Environment"]["Variables"]) == {"CARELINE_STAGE", "CARELINE_ORCHESTRATOR_URL"}
    assert canary["Timeout"] < 15 * 60
    assert canary["LoggingConfig"]["LogFormat"] == "JSON"
    assert canary["TracingConfig"] == {"Mode": "Active"}


def made(outdir: Path, **chosen: Any) -> Templates:
    """The templates of prod with other settings."""
    from infra.app import make_app
    from infra.settings import PROD

    make_app(replace(PROD, **chosen), str(outdir), bundle=False).synth()
    return Templates(outdir)


@pytest.mark.usefixtures("stages")
def test_somebody_who_is_named_is_told_of_alarms_and_of_what_aws_costs(tmp_path: Path) -> None:
    address, runbooks = "wacht@ziekenhuis.example", "https://x.example/runbooks.md"
    told = made(tmp_path, alarm_mail=address, account="222222222222", runbooks=runbooks)
    (subscription,) = told.of("AWS::SNS::Subscription").values()
    assert (subscription["Protocol"], subscription["Endpoint"]) == ("email", address)
    (budget,) = told.of("AWS::Budgets::Budget").values()
    assert budget["Budget"]["BudgetLimit"] == {"Amount": 650, "Unit": "USD"}
    assert [one["Subscribers"] for one in budget["NotificationsWithSubscribers"]] == 3 * [
        [{"Address": address, "SubscriptionType": "EMAIL"}]
    ]
    # Those of a deployment under way are about that deployment alone.
    alarms = {name: one for name, one in told.of("AWS::CloudWatch::Alarm").items() if not name.startswith("Live")}
    assert alarms
    assert all(f" {runbooks}#" in one["AlarmDescription"] for one in alarms.values())


@pytest.mark.usefixtures("stages")
def test_production_in_a_real_account_is_refused_when_nobody_would_be_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nobody is told"):
        made(tmp_path, account="222222222222")


@pytest.mark.usefixtures("stages")
def test_production_is_compared_and_destroyed_without_naming_anybody(tmp_path: Path) -> None:
    assert made(tmp_path, account="222222222222", makes_alarms=False).of("AWS::SNS::Subscription") == {}


def test_alarms_may_publish_to_their_topic_and_nobody_may_without_tls(stage: Templates) -> None:
    (topic,) = stage.of("AWS::SNS::Topic")
    (policy,) = stage.of("AWS::SNS::TopicPolicy").values()
    said = policy["PolicyDocument"]["Statement"]
    (allowed,) = [one for one in said if one["Effect"] == "Allow"]
    assert allowed["Principal"] == {"Service": "cloudwatch.amazonaws.com"}
    assert (allowed["Action"], allowed["Resource"]) == ("sns:Publish", {"Ref": topic})
    assert "aws:SourceAccount" in allowed["Condition"]["StringEquals"]
    assert [one for one in said if one["Effect"] == "Deny"]


def test_the_dashboards_are_in_the_template(stage: Templates) -> None:
    names = {one["DashboardName"].rpartition("-")[2] for one in stage.of("AWS::CloudWatch::Dashboard").values()}
    assert names == {"service", "machinery"} == set(BOARDS)
    for one in stage.of("AWS::CloudWatch::Dashboard").values():
        parts = one["DashboardBody"]
        text = parts if isinstance(parts, str) else "".join(
            part if isinstance(part, str) else "reference" for part in parts["Fn::Join"][1]
        )
        assert json.loads(text)["widgets"]


@pytest.mark.parametrize("name", BOARDS)
def test_pictures_of_a_dashboard_lie_beside_each_other(name: str) -> None:
    taken: set[tuple[int, int]] = set()
    for one in BOARDS[name]["widgets"]:
        assert one["x"] + one["width"] <= WIDE
        fields = {
            (x, y) for x in range(one["x"], one["x"] + one["width"]) for y in range(one["y"], one["y"] + one["height"])
        }
        assert not fields & taken
        taken |= fields


@pytest.mark.parametrize("name", BOARDS)
def test_every_picture_has_a_title_and_lines_with_ids_that_differ(name: str) -> None:
    for one in BOARDS[name]["widgets"]:
        if one["type"] != "metric":
            continue
        properties = one["properties"]
        assert properties["title"]
        ids = [each[-1]["id"] for each in properties["metrics"] if "id" in each[-1]]
        assert len(ids) == len(set(ids))
        known = {each[-1].get("id") for each in properties["metrics"] if not each[-1].get("expression")}
        for each in properties["metrics"]:
            expression = re.sub(r"SEARCH\(.*\)", "", each[-1].get("expression", ""))
            assert set(re.findall(r"\b[a-z]\w*", expression)) <= known


def test_what_nothing_measures_yet_stands_on_the_dashboard_of_the_service() -> None:
    text = json.dumps(BOARDS["service"])
    gaps = [one.name for one in metrics().values() if one.origin == "none"]
    assert gaps
    assert all(f"`{name}`" in text for name in gaps)


@pytest.mark.parametrize("name", BOARDS)
def test_the_four_success_metrics_stand_in_the_first_row(name: str) -> None:
    first = [one for one in BOARDS[name]["widgets"] if one["y"] == 2]
    assert len(first) == 4
    text = json.dumps(first)
    told = ("advice_withheld", "first_audio_ms", "answers_cited", "Answers about the wrong thing")
    assert all(name in text for name in told)


def test_an_objective_counts_what_the_catalogue_has_and_tells_how_fast_it_burns(watched_stage: Templates) -> None:
    objectives = watched_stage.of("AWS::ApplicationSignals::ServiceLevelObjective").values()
    assert len(objectives) == 4, "that of the telephone too"
    for one in objectives:
        assert [each["LookBackWindowMinutes"] for each in one["BurnRateConfigurations"]] == [60, 360]
        asked = one["RequestBasedSli"]["RequestBasedSliMetric"]
        for each in (*asked["TotalRequestCountMetric"], *asked["MonitoredRequestCountMetric"]["BadCountMetric"]):
            metric = each["MetricStat"]["Metric"]
            assert (metric["Namespace"], metric["MetricName"] in metrics()) == ("Careline", True)
    alarms = [one.get("AlarmName", "") for one in watched_stage.of("AWS::CloudWatch::Alarm").values()]
    for one in objectives:
        name = one["Name"].split("-", 2)[2]
        assert {how for how in ("fast", "slowly") if any(f"-burns-{how}-{name}" in each for each in alarms)} == {
            "fast", "slowly",
        }  # fmt: skip


class Written(logging.Handler):
    """Lines of the log as Lambda writes them."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(json.loads(JsonLines("test").format(record)))


@pytest.fixture
def written() -> Iterator[Written]:
    handler = Written()
    logger = logging.getLogger("careline.test_operations")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler
    logger.removeHandler(handler)


def matches(pattern: str, line: dict[str, Any]) -> bool:
    """Whether CloudWatch Logs would count a line; of its patterns those that are used."""
    found = re.fullmatch(r"\{ (.*) \}", pattern)
    assert found is not None
    for part in found[1].split(" && "):
        name, compared, value = re.fullmatch(r"\$\.(\w+) (=|IS) (\S+)", part).groups()  # type: ignore[union-attr]
        wanted: Any = value == "TRUE" if compared == "IS" else value.strip('"')
        if line.get(name) != wanted:
            return False
    return True


@pytest.mark.parametrize("name", [one.name for one in metrics().values() if one.origin == "log"])
def test_a_filter_counts_the_line_that_it_is_for_and_no_other(name: str, written: Written) -> None:
    read = metrics()[name].logged_as
    log = EventLog("careline.test_operations")
    code = read.code or "unexpected_error"
    fields: dict[str, Any] = dict.fromkeys(events()[code].fields, 3)
    if read.having and read.having[0] in fields:
        fields[read.having[0]] = read.having[1] == "true" if read.having[1] in ("true", "false") else read.having[1]
    log.write(code, **fields)
    log.write("purge_waiting", error="X")
    log.write("audit_chain_read", count=3, intact=True)
    log.write("job_ended", outcome="superseded")
    (line,) = [line for line in written.lines if matches(logged.pattern(read), line)]
    assert line["code"] == code
    assert read.counted is None or line[read.counted] == 3


def test_every_metric_of_the_log_is_counted_in_the_log_of_somebody(stage: Templates) -> None:
    filters = stage.of("AWS::Logs::MetricFilter").values()
    groups = log_groups(stage)
    counted = {each["MetricName"] for one in filters for each in one["MetricTransformations"]}
    assert counted == {one.name for one in metrics().values() if one.origin == "log"}
    assert {one["LogGroupName"] for one in filters} <= groups


def test_saved_questions_ask_logs_that_there_are_for_fields_that_lines_have(stage: Templates) -> None:
    groups = log_groups(stage)
    ours = {name for event in events().values() for name in event.fields}
    known = ours | {"timestamp", "level", "code", "message", "function", "trace", "job", "turn", "bin", "h", "lines"}
    for one in stage.of("AWS::Logs::QueryDefinition").values():
        assert set(one["LogGroupNames"]) <= groups
        assert one["LogGroupNames"]
        (fields,) = re.findall(r"^fields (.*)$", one["QueryString"], re.MULTILINE) or ["code"]
        assert {field.lstrip("@") for field in fields.split(", ")} <= known


def test_the_operations_are_deployed_after_all_that_they_watch(stage: Templates) -> None:
    manifest = json.loads((stage.outdir / "manifest.json").read_text())
    stacks = {name for name in stage.stacks if not name.endswith("-operations")}
    (operations,) = set(stage.stacks) - stacks
    assert stacks <= set(manifest["artifacts"][operations]["dependencies"])
