"""What `careline cloud check` says of a stage that lacks one thing or another."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator, Mapping
from typing import Any

import boto3
import pytest
from botocore.exceptions import EndpointConnectionError
from click.testing import CliRunner
from moto import mock_aws

from careline.schemas import wire
from careline_local.cli.cloud import cloud
from careline_local.cli.main import main
from careline_local.cloud import check, outputs, preflight
from careline_local.cloud.check import Check, Probe, alarms
from careline_local.cloud.findings import CloudUnknown
from careline_local.cloud.http_client import ApiGone, Refused, Reply
from careline_local.cloud.outputs import Deployed, deployed
from careline_local.doctor import Finding

REGION = "eu-west-1"
PACKS = {"packs": [{"name": "hospital_line", "titles": {}, "languages": ["nl", "en"], "audience": "public"}]}
INTACT = {"intact": True, "nothing": None, "entries": 3, "fault": None}


class Clock:
    """Time that passes only while one waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


class Stage:
    """A deployed stage in memory. `lacks` takes away one thing that it should do."""

    def __init__(self, *lacks: str) -> None:
        self._lacks = set(lacks)
        self.documents: set[str] = set()
        self.conversations: set[str] = set()
        self.title = ""
        self.jobs = 0

    def get(self, path: str) -> Reply:
        return self.request("GET", path)

    def request(self, method: str, path: str, body: bytes = b"", kind: str = "") -> Reply:
        if "everything" in self._lacks:
            raise ApiGone("api.example does not answer (ConnectionRefusedError)")
        if method == "DELETE":
            return self._delete(path)
        answers: Mapping[str, Any] = {
            "/health": (404, None),
            "/v1/packs": (403, {"message": "Unauthorized"}) if "login" in self._lacks else (200, PACKS),
            "/v1/jobs/1": (200, self._job()),
            "/v1/turns/t": (404, None) if "record" in self._lacks else (200, {"turn_id": "t"}),
            "/v1/admin/audit/verification": (200, {**INTACT, "intact": "audit" not in self._lacks, "fault": 2}),
        }
        return Reply(*answers[path])

    def _job(self) -> dict[str, Any]:
        self.jobs += 1
        state = "failed" if "indexing" in self._lacks else "running" if self._is_running() else "completed"
        return {"job_id": "1", "state": state, "stage": "index", "error_message": "no letters.json"}

    def _is_running(self) -> bool:
        return self.jobs < 3 or "an end" in self._lacks

    def _delete(self, path: str) -> Reply:
        if "deletion" in self._lacks:
            return Reply(500, None)
        kind, _, name = path.removeprefix("/v1/").partition("/")
        there = self.documents if kind == "documents" else self.conversations
        if name not in there:
            return Reply(404, None)
        there.discard(name)
        return Reply(200, {})

    def upload(self, name: str, content: bytes, facts: Mapping[str, str]) -> Reply:
        if "firewall" in self._lacks:
            return Reply(403, {"message": "Forbidden"})
        if "patience" in self._lacks:
            return Reply(504, {"message": "Endpoint request timed out"})
        if "an answer" in self._lacks:
            raise ApiGone("api.example does not answer (TimeoutError)")
        if "a page yet" not in self._lacks:
            self.documents.add(facts["doc_key"])
        self.title = facts["title"]
        return Reply(202, {"job": {"job_id": "1", "state": "pending", "stage": None, "error_message": None}})

    def ask(self, question: wire.QueryRequest) -> Generator[wire.Event]:
        if "connection" in self._lacks:
            raise ApiGone("api.example does not answer (ConnectionResetError)")
        if "questions" in self._lacks:
            raise Refused(Reply(504, {"message": "Endpoint request timed out"}))
        yield wire.Meta(turn_id="t", trace_id="t", conversation_id="c", pack="hospital_line", channel="chat")
        self.conversations.add("c")
        yield wire.Token.model_validate_json('{"text": "Van 7.10 tot 7.40 uur. [1]"}')
        if "stream" in self._lacks:
            return
        if "a known event" in self._lacks:
            yield wire.Token.model_validate_json('{"words": 1}')
        yield wire.Done(answer=self._answer())

    def _answer(self) -> wire.Answer:
        (key,) = self.documents
        cited = {
            "number": 1, "doc_key": "another" if "citation" in self._lacks else key, "version": 1, "title": self.title,
            "source": "a.md", "source_type": "webpage", "section": "", "page": None, "chunk_id": "c", "excerpt": "",
            "score": 1.0, "reference": "",
        }  # fmt: skip
        known = {name: value for name, value in cited.items() if name in wire.Citation.model_fields}
        citation = wire.Citation.model_construct(**known)
        return wire.Answer.model_construct(
            id="t", conversation_id="c", text="Van 7.10 tot 7.40 uur. [1]", citations=[citation], warnings=[],
            disposition="answered", reason=None,
        )  # fmt: skip


