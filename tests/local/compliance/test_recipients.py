"""A recipient is who the settings switch on, and what they are told to see is what the settings let them see."""

from __future__ import annotations

import pytest

from careline.engines.openai.client import client
from careline.settings import Settings
from careline_local.compliance.recipients import recipients


def of(**variables: str) -> dict[str, str]:
    """Recipients by the setting that switches them on, with what they receive."""
    settings = Settings.load({f"CARELINE_{name}": value for name, value in variables.items()})
    return {one.by_setting: one.receives for one in recipients(settings)}


def test_out_of_the_box_there_is_none() -> None:
    assert of() == {}


@pytest.mark.parametrize(
    ("variables", "by"),
    [
        ({"MODEL": "openai"}, "CARELINE_MODEL"),
        ({"EMBEDDER": "openai"}, "CARELINE_EMBEDDER"),
        ({"OPENAI_SCREEN_MODEL": "small"}, "CARELINE_OPENAI_SCREEN_MODEL"),
        ({"OPENAI_DOCUMENT_SCREEN_MODEL": "small"}, "CARELINE_OPENAI_DOCUMENT_SCREEN_MODEL"),
        ({"OPENAI_SCREEN_MODEL": "small", "INTENTS": "model"}, "CARELINE_INTENTS"),
        ({"OPENAI_SCREEN_MODEL": "small", "FOLLOW_UPS": "model"}, "CARELINE_FOLLOW_UPS"),
        ({"STORAGE": "aws"}, "CARELINE_STORAGE"),
        ({"DEEPGRAM_API_KEY": "secret"}, "CARELINE_DEEPGRAM_API_KEY"),
        ({"ELEVENLABS_API_KEY": "secret"}, "CARELINE_ELEVENLABS_API_KEY"),
        ({"OIDC_ISSUER": "https://login.example"}, "CARELINE_OIDC_ISSUER"),
    ],
)
def test_each_vendor_is_named_when_it_is_switched_on(variables: dict[str, str], by: str) -> None:
    assert by in of(**variables)


def test_where_all_stays_within_the_boundary_no_model_is_a_recipient() -> None:
    assert of(MODEL="openai", MODE="local_only", OPENAI_DOCUMENT_SCREEN_MODEL="small") == {}


def test_who_reads_questions_with_a_model_that_is_not_named_tells_nobody() -> None:
    assert of(INTENTS="model", FOLLOW_UPS="model") == {}


def test_a_model_on_the_hospitals_own_machine_is_no_recipient() -> None:
    assert of(LOCAL_MODEL="openai", LOCAL_BASE_URL="http://localhost:11434/v1") == {}


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({}, "no personal data was found"),
        ({"MODE": "cloud_only", "CLOUD_ONLY_PHI": "redact"}, "replaced by its kind"),
        ({"CLOUD_COVERED": "true"}, "an agreement is said to cover it"),
        ({"PHI_MODE": "off"}, "whatever personal data is in them"),
    ],
)
def test_what_a_writer_sees_follows_the_rules_for_personal_data(variables: dict[str, str], told: str) -> None:
    assert told in of(MODEL="openai", **variables)["CARELINE_MODEL"]


def test_the_region_is_what_the_settings_say_and_nothing_else() -> None:
    def regions(**variables: str) -> set[str | None]:
        settings = Settings.load({f"CARELINE_{name}": value for name, value in variables.items()})
        return {one.region for one in recipients(settings)}

    assert regions(MODEL="openai") == {None}
    assert regions(MODEL="openai", CLOUD_REGION="eu") == {"eu"}
    assert regions(STORAGE="aws", AWS_REGION="eu-west-1") == {"eu-west-1"}


@pytest.mark.parametrize("base_url", [None, "https://bedrock-mantle.eu-west-1.api.aws/v1"])
def test_requests_that_are_signed_go_to_bedrock_in_the_region_they_are_signed_for(base_url: str | None) -> None:
    variables = {"MODEL": "openai", "EMBEDDER": "openai", "OPENAI_AUTH": "aws", "OPENAI_AWS_REGION": "eu-west-1"}
    given = variables | ({"OPENAI_BASE_URL": base_url} if base_url else {})
    settings = Settings.load({f"CARELINE_{name}": value for name, value in given.items()})
    host = client(settings.openai).base_url.host
    found = {(one.name, one.region) for one in recipients(settings)}
    assert found == {(f"Amazon Bedrock ({host})", "eu-west-1")}


def test_bedrock_in_the_region_of_the_environment_is_named_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_REGION", raising=False)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    (model,) = recipients(Settings.load({"CARELINE_MODEL": "openai", "CARELINE_OPENAI_AUTH": "aws"}))
    assert (model.region, "eu-central-1" in model.name) == ("eu-central-1", True)


def test_no_secret_of_an_address_is_shown() -> None:
    settings = Settings.load({"CARELINE_MODEL": "openai", "CARELINE_OPENAI_BASE_URL": "https://me:secret@models.example/v1"})
    (model,) = recipients(settings)
    assert (model.name, "secret" in repr(model)) == ("models.example", False)
