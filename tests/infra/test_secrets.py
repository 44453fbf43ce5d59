"""No template and no environment of a function holds a secret, and each function may read what it needs alone."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from careline.engines.aws.secrets import PLACEHOLDER
from careline.search.measured_fit import measured_fit
from careline.search.relevance import shipped_fit
from careline.settings import Settings
from careline_local.cli.benches.calibrate import written
from infra.settings import DEV, EmbeddingSettings, ModelSettings
from tests.infra.conftest import Templates
from tests.infra.test_template import actions, flat, functions, role_of, statements

READ = "secretsmanager:GetSecretValue"
KEEPS_RECORDS = {"orchestrator", "admin", "telemetry", "notary"}
ASKS_A_MODEL = {"orchestrator"}
LAMBDA_ENVIRONMENT = 4096
"""Bytes of a function's variables (Lambda quotas)."""
OF_DATA = ("careline-dev/privacy-key", "careline-dev/model-key")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Makes a stage whose answers are written by another model."""
    pytest.importorskip("aws_cdk")
    from infra.app import make_app
    from infra.node import node

    if found := node():
        os.environ.setdefault("JSII_NODE", found)

    def make(model: ModelSettings) -> Templates:
        outdir = Path(tmp_path_factory.mktemp("model"))
        make_app(replace(DEV, model=model), str(outdir), bundle=False).synth()
        return Templates(outdir)

    return make


def read_by(stage: Templates, name: str) -> set[str]:
    """The secrets that a function's role may read, by their name in the template."""
    role = role_of(functions(stage)[name])
    mine = (said for owner, said in statements(stage) if owner == role and READ in actions(said))
    return {kind for said in mine for kind in ("PrivacyKey", "ModelKey") if kind in flat(said["Resource"])}


def secrets_of(stage: Templates) -> list[str]:
    named = (str(one.get("Name")) for one in stage.of("AWS::SecretsManager::Secret").values())
    return [name for name in named if name in OF_DATA]


@pytest.fixture(scope="module")
def with_key(made: Any) -> Any:
    return made(ModelSettings("openai"))


def test_no_value_of_a_secret_stands_in_a_template(with_key: Templates) -> None:
    # What the firewall compares is one that CloudFormation alone resolves, and no function has it.
    for function in with_key.of("AWS::Lambda::Function").values():
        assert "resolve:secretsmanager" not in json.dumps(function)
    secrets = list(with_key.of("AWS::SecretsManager::Secret").values())
    assert [one.get("SecretString") for one in secrets if "SecretString" in one] == [PLACEHOLDER]


def test_a_function_is_told_where_a_secret_is_and_never_what_it_is(with_key: Templates) -> None:
    for name, function in functions(with_key).items():
        variables = function["Environment"]["Variables"]
        assert not {"CARELINE_OPENAI_API_KEY", "CARELINE_PRIVACY_KEY"} & set(variables)
        assert ("CARELINE_PRIVACY_KEY_SECRET" in variables) == (name in KEEPS_RECORDS)
        assert ("CARELINE_OPENAI_API_KEY_SECRET" in variables) == (name in ASKS_A_MODEL)


def test_each_role_reads_exactly_its_secrets(with_key: Templates) -> None:
    stage = with_key
    for name in functions(stage):
        wanted = {"PrivacyKey"} if name in KEEPS_RECORDS else set()
        assert read_by(stage, name) == wanted | ({"ModelKey"} if name in ASKS_A_MODEL else set())
    for _, said in statements(stage):
        if READ in actions(said):
            assert said["Resource"] != "*"


@pytest.fixture(scope="module")
def on_bedrock(made: Any) -> Any:
    name = "eu.openai.gpt-oss-120b-1:0"
    regions = ("eu-west-1", "eu-central-1")
    return made(ModelSettings("bedrock", name, "eu-central-1", profile_regions=regions, is_covered=True))


def test_a_model_of_bedrock_is_called_by_the_orchestrator_alone_and_is_the_only_one_it_may_call(
    on_bedrock: Templates,
) -> None:
    calls = [(owner, said) for owner, said in statements(on_bedrock) if "bedrock:InvokeModel" in actions(said)]
    ((owner, said),) = calls
    assert owner == role_of(functions(on_bedrock)["orchestrator"])
    assert actions(said) == {"bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"}
    assert set(re.findall(r"bedrock:([^\"]+)", flat(said["Resource"]))) == {
        "eu-west-1::foundation-model/openai.gpt-oss-120b-1:0",
        "eu-central-1::foundation-model/openai.gpt-oss-120b-1:0",
        "eu-central-1:111111111111:inference-profile/eu.openai.gpt-oss-120b-1:0",
    }
    assert "*" not in flat(said["Resource"])


