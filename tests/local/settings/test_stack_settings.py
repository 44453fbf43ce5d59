"""A stage in AWS is known by what its functions are told, and commands work on its records as on those of a home."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from careline.errors import SettingsInvalid
from careline_local.cli.main import main
from careline_local.settings.stack_settings import settings_of
from tests.emulators import services

REGION, KEY, SECRET = "eu-west-1", "ab" * 32, "careline-dev/privacy-key"
SEARCH, MACHINE = "https://search.example", "arn:aws:states:eu-west-1:111111111111:stateMachine:careline-dev-ingestion"
BOTH = {
    "AWS_LWA_PORT": "8080", "CARELINE_HOME": "/tmp/careline", "CARELINE_LOGIN": "gateway", "CARELINE_STORAGE": "aws",
    "CARELINE_STAGE": "dev", "CARELINE_TABLE": "records", "CARELINE_BUCKET": "files",
    "CARELINE_SEARCH_ENDPOINT": SEARCH, "CARELINE_PRIVACY_KEY_SECRET": SECRET,
}  # fmt: skip
TOLD = {
    "orchestrator": {
        **BOTH, "CARELINE_MODEL": "openai", "CARELINE_OPENAI_MODEL": "eu.nova", "CARELINE_OPENAI_AUTH": "aws",
        "CARELINE_OPENAI_AWS_REGION": REGION,
    },
    "admin": {**BOTH, "CARELINE_HEADS_BUCKET": "heads", "CARELINE_INGESTION_STATE_MACHINE_ARN": MACHINE},
}  # fmt: skip
"""What functions are told, as the templates have it."""


@pytest.fixture(name="stage")
def the_stage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """boto3 over moto, which holds what a stage has: a table, a key and two functions that are told of them."""
    boto3 = pytest.importorskip("boto3")
    moto = pytest.importorskip("moto")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    services.read_once(monkeypatch)
    monkeypatch.setattr("careline.engines.aws.connect._made", {})
    with moto.mock_aws():
        boto3.client("secretsmanager", REGION).create_secret(Name=SECRET, SecretString=KEY)
        boto3.client("dynamodb", REGION).create_table(
            TableName="records", BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in ("pk", "sk")],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        )  # fmt: skip
        made = boto3.client("iam", REGION).create_role(RoleName="function", AssumeRolePolicyDocument="{}")
        role = made["Role"]["Arn"]
        for name, told in ((f"careline-dev-{name}", TOLD[name]) for name in TOLD):
            boto3.client("lambda", REGION).create_function(
                FunctionName=name, Runtime="python3.13", Handler="app.app", Role=role, Code={"ZipFile": _package()},
                Environment={"Variables": told},
            )  # fmt: skip
        yield boto3


def _package() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("app.py", "")
    return file.getvalue()


def invoke(home: Path, *arguments: str) -> Any:
    """Nothing of a stage is kept on the laptop, in whatever folder one stands."""
    return CliRunner().invoke(main, ["--stack", "careline-dev", *arguments], env={"CARELINE_HOME": str(home)})


def careline(home: Path, *arguments: str) -> Any:
    done = invoke(home, *arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_a_hospital_is_set_up_and_read_in_the_table_of_the_stage(stage: Any, tmp_path: Path) -> None:
    set_ = careline(tmp_path, "tenant", "set", "sint-anna", "--name", "nl=Sint-Anna", "--helpdesk", "011 90 10 00")
    assert (set_["names"], set_["helpdesk_phone"]) == ({"nl": "Sint-Anna"}, "011 90 10 00")
    assert careline(tmp_path, "tenant", "show", "sint-anna") == set_
    assert [one["id"] for one in careline(tmp_path, "tenant", "list")["tenants"]] == ["sint-anna"]
    written = stage.client("dynamodb", REGION).scan(TableName="records")["Items"]
    assert {"tenants", "sint-anna/audit"} <= {one["pk"]["S"] for one in written}
    assert list(tmp_path.iterdir()) == [], "nothing of it stays on the laptop"


def test_the_settings_of_a_stage_are_what_its_functions_are_told_and_its_key(
    stage: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CARELINE_OPENAI_MODEL", "of the laptop")
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("CARELINE_BUCKET=of-the-laptop\n")
    settings = settings_of("careline-dev", REGION)
    assert (settings.storage, settings.aws.bucket, settings.aws.search_endpoint) == ("aws", "files", SEARCH)
    assert (settings.aws.ingestion_state_machine_arn, settings.aws.heads_bucket) == (MACHINE, "heads")
    assert (settings.engines.model, settings.openai.model, settings.aws.aws_region) == ("openai", "eu.nova", REGION)
    assert settings.privacy.privacy_key is not None
    assert settings.privacy.privacy_key.get_secret_value() == KEY


def test_the_chain_of_a_hospital_in_the_cloud_is_read_and_verified(stage: Any, tmp_path: Path) -> None:
    careline(tmp_path, "tenant", "set", "sint-anna", "--name", "nl=Sint-Anna")
    assert careline(tmp_path, "--tenant", "sint-anna", "audit", "verify")["entries"] == 1
    assert careline(tmp_path, "--tenant", "sint-anna", "jobs") == {"jobs": []}
    assert "Nothing to verify" in invoke(tmp_path, "audit", "verify").output


def test_the_record_of_processing_names_whom_the_stage_sends_text_to(stage: Any, tmp_path: Path) -> None:
    told = invoke(tmp_path, "compliance", "article-30")
    assert told.exit_code == 0, told.output
    assert all(name in told.output for name in ("Amazon Web Services", "bedrock-runtime.eu-west-1.amazonaws.com"))


def test_an_index_is_ordered_anew_where_jobs_run(stage: Any, tmp_path: Path) -> None:
    assert careline(tmp_path, "reindex") == {"documents": 0, "failed": {}}


def test_a_slip_in_the_name_of_a_hospital_is_refused_and_nothing_is_written(stage: Any, tmp_path: Path) -> None:
    careline(tmp_path, "tenant", "set", "sint-anna", "--name", "nl=Sint-Anna")
    written = stage.client("dynamodb", REGION).scan(TableName="records")["Count"]
    for command in (("audit", "verify"), ("erase", "--subject", "nobody@example.org"), ("retention", "turns=30")):
        refused = invoke(tmp_path, "--tenant", "sint-ana", *command)
        assert (refused.exit_code, "did you mean sint-anna?" in refused.output) == (1, True), command
    assert stage.client("dynamodb", REGION).scan(TableName="records")["Count"] == written


def test_the_own_hospital_may_be_named_before_it_is_set_up(stage: Any, tmp_path: Path) -> None:
    for command in (("documents", "list"), ("jobs",), ("export", "--subject", "nobody@example.org")):
        named = invoke(tmp_path, "--tenant", "default", *command)
        assert named.exit_code == invoke(tmp_path, *command).exit_code, named.output
        assert "is set up" not in named.output


def test_a_region_is_that_of_a_stage(tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["--region", REGION, "documents"]).exit_code == 2


def test_a_home_and_a_stage_are_not_named_at_once(tmp_path: Path) -> None:
    refused = CliRunner().invoke(main, ["--home", str(tmp_path), "--stack", "careline-dev", "jobs"])
    assert refused.exit_code == 2


def test_a_command_that_needs_a_home_says_so(tmp_path: Path) -> None:
    refused = invoke(tmp_path, "up")
    assert refused.exit_code == 2
    assert "reindex" in refused.output


def test_a_stage_that_is_not_there_or_was_deployed_before_is_told(stage: Any) -> None:
    with pytest.raises(SettingsInvalid, match=r"careline-prod-orchestrator cannot be read \(ResourceNotFound"):
        settings_of("careline-prod", REGION)
    stage.client("lambda", REGION).update_function_configuration(
        FunctionName="careline-dev-admin", Environment={"Variables": {}}
    )
    with pytest.raises(SettingsInvalid, match="careline-dev-admin cannot be read"):
        settings_of("careline-dev", REGION)
