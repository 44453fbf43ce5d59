"""What is missing before a stage is deployed is told with what to do, from an emulated account."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError
from click.testing import CliRunner
from moto import mock_aws

from careline_local.cli.main import main
from careline_local.cloud import builder, preflight
from careline_local.cloud.findings import CloudUnknown, looked
from careline_local.cloud.preflight import Plan
from careline_local.doctor import Finding

REGION = "eu-west-1"


@pytest.fixture(autouse=True)
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    for name in ("AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "CDK_DOCKER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    with mock_aws():
        yield


@pytest.fixture
def assembly(tmp_path: Path) -> Path:
    (tmp_path / "careline-dev-api.assets.json").write_text(json.dumps({"dockerImages": {}}))
    return tmp_path


def bootstrapped(version: int = 24) -> None:
    boto3.client("ssm", REGION).put_parameter(
        Name="/cdk-bootstrap/hnb659fds/version", Value=str(version), Type="String"
    )


def found(plan: Plan) -> dict[str, Finding]:
    return {one.name: one for one in preflight.preflight(plan)}


def test_an_account_that_is_not_bootstrapped_is_told_how(assembly: Path) -> None:
    one = found(Plan("dev", REGION, assembly))["bootstrap"]
    assert one.state == "fail"
    assert f"make bootstrap STAGE=dev REGION={REGION}" in one.advice


@pytest.mark.parametrize(("version", "state"), [(24, "ok"), (3, "fail")])
def test_an_old_bootstrap_is_told_from_a_new_one(assembly: Path, version: int, state: str) -> None:
    bootstrapped(version)
    assert found(Plan("dev", REGION, assembly))["bootstrap"].state == state


def test_a_qualifier_of_its_own_is_looked_for(assembly: Path) -> None:
    bootstrapped()
    assert found(Plan("dev", REGION, assembly, qualifier="hospital1"))["bootstrap"].state == "fail"


def test_names_that_an_earlier_deployment_left_stop_a_first_one(assembly: Path) -> None:
    key = boto3.client("kms", REGION).create_key()["KeyMetadata"]["KeyId"]
    boto3.client("kms", REGION).create_alias(AliasName="alias/careline-prod", TargetKeyId=key)
    boto3.client("logs", REGION).create_log_group(logGroupName="/aws/lambda/careline-prod-admin")
    boto3.client("secretsmanager", REGION).create_secret(Name="careline-prod/privacy-key", SecretString="0")
    one = found(Plan("prod", REGION, assembly))["left over"]
    assert one.state == "fail"
    for name in ("alias/careline-prod", "/aws/lambda/careline-prod-admin", "careline-prod/privacy-key"):
        assert name in one.found
    assert found(Plan("dev", REGION, assembly))["left over"].state == "ok"


def test_a_stage_that_is_there_may_have_its_names(assembly: Path) -> None:
    topic = {"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}}
    boto3.client("cloudformation", REGION).create_stack(
        StackName="careline-prod-data", TemplateBody=json.dumps(topic)
    )
    boto3.client("logs", REGION).create_log_group(logGroupName="/aws/lambda/careline-prod-admin")
    assert found(Plan("prod", REGION, assembly))["left over"].state == "ok"


class Functions:
    """Lambda of an account with a limit."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.region_name = REGION

    def client(self, name: str) -> Any:
        return self

    def get_account_settings(self) -> Any:
        return {"AccountLimit": {"ConcurrentExecutions": self._limit}}


@pytest.mark.parametrize(
    ("stage", "limit", "state"),
    [
        ("dev", 10, "warn"), ("dev", 100, "ok"),
        ("prod", 10, "fail"), ("prod", 100, "fail"), ("prod", 539, "fail"), ("prod", 540, "ok"), ("prod", 1000, "ok"),
    ],
)  # fmt: skip
def test_an_account_must_allow_what_a_stage_reserves_and_a_hundred_beside(stage: str, limit: int, state: str) -> None:
    (one,) = preflight.concurrency(Functions(limit), Plan(stage, REGION))
    assert one.state == state
    assert (state == "ok") or "L-B99A9384" in one.advice
    wanted = "all functions of dev share them" if stage == "dev" else "prod reserves 440, and 100 must stay unreserved"
    assert (wanted in one.found) == (state != "ok")


@pytest.mark.parametrize(("limit", "state"), [(129, "fail"), (130, "ok")])
def test_what_a_stage_reserves_is_told_by_its_templates(tmp_path: Path, limit: int, state: str) -> None:
    function = {"Type": "AWS::Lambda::Function", "Properties": {"ReservedConcurrentExecutions": 15}}
    for name in ("a", "b"):
        made = {"Resources": {"One": function, "Topic": {"Type": "AWS::SNS::Topic"}}}
        (tmp_path / f"{name}.template.json").write_text(json.dumps(made))
    (one,) = preflight.concurrency(Functions(limit), Plan("dev", REGION, tmp_path))
    assert one.state == state