class Unsigned(Stage):
    """The same stage for somebody without a login."""

    def get(self, path: str) -> Reply:
        found = super().get(path)
        return Reply(403, {"message": "Missing Authentication Token"}) if found.status == 200 else found


def checked(*lacks: str) -> tuple[dict[str, Finding], Stage]:
    stage, clock = Stage(*lacks), Clock()
    run = Check(stage, Unsigned(*lacks), "careline-dev", clock=clock, pause=clock.wait).run()  # type: ignore[arg-type]
    return {one.name: one for one in run}, stage


def test_a_stage_that_works_is_found_to_and_left_as_it_was() -> None:
    found, stage = checked()
    assert {one.state for one in found.values()} == {"ok"}
    assert list(found) == ["health", "locked", "sign-in", "upload", "question", "record", "audit", "clean-up"]
    assert (stage.documents, stage.conversations) == (set(), set())


@pytest.mark.parametrize(
    ("lacks", "check_name", "advice"),
    [
        ("login", "sign-in", "CLOUD_CHECK_TOKEN"),
        ("firewall", "upload", "web ACL"),
        ("indexing", "upload", "/aws/lambda/careline-dev-ingestion-index"),
        ("an end", "upload", "Step Functions"),
        ("questions", "question", "/aws/lambda/careline-dev-orchestrator"),
        ("stream", "question", "29 s"),
        ("a known event", "question", "that was deployed"),
        ("citation", "question", "CARELINE_EMBEDDER"),
        ("record", "record", "/aws/lambda/careline-dev-telemetry"),
        ("audit", "audit", "When something fails"),
        ("deletion", "clean-up", "by hand"),
    ],
)
def test_what_is_missing_is_told_with_where_to_look(lacks: str, check_name: str, advice: str) -> None:
    found, _ = checked(lacks)
    assert [name for name, one in found.items() if one.state == "fail"] == [check_name]
    assert advice in found[check_name].advice


@pytest.mark.parametrize("lacks", ["indexing", "questions", "stream", "citation", "record", "audit"])
def test_what_was_taken_in_is_deleted_also_when_a_check_fails(lacks: str) -> None:
    assert checked(lacks)[1].documents == set()


def until_it_breaks(*lacks: str) -> tuple[list[Finding], Stage]:
    """The findings before the API is gone."""
    stage, clock = Stage(*lacks), Clock()
    found: list[Finding] = []
    run = Check(stage, Unsigned(*lacks), clock=clock, pause=clock.wait).run()  # type: ignore[arg-type]
    with pytest.raises(ApiGone):
        found.extend(one for one in run)
    return found, stage


@pytest.mark.parametrize(("lacks", "state"), [((), "ok"), (("deletion",), "fail")])
def test_what_became_of_the_page_is_told_also_when_the_api_goes_away(lacks: tuple[str, ...], state: str) -> None:
    found, stage = until_it_breaks("connection", *lacks)
    assert (found[-1].name, found[-1].state) == ("clean-up", state)
    assert bool(stage.documents) == (state == "fail")


def test_a_check_that_nobody_listens_to_any_more_cleans_up() -> None:
    stage, clock = Stage(), Clock()
    run = Check(stage, Unsigned(), clock=clock, pause=clock.wait).run()  # type: ignore[arg-type]
    while next(run).name != "upload":
        pass
    assert stage.documents
    run.close()  # type: ignore[attr-defined]
    assert stage.documents == set()


def test_a_page_whose_upload_timed_out_or_did_not_end_may_come_to_life_later() -> None:
    unfinished = checked("an end", "a page yet")[0]["clean-up"]
    for one in (until_it_breaks("an answer")[0][-1], checked("patience")[0]["clean-up"], unfinished):
        assert one.state == "warn"
        assert "/v1/documents/webpage-careline-check-" in one.found
    assert checked("firewall")[0]["clean-up"].state == "ok"


