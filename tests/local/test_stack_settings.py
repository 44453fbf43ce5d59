"""A stage in AWS is found by the outputs of its data stack, and its hospitals are changed there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from careline.errors import SettingsInvalid
from careline_local.cli.main import main
from careline_local.stack_settings import OUTPUTS, settings_of
from tests.emulators import services

REGION, KEY, SECRET = "eu-west-1", "ab" * 32, "careline-dev/privacy-key"


@pytest.fixture(name="stage")
def the_stage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """boto3 over moto, which holds the data stack of a stage: a table, a bucket, a key and the outputs."""
    boto3 = pytest.importorskip("boto3")
    moto = pytest.importorskip("moto")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    services.read_once(monkeypatch)
    monkeypatch.setattr("careline.engines.aws.connect._made", {})
    with moto.mock_aws():
        boto3.client("secretsmanager", REGION).create_secret(Name=SECRET, SecretString=KEY)
        boto3.client("cloudformation", REGION).create_stack(StackName="careline-dev-data", TemplateBody=_template())
        yield boto3


def _template(outputs: tuple[str, ...] = OUTPUTS) -> str:
    keys = {"pk": "HASH", "sk": "RANGE"}
    table = {
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": key, "AttributeType": "S"} for key in keys],
        "KeySchema": [{"AttributeName": key, "KeyType": kind} for key, kind in keys.items()],
    }
    values = ({"Ref": "Records"}, "files", "https://search.example", SECRET)
    return json.dumps(
        {
            "Resources": {"Records": {"Type": "AWS::DynamoDB::Table", "Properties": table}},
            "Outputs": {name: {"Value": value} for name, value in zip(outputs, values, strict=False)},
        }
    )


def careline(home: Path, *arguments: str) -> Any:
    done = CliRunner().invoke(main, ["--home", str(home), "tenant", "--stack", "careline-dev", *arguments, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_a_hospital_is_set_up_and_read_in_the_table_of_the_stage(stage: Any, tmp_path: Path) -> None:
    set_ = careline(tmp_path, "set", "sint-anna", "--name", "nl=Sint-Anna", "--helpdesk", "011 90 10 00")
    assert (set_["names"], set_["helpdesk_phone"]) == ({"nl": "Sint-Anna"}, "011 90 10 00")
    assert careline(tmp_path, "show", "sint-anna") == set_
    assert [one["id"] for one in careline(tmp_path, "list")["tenants"]] == ["sint-anna"]
    (name,) = stage.client("dynamodb", REGION).list_tables()["TableNames"]
    written = stage.client("dynamodb", REGION).scan(TableName=name)["Items"]
    assert {"tenants", "sint-anna/audit"} <= {one["pk"]["S"] for one in written}
    assert list(tmp_path.iterdir()) == [], "nothing of it stays on the laptop"


def test_the_settings_of_a_stage_are_its_outputs_and_its_key(stage: Any) -> None:
    settings = settings_of("careline-dev", REGION)
    assert (settings.storage, settings.aws.bucket, settings.aws.search_endpoint) == ("aws", "files", "https://search.example")
    assert settings.privacy.privacy_key is not None
    assert settings.privacy.privacy_key.get_secret_value() == KEY


def test_a_stage_that_is_not_there_or_was_deployed_before_is_told(stage: Any) -> None:
    with pytest.raises(SettingsInvalid, match=r"careline-prod-data cannot be read \(ValidationError\)"):
        settings_of("careline-prod", REGION)
    stage.client("cloudformation", REGION).update_stack(
        StackName="careline-dev-data", TemplateBody=_template(OUTPUTS[:3])
    )
    with pytest.raises(SettingsInvalid, match="no output PrivacyKeySecret"):
        settings_of("careline-dev", REGION)