def test_a_call_that_is_refused_is_a_finding_and_not_the_end() -> None:
    def refuse() -> Iterator[Finding]:
        raise ClientError({"Error": {"Code": "AccessDeniedException"}}, "GetServiceQuota")
        yield

    (one,) = looked("quotas", refuse)
    assert one.state == "warn"
    assert "GetServiceQuota" in one.advice


@pytest.mark.parametrize(
    "error", [ClientError({"Error": {"Code": "AccessDenied"}}, "List"), EndpointConnectionError(endpoint_url="https://a")]
)
def test_what_was_found_before_a_call_is_refused_is_kept(error: Exception) -> None:
    def refused_later() -> Iterator[Finding]:
        yield Finding("alarms", "fail", "one rings")
        raise error

    assert [one.name for one in looked("topic", refused_later)] == ["alarms", "topic"]


def test_a_quota_that_cannot_be_known_hides_no_other(monkeypatch: pytest.MonkeyPatch, assembly: Path) -> None:
    class Quotas:
        def get_service_quota(self, ServiceCode: str, QuotaCode: str) -> Any:
            if ServiceCode == preflight.QUOTAS[0][0]:
                raise ClientError({"Error": {"Code": "NoSuchResourceException"}}, "GetServiceQuota")
            return {"Quota": {"Value": 1.0}}

    made = boto3.Session(region_name=REGION)
    client = made.client
    monkeypatch.setattr(made, "client", lambda name: Quotas() if name == "service-quotas" else client(name))
    monkeypatch.setattr(preflight, "session", lambda region: made)
    looked_at = found(Plan("dev", REGION, assembly))
    assert "NoSuchResourceException" in looked_at["Fargate vCPUs"].found
    assert "a stage needs 2" in looked_at["VPCs"].found


def test_without_a_region_nothing_is_looked_at() -> None:
    with pytest.raises(CloudUnknown, match="AWS_REGION"):
        list(preflight.preflight(Plan("dev", None)))


def test_without_credentials_what_stands_on_them_is_left_out(
    assembly: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Nobody:
        region_name = REGION

        def client(self, name: str) -> Any:
            assert name == "sts"
            return self

        def get_caller_identity(self) -> Any:
            raise ClientError({"Error": {"Code": "ExpiredToken"}}, "GetCallerIdentity")

        def get_partition_for_region(self, region: str) -> str:
            return "aws"

        def get_available_regions(self, name: str, partition_name: str) -> list[str]:
            return [REGION]

    monkeypatch.setattr(preflight, "session", lambda region: Nobody())
    looked_at = found(Plan("dev", REGION, assembly))
    assert looked_at["credentials"].state == "fail"
    assert "aws sso login" in looked_at["credentials"].advice
    assert "bootstrap" not in looked_at


def program(folder: Path, name: str, says: str, code: int = 0) -> None:
    """A program of this name on a path of its own."""
    file = folder / name
    file.write_text(f"#!/bin/sh\necho '{says}'\nexit {code}\n")
    file.chmod(file.stat().st_mode | stat.S_IEXEC)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}")
    monkeypatch.setattr(builder.platform, "machine", lambda: "x86_64")
    return folder


@pytest.fixture
def with_an_image(tmp_path: Path) -> Path:
    folder = tmp_path / "assembly"
    folder.mkdir()
    (folder / "a.assets.json").write_text(json.dumps({"dockerImages": {"one": {}}}))
    return folder


@pytest.mark.usefixtures("path")
def test_images_without_a_builder_stop_a_deployment(with_an_image: Path) -> None:
    (one,) = builder.images(with_an_image)
    assert one.state == "fail"
    assert "install docker" in one.advice


def test_a_builder_that_does_not_run_is_told(path: Path, with_an_image: Path) -> None:
    program(path, "docker", "", code=1)
    (one,) = builder.images(with_an_image)
    assert (one.state, "does not answer" in one.found) == ("fail", True)


@pytest.mark.parametrize(("platforms", "state"), [("linux/amd64", "fail"), ("linux/amd64, linux/arm64", "ok")])
def test_a_machine_that_cannot_run_arm64_is_told_how(
    path: Path, with_an_image: Path, platforms: str, state: str
) -> None:
    program(path, "docker", f"Platforms: {platforms}")
    (one,) = builder.images(with_an_image)
    assert one.state == state
    assert state == "ok" or "binfmt" in one.advice


def test_another_builder_is_used_when_it_is_named(
    path: Path, with_an_image: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(path, "finch", "linux/arm64")
    (one,) = builder.images(with_an_image)
    assert "CDK_DOCKER=finch" in one.advice
    monkeypatch.setenv("CDK_DOCKER", "finch")
    (one,) = builder.images(with_an_image)
    assert one.state == "ok"


def test_the_command_ends_with_one_where_something_is_missing(assembly: Path) -> None:
    line = ["cloud", "preflight", "--stage", "dev", "--region", REGION, "--assembly", str(assembly), "--json"]
    done = CliRunner().invoke(main, line)
    said = json.loads(done.stdout)
    assert (done.exit_code, said["ok"]) == (1, False)
    assert all(one["advice"] for one in said["checks"] if one["state"] != "ok")
    bootstrapped()
    assert CliRunner().invoke(main, line).exit_code == 0