class Console(Stage):
    """What answers everything with its page, as a console does whose paths are all its own."""

    def request(self, method: str, path: str, body: bytes = b"", kind: str = "") -> Reply:
        return Reply(200, None if path in self._lacks else super().request(method, path).body)


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("/health", "health"), ("/v1/packs", "sign-in"), ("/v1/jobs/1", "upload"), ("/v1/turns/t", "record"),
        ("/v1/admin/audit/verification", "audit"),
    ],
)  # fmt: skip
def test_an_address_that_answers_with_a_page_is_no_api_of_careline(page: str, name: str) -> None:
    stage, clock = Console(page), Clock()
    run = Check(stage, stage, clock=clock, pause=clock.wait).run()  # type: ignore[arg-type]
    found = {one.name: one for one in run}
    assert found[name].state == "fail"
    assert "no API of Careline" in found[name].found
    assert "ApiUrl" in found[name].advice


def test_what_was_found_before_the_api_went_away_is_told_to_programs_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaves(*given: Any) -> Iterator[Finding]:
        yield Finding("health", "ok", "it answers")
        raise ApiGone("api.example does not answer (TimeoutError)")

    monkeypatch.setattr(cloud, "_checked", leaves)
    done = CliRunner().invoke(main, ["cloud", "check", "--api", "http://api.example", "--json"])
    said = json.loads(done.stdout)
    assert (done.exit_code, said["ok"], [one["name"] for one in said["checks"]]) == (3, False, ["health"])
    assert "does not answer" in done.stderr


@pytest.mark.parametrize(
    "address",
    [
        "localhost:8080", "http://h:abc", "http://", "h", "ftp://h", "http://[::1", "http://h h", "http://me:x@h",
        "http://h/?a", "http://h/\u00fc",
    ],
)  # fmt: skip
def test_an_address_that_is_none_is_wrong_usage(address: str) -> None:
    done = CliRunner().invoke(main, ["cloud", "check", "--api", address])
    assert done.exit_code == 2
    assert "http:// or https://" in done.stderr


def test_who_signs_without_credentials_is_told_to_log_in(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, "/nowhere")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    line = ["cloud", "check", "--api", "https://api.example", "--sign", "--region", REGION]
    done = CliRunner().invoke(main, line)
    assert (done.exit_code, "aws sso login" in done.stderr) == (2, True)


@pytest.mark.parametrize("token", ["two\nlines", "Bearer abc", "t\u00f6ken"])
def test_what_is_no_token_is_told_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    monkeypatch.setenv("CLOUD_CHECK_TOKEN", token)
    done = CliRunner().invoke(main, ["cloud", "check", "--api", "http://127.0.0.1:9"])
    assert (done.exit_code, "CLOUD_CHECK_TOKEN: this is no token" in done.stderr) == (2, True)
    assert token not in done.stderr


def test_the_end_of_a_line_after_a_token_is_no_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Any] = []

    def checks(session: Any, there: Any, shown: Any) -> Iterator[Finding]:
        heard.append(shown("GET", "", b"", {}))
        yield Finding("health", "ok", "it answers")

    monkeypatch.setattr(cloud, "_checked", checks)
    monkeypatch.setenv("CLOUD_CHECK_TOKEN", "token\r\n")
    assert CliRunner().invoke(main, ["cloud", "check", "--api", "http://127.0.0.1:9"]).exit_code == 0
    assert heard == [{"authorization": "Bearer token"}]