def test_a_stage_on_bedrock_has_no_key_of_a_vendor_and_says_where_its_model_is(on_bedrock: Templates) -> None:
    variables = functions(on_bedrock)["orchestrator"]["Environment"]["Variables"]
    said = {name.removeprefix("CARELINE_"): value for name, value in variables.items()}
    assert (said["OPENAI_AUTH"], said["OPENAI_AWS_REGION"]) == ("aws", "eu-central-1")
    assert (said["CLOUD_COVERED"], said["REGION"], said["CLOUD_REGION"]) == ("true", "eu", "eu")
    assert secrets_of(on_bedrock) == ["careline-dev/privacy-key"]


def test_a_stage_without_a_model_quotes_and_asks_nobody(made: Any) -> None:
    stage = made(ModelSettings("none"))
    assert secrets_of(stage) == ["careline-dev/privacy-key"]
    assert not [said for _, said in statements(stage) if "bedrock:InvokeModel" in actions(said)]
    for function in functions(stage).values():
        assert not any("OPENAI" in name for name in function["Environment"]["Variables"])
    assert functions(stage)["orchestrator"]["Environment"]["Variables"]["CARELINE_MODEL"] == "extractive"


def test_a_model_of_bedrock_without_an_id_is_refused_before_anything_is_made() -> None:
    with pytest.raises(ValueError, match="needs its id"):
        ModelSettings("bedrock")


def test_who_may_read_a_secret_may_decrypt_with_the_key_it_is_encrypted_with(prod: Templates) -> None:
    """In prod secrets have a key of their own, which in dev is that of the records."""
    secrets = prod.of("AWS::SecretsManager::Secret").values()
    (privacy,) = [one for one in secrets if one.get("Name", "").endswith("privacy-key")]
    key = flat(privacy["KmsKeyId"])
    for name in KEEPS_RECORDS:
        role = role_of(functions(prod)[name])
        mine = [said for owner, said in statements(prod) if owner == role and "kms:Decrypt" in actions(said)]
        assert [said for said in mine if key in flat(said["Resource"])], name


FITTED = replace(shipped_fit(), embedder="text-embedding-3-large/1024")


@pytest.fixture(scope="module")
def with_vectors_of_openai(made: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    file = tmp_path_factory.mktemp("fit") / "relevance.yaml"
    file.write_text(written(FITTED, 281))
    return made(ModelSettings("openai", embedding=EmbeddingSettings("text-embedding-3-large", 1024, str(file))))


def test_vectors_of_openai_are_made_by_its_key_into_an_index_of_their_length(with_vectors_of_openai: Templates) -> None:
    stage = with_vectors_of_openai
    (index,) = stage.of("AWS::OpenSearchServerless::Index").values()
    assert (index["IndexName"], index["Mappings"]["Properties"]["vector"]["Dimension"]) == ("passages-1024", 1024)
    for name in ("orchestrator", "embed"):
        assert "ModelKey" in read_by(stage, name)
    assert "ModelKey" not in read_by(stage, "extract")
    for name, function in functions(stage).items():
        told = function["Environment"]["Variables"]
        assert (told["CARELINE_EMBEDDER"], told["CARELINE_SEARCH_INDEX"]) == ("openai", "passages-1024"), name


def test_who_answers_is_told_what_was_measured_with_their_model(with_vectors_of_openai: Templates) -> None:
    told = functions(with_vectors_of_openai)["orchestrator"]["Environment"]["Variables"]
    settings = Settings.of_variables({
        name: told[name] for name in told if re.fullmatch("CARELINE_(EMBEDDER|RELEVANCE|OPENAI_EMBEDDING_.*)", name)
    })  # fmt: skip
    assert measured_fit(settings) == FITTED
    assert sum(len(name) + len(flat(value)) for name, value in told.items()) < LAMBDA_ENVIRONMENT


def test_no_stage_is_made_with_a_model_that_nobody_measured(made: Any, tmp_path: Path) -> None:
    file = tmp_path / "relevance.yaml"
    chosen = ModelSettings("openai", embedding=EmbeddingSettings("text-embedding-3-large", 1024, str(file)))
    with pytest.raises(ValueError, match=r"never measured: .*careline calibrate"):
        made(chosen)
    file.write_text(written(replace(FITTED, embedder="text-embedding-3-small/512"), 281))
    with pytest.raises(ValueError, match="measured with text-embedding-3-small/512"):
        made(chosen)
    with pytest.raises(ValueError, match="needs the key of OpenAI"):
        ModelSettings("none", embedding=EmbeddingSettings("text-embedding-3-large", 1024, str(file)))
