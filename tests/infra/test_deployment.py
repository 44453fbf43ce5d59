"""Deploying, destroying and taking back a version: what is told, what is run, and what is left."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from infra.deployment import __main__ as program
from infra.deployment import command_line
from infra.deployment.kept import kept, protected
from infra.deployment.old_versions import KEPT, drop_old_versions, versions
from infra.deployment.roll_back import NothingBefore, roll_back
from infra.deployment.target import TargetUnknown, target
from infra.settings import LIVE
from tests.infra.conftest import Templates

ACCOUNT = "123456789012"


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    for name in ("AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "CDK_QUALIFIER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    with mock_aws():
        yield


class Cdk:
    """In place of the CDK command line: what it was asked for."""

    def __init__(self, assembly: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.runs: list[list[str]] = []
        self.regions: list[str] = []
        monkeypatch.setattr(command_line, "install", lambda: None)
        monkeypatch.setattr(command_line, "run", self.run)
        monkeypatch.setattr(program, "_assembly", lambda chosen: assembly)

    def run(self, arguments: Sequence[str], environment: dict[str, str]) -> int:
        self.runs.append(list(arguments))
        self.regions.append(environment["AWS_REGION"])
        return 0


@pytest.fixture
def cdk(prod: Templates, monkeypatch: pytest.MonkeyPatch) -> Cdk:
    monkeypatch.setattr(program.shutil, "rmtree", lambda *args, **more: None)
    return Cdk(prod.outdir, monkeypatch)


@pytest.mark.usefixtures("account")
def test_a_stage_goes_to_the_account_of_the_credentials_and_the_region_that_is_given(cdk: Cdk) -> None:
    assert program.main(["deploy", "dev", "--region", "eu-central-1", "--", "--require-approval", "never"]) == 0
    (words,) = cdk.runs
    assert words[:2] == ["deploy", "careline-dev-*"]
    assert {"stage=dev", f"account={ACCOUNT}", "region=eu-central-1"} <= set(words)
    assert words[-2:] == ["--require-approval", "never"]
    assert cdk.regions == ["eu-central-1"]


@pytest.mark.usefixtures("account")
def test_stacks_may_be_confirmed_one_by_one(cdk: Cdk) -> None:
    """The CDK command line asks before it widens permissions, and cannot where it deploys several at once."""
    program.main(["deploy", "dev", "--region", "eu-central-1"])
    assert "--concurrency" not in cdk.runs[0]


@pytest.mark.usefixtures("account")
@pytest.mark.parametrize(
    ("arguments", "must_name"),
    [
        (["deploy", "prod"], True),
        (["deploy", "prod", "--stacks", "careline-prod-o*"], True),
        (["deploy", "prod", "--stacks", "careline-prod-phone-keys"], False),
        (["diff", "prod"], False),
        (["destroy", "prod", "--yes", "careline-prod"], False),
    ],
)
def test_somebody_must_be_named_only_where_alarms_are_made(
    cdk: Cdk, monkeypatch: pytest.MonkeyPatch, arguments: list[str], must_name: bool
) -> None:
    monkeypatch.delenv("ALARMS", raising=False)
    assert program.main([*arguments, "--region", "eu-central-1"]) == 0
    assert all(("makes_alarms=false" not in words) == must_name for words in cdk.runs)


@pytest.mark.usefixtures("account")
@pytest.mark.parametrize("action", ["deploy", "diff", "destroy"])
def test_who_is_told_of_alarms_is_named_in_the_environment(
    cdk: Cdk, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    monkeypatch.setenv("ALARMS", "ward@hospital.example")
    program.main([action, "dev", "--region", "eu-central-1"])
    assert all("alarms=ward@hospital.example" in words for words in cdk.runs)


@pytest.mark.usefixtures("account")
def test_without_a_region_it_is_said_how_one_is_given(capsys: pytest.CaptureFixture[str], cdk: Cdk) -> None:
    assert program.main(["deploy", "dev"]) == program.UNKNOWN_TARGET
    assert "REGION=" in capsys.readouterr().err
    assert cdk.runs == []


def test_without_credentials_it_is_said_how_to_log_in(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    with pytest.raises(TargetUnknown, match="log in"):
        target("dev", "eu-central-1")


def test_an_unknown_stage_is_answered_with_those_there_are() -> None:
    with pytest.raises(TargetUnknown, match="dev, prod"):
        target("staging", "eu-central-1")


@pytest.mark.usefixtures("account")
def test_prod_is_destroyed_only_when_it_is_named_again(
    cdk: Cdk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "prod")
    assert program.main(["destroy", "prod", "--region", "eu-central-1"]) == program.NOT_NAMED
    assert [words[0] for words in cdk.runs] == ["synth"]
    said = capsys.readouterr().out
    assert "AWS::DynamoDB::Table" in said
    assert "--no-deletion-protection-enabled" in said
    assert program.main(["destroy", "prod", "--region", "eu-central-1", "--yes", "careline-prod"]) == 0
    assert cdk.runs[-1][:2] == ["destroy", "careline-prod-*"]


@pytest.mark.usefixtures("account")
def test_dev_is_destroyed_without_being_named_again(cdk: Cdk) -> None:
    assert program.main(["destroy", "dev", "--region", "eu-central-1"]) == 0
    assert cdk.runs[-1][0] == "destroy"


def test_whatever_a_stage_keeps_comes_with_a_way_to_remove_it(prod: Templates) -> None:
    there = kept(prod.outdir)
    assert {"AWS::S3::Bucket", "AWS::DynamoDB::Table", "AWS::KMS::Key", "AWS::SecretsManager::Secret"} <= {
        one.kind for one in there
    }
    assert [one for one in there if one.removed_by == "delete it in the console"] == []
    assert [one.kind for one in protected(prod.outdir)] == ["AWS::OpenSearchServerless::Collection"]


def test_dev_keeps_files_alone(dev: Templates) -> None:
    assert {one.kind for one in kept(dev.outdir)} <= {
        "AWS::S3::Bucket",
        "AWS::IAM::Role",
        "AWS::ApiGateway::Account",
    }
    assert protected(dev.outdir) == []


class CodeDeploy:
    """In place of CodeDeploy, which moto does not have running deployments for."""

    def __init__(self, under_way: list[str]) -> None:
        self._under_way = under_way
        self.stopped: list[tuple[str, bool]] = []

    def list_deployment_groups(self, **asked: Any) -> dict[str, list[str]]:
        return {"deploymentGroups": ["group"]}

    def list_deployments(self, **asked: Any) -> dict[str, list[str]]:
        assert asked["includeOnlyStatuses"]
        return {"deployments": self._under_way}

    def stop_deployment(self, **asked: Any) -> None:
        self.stopped.append((asked["deploymentId"], asked["autoRollbackEnabled"]))


class Session:
    """Clients of an account."""

    def __init__(self, deploying: CodeDeploy) -> None:
        self.deploying = deploying
        self.functions = boto3.client("lambda", region_name="eu-central-1")

    def client(self, name: str) -> Any:
        return {"lambda": self.functions, "codedeploy": self.deploying}[name]


@pytest.mark.usefixtures("account")
def test_old_versions_go_but_for_the_newest_and_those_that_answer() -> None:
    session = Session(CodeDeploy([]))
    a_function(session.functions, KEPT + 3)
    session.functions.update_alias(FunctionName="f-1", Name=LIVE, FunctionVersion="2")
    assert list(drop_old_versions(session, "f", LIVE)) == ["f-1:1", "f-1:3"]
    assert versions(session.functions, "f-1") == [2, *range(4, KEPT + 4)]
    assert list(drop_old_versions(session, "f", LIVE)) == []


@pytest.mark.usefixtures("account")
def test_functions_without_the_alias_or_of_another_stage_keep_their_versions() -> None:
    session = Session(CodeDeploy([]))
    a_function(session.functions, KEPT + 3)
    assert list(drop_old_versions(session, "f", "other")) == list(drop_old_versions(session, "g", LIVE)) == []


def a_function(client: Any, versions: int) -> None:
    role = boto3.client("iam").create_role(RoleName="r", AssumeRolePolicyDocument=json.dumps({"Version": "2012-10-17"}))
    client.create_function(
        FunctionName="f-1", Role=role["Role"]["Arn"], Runtime="python3.13", Handler="a.b", Code={"ZipFile": b"x"}
    )
    for number in range(versions):
        client.update_function_code(FunctionName="f-1", ZipFile=f"{number}".encode())
        client.publish_version(FunctionName="f-1")
    client.create_alias(FunctionName="f-1", Name=LIVE, FunctionVersion=str(versions))


@pytest.mark.usefixtures("account")
def test_without_a_deployment_under_way_the_alias_goes_back_one_version() -> None:
    session = Session(CodeDeploy([]))
    a_function(session.functions, 3)
    assert "version 2 instead of 3" in roll_back(session, "f-1", LIVE, "app")
    assert session.functions.get_alias(FunctionName="f-1", Name=LIVE)["FunctionVersion"] == "2"
    assert session.deploying.stopped == []


@pytest.mark.usefixtures("account")
def test_a_canary_under_way_is_stopped_and_the_alias_is_left_to_codedeploy() -> None:
    session = Session(CodeDeploy(["d-1"]))
    a_function(session.functions, 2)
    assert "d-1" in roll_back(session, "f-1", LIVE, "app")
    assert session.deploying.stopped == [("d-1", True)]
    assert session.functions.get_alias(FunctionName="f-1", Name=LIVE)["FunctionVersion"] == "2"


@pytest.mark.usefixtures("account")
def test_the_first_version_has_none_before_it() -> None:
    session = Session(CodeDeploy([]))
    a_function(session.functions, 1)
    with pytest.raises(NothingBefore):
        roll_back(session, "f-1", LIVE, "app")


def test_the_url_and_the_gateway_reach_the_alias_that_is_deployed_by_canary(stage: Templates) -> None:
    found = stage.of("AWS::Lambda::Alias")
    assert {one["Name"] for one in found.values()} == {LIVE}
    (alias,) = [name for name in found if name.startswith("Orchestrator")]
    (group,) = stage.of("AWS::CodeDeploy::DeploymentGroup").values()
    assert group["AutoRollbackConfiguration"]["Enabled"]
    assert len(group["AlarmConfiguration"]["Alarms"]) == 3
    (url,) = stage.of("AWS::Lambda::Url").values()
    assert url["Qualifier"] == LIVE
    template = stage.stacks[next(name for name in stage.stacks if name.endswith("-api"))]
    policy = template["Resources"][alias]["UpdatePolicy"]["CodeDeployLambdaAliasUpdate"]
    assert set(policy) == {"ApplicationName", "DeploymentGroupName"}
    streaming = [
        one["Integration"]["Uri"] for one in stage.of("AWS::ApiGateway::Method").values()
        if one.get("Integration", {}).get("ResponseTransferMode") == "STREAM"
    ]  # fmt: skip
    assert streaming
    assert all(alias in json.dumps(uri) for uri in streaming)


def test_the_version_before_is_there_to_go_back_to(stage: Templates) -> None:
    resources = (one for stack in stage.stacks.values() for one in stack["Resources"].values())
    assert {one["DeletionPolicy"] for one in resources if one["Type"] == "AWS::Lambda::Version"} == {"Retain"}


def test_prod_sends_a_tenth_first_and_dev_everything_at_once(dev: Templates, prod: Templates) -> None:
    paces = [next(iter(one.of("AWS::CodeDeploy::DeploymentGroup").values())) for one in (dev, prod)]
    named = [json.dumps(one["DeploymentConfigName"]) for one in paces]
    assert "LambdaAllAtOnce" in named[0]
    assert "LambdaCanary10Percent5Minutes" in named[1]


def test_another_partition_and_bootstrap_are_named_in_the_index_s_access_policy(tmp_path: Path) -> None:
    from dataclasses import replace

    from infra.app import build, empty_app
    from infra.settings import DEV

    app = empty_app({"bundle": "false", "@aws-cdk/core:bootstrapQualifier": "hospital1"}, str(tmp_path))
    build(app, replace(DEV, account=ACCOUNT, region="us-gov-west-1"))
    app.synth()
    text = "".join(path.read_text() for path in tmp_path.glob("*data.template.json"))
    assert f":iam::{ACCOUNT}:role/cdk-hospital1-cfn-exec-role-{ACCOUNT}-us-gov-west-1" in text
    assert "hnb659fds" not in text
    assert "arn:aws:" not in text


def test_the_command_line_is_pinned_with_its_hash() -> None:
    lock = json.loads((command_line.PINNED / "package-lock.json").read_text())
    assert lock["packages"]["node_modules/aws-cdk"]["integrity"].startswith("sha512-")
    asked = json.loads((command_line.PINNED / "package.json").read_text())["dependencies"]["aws-cdk"]
    assert asked == command_line.version()