def test_half_of_a_pair_of_credentials_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "half")
    for name in ("AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(CloudUnknown, match="PartialCredentialsError"):
        deployed(boto3.Session(region_name=REGION), "careline-dev")


def test_a_user_pool_that_does_not_answer_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    class Away:
        def client(self, name: str) -> Any:
            raise EndpointConnectionError(endpoint_url=f"https://{name}.{REGION}.amazonaws.com")

    monkeypatch.setattr(preflight, "session", lambda region: Away())
    there = Deployed("http://127.0.0.1:9", pool="eu-west-1_1", prefix="careline-dev")
    monkeypatch.setattr(outputs, "deployed", lambda aws, prefix: there)
    done = CliRunner().invoke(main, ["cloud", "check", "--stack", "careline-dev", "--json"])
    assert (done.exit_code, json.loads(done.stdout)) == (2, {"ok": False, "checks": []})
    assert re.search("EndpointConnectionError.*CLOUD_CHECK_TOKEN", done.stderr)


def test_nobody_at_the_address_is_an_engine_that_does_not_answer() -> None:
    with pytest.raises(ApiGone, match="does not answer"):
        checked("everything")
    done = CliRunner().invoke(main, ["cloud", "check", "--api", "http://127.0.0.1:9"])
    assert done.exit_code == 3


def test_either_a_stage_or_an_address_is_checked() -> None:
    assert CliRunner().invoke(main, ["cloud", "check"]).exit_code == 2
    assert CliRunner().invoke(main, ["cloud", "check", "--stack", "a", "--api", "b"]).exit_code == 2


def test_every_language_has_a_page_a_question_and_a_fact_that_stands_in_the_page() -> None:
    for language in check.texts():
        probe = Probe.made(language)
        assert probe.fact in probe.text
        assert probe.title.split()[-1 if language != "en" else 0] in probe.question
        assert "{" not in probe.text + probe.question + probe.title


def test_two_checks_never_speak_of_the_same() -> None:
    assert len({Probe.made("nl").doc_key for _ in range(50)}) == 50


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    with mock_aws():
        yield boto3.Session(region_name=REGION)


def alarm(session: Any, name: str, state: str = "OK") -> None:
    client = session.client("cloudwatch")
    client.put_metric_alarm(
        AlarmName=name, MetricName="m", Namespace="n", Period=60, EvaluationPeriods=1, Threshold=1.0,
        ComparisonOperator="GreaterThanThreshold", Statistic="Sum",
    )  # fmt: skip
    client.set_alarm_state(AlarmName=name, StateValue=state, StateReason="test")


def test_an_alarm_that_rings_is_named_and_another_stage_s_is_not(session: Any) -> None:
    topic = session.client("sns").create_topic(Name="t")["TopicArn"]
    alarm(session, "careline-dev-outbox")
    alarm(session, "careline-prod-outbox", "ALARM")
    found = {one.name: one for one in alarms(session, "careline-dev", topic)}
    assert found["alarms"].state == "ok"
    assert found["subscribers"].state == "warn"
    assert "ALARMS=" in found["subscribers"].advice
    assert {one.name: one.state for one in alarms(session, "careline-prod", topic)}["subscribers"] == "fail"
    session.client("sns").subscribe(TopicArn=topic, Protocol="https", Endpoint="https://ops.example")
    alarm(session, "careline-dev-outbox", "ALARM")
    found = {one.name: one for one in alarms(session, "careline-dev", topic)}
    assert "careline-dev-outbox" in found["alarms"].found
    assert found["subscribers"].state == "ok"


def test_a_stage_without_alarms_is_not_called_quiet(session: Any) -> None:
    (found,) = alarms(session, "careline-dev", None)
    assert found.state == "fail"


def stack(session: Any, name: str, outputs: Mapping[str, str]) -> None:
    template = {
        "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}},
        "Outputs": {key: {"Value": value} for key, value in outputs.items()},
    }
    session.client("cloudformation").create_stack(StackName=name, TemplateBody=json.dumps(template))


def test_a_stage_is_found_by_the_outputs_of_its_stacks(session: Any) -> None:
    stack(session, "careline-dev-data", {"AlarmTopic": "arn:aws:sns:eu-west-1:1:t"})
    stack(session, "careline-dev-api", {"ApiUrl": "https://api.example/dev/"})
    stack(session, "careline-dev-identity", {"UserPoolId": "pool"})
    there = deployed(session, "careline-dev")
    assert (there.api, there.topic, there.pool) == ("https://api.example/dev", "arn:aws:sns:eu-west-1:1:t", "pool")


def test_a_stage_that_is_not_there_is_a_slip_of_who_asks(session: Any) -> None:
    with pytest.raises(CloudUnknown, match="eu-west-1"):
        deployed(session, "careline-dev")
    line = ["cloud", "check", "--stack", "careline-dev", "--region", REGION]
    assert CliRunner().invoke(main, line).exit_code == 2
