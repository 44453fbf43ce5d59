"""A model of Bedrock behind its OpenAI-compatible endpoint: requests whose signature it accepts."""

from __future__ import annotations

import traceback
from collections.abc import AsyncIterator, Iterator

import pytest

from careline.chat import ChatMessage, TextDelta, ToolCall
from careline.engines.openai.client import client
from careline.engines.openai.model import ModelTimeouts, OpenAIModel, Prices
from careline.engines.openai.structured import OpenAIStructuredCaller
from careline.errors import ModelUnavailable, SettingsInvalid
from careline.settings import OpenAISettings
from careline.turn.stages.screening.screen_with_model import ModelVerdict
from tests.emulators.aws_signature import AwsSigners, Refusal
from tests.emulators.openai import Endpoint, serving
from tests.engines.models.test_openai_wire import CALLS, HOURS, TOLD, text_of

pytest.importorskip("botocore")
REGION, NAME = "eu-central-1", "openai.gpt-oss-120b-1:0"
FIRST, SECOND = ("ASIAFIRST", "first-secret", "first-token"), ("ASIASECOND", "second-secret", "second-token")


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    signs(FIRST, monkeypatch)
    with serving() as opened:
        known = {access: (secret, token) for access, secret, token in (FIRST, SECOND)}
        opened.signers = AwsSigners("bedrock", REGION, known)
        yield opened


def signs(as_whom: tuple[str, str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The process has the credentials of a role, as Lambda gives them."""
    names = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
    for name, value in zip(names, as_whom, strict=True):
        monkeypatch.setenv(name, value)
    # Somebody else's way into Bedrock, which is not taken.
    monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", "somebody-elses")


def settings(url: str | None, region: str | None = REGION) -> OpenAISettings:
    return OpenAISettings(base_url=url, auth="aws", aws_region=region, model=NAME)


@pytest.fixture
async def model(endpoint: Endpoint) -> AsyncIterator[OpenAIModel]:
    async with client(settings(endpoint.url)) as opened:
        yield OpenAIModel(opened, NAME, Prices(), ModelTimeouts(first=5, next=5))


async def test_an_answer_streams_through_a_request_whose_signature_is_right(
    model: OpenAIModel, endpoint: Endpoint
) -> None:
    assert await text_of(model) == "Bezoek mag tot 20 uur [1]."
    assert endpoint.requests[0]["model"] == NAME
    (shown,) = endpoint.keys
    assert shown.startswith(f"AWS4-HMAC-SHA256 Credential={FIRST[0]}/")
    assert "somebody-elses" not in shown


async def test_text_that_is_not_ascii_is_signed_as_it_is_sent(model: OpenAIModel) -> None:
    asked = (ChatMessage("user", "où est l’accueil – 日本語 😀?"),)
    said = [delta.text async for delta in model.chat(asked) if isinstance(delta, TextDelta)]
    assert "".join(said) == "Bezoek mag tot 20 uur [1]."


async def test_a_second_question_is_signed_anew(model: OpenAIModel, endpoint: Endpoint) -> None:
    await text_of(model)
    await text_of(model)
    assert len(endpoint.keys) == 2


async def test_tools_are_offered_and_called_as_anywhere_else(model: OpenAIModel, endpoint: Endpoint) -> None:
    endpoint.words, endpoint.calls = (), CALLS
    called = [delta async for delta in model.chat(TOLD, (HOURS,)) if isinstance(delta, ToolCall)]
    assert [(call.call_id, call.name, call.arguments) for call in called] == list(CALLS)


async def test_an_answer_of_a_given_shape_is_asked_for_with_a_signature(endpoint: Endpoint) -> None:
    endpoint.words = ('{"verdict": "NEITHER"}',)
    async with client(settings(endpoint.url)) as opened:
        caller = OpenAIStructuredCaller(opened, NAME)
        assert (await caller.ask("screen", "Judge.", "hallo", ModelVerdict, 5)).verdict == "NEITHER"


async def test_what_a_role_may_not_do_says_what_to_switch_on_and_is_not_asked_again(
    model: OpenAIModel, endpoint: Endpoint
) -> None:
    assert endpoint.signers is not None
    endpoint.signers = AwsSigners("bedrock", REGION, endpoint.signers.known, frozenset({FIRST[0]}))
    with pytest.raises(ModelUnavailable, match="bedrock:InvokeModel") as raised:
        await text_of(model)
    assert (raised.value.answered, raised.value.passing, len(endpoint.requests)) == (403, False, 1)
    assert FIRST[1] not in "".join(traceback.format_exception(raised.value))


async def test_a_signature_for_another_region_is_refused_by_the_endpoint(endpoint: Endpoint) -> None:
    async with client(settings(endpoint.url, "eu-west-1")) as opened:
        with pytest.raises(ModelUnavailable, match="status 403"):
            await text_of(OpenAIModel(opened, NAME, Prices(), ModelTimeouts(5, 5)))


async def test_throttling_is_waited_out_once_and_then_told_with_its_time(
    model: OpenAIModel, endpoint: Endpoint
) -> None:
    endpoint.faults.append(Refusal(429))
    assert await text_of(model) == "Bezoek mag tot 20 uur [1]."
    endpoint.faults += [Refusal(429), Refusal(429, {"retry-after": "7"})]
    with pytest.raises(ModelUnavailable) as raised:
        await text_of(model)
    assert (raised.value.answered, raised.value.retry_after) == (429, 7)


async def test_a_model_that_the_region_does_not_have_is_told_by_its_setting(
    model: OpenAIModel, endpoint: Endpoint
) -> None:
    endpoint.faults.append(Refusal(404))
    with pytest.raises(ModelUnavailable, match="CARELINE_OPENAI_MODEL"):
        await text_of(model)


async def test_a_process_without_credentials_says_so_and_asks_nobody(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    async with client(settings(endpoint.url)) as opened:
        with pytest.raises(ModelUnavailable, match="AWS credentials") as raised:
            await text_of(OpenAIModel(opened, NAME, Prices(), ModelTimeouts(5, 5)))
    assert (raised.value.kind, endpoint.requests) == ("credentials", [])


async def test_without_an_address_the_regions_own_endpoint_is_asked() -> None:
    async with client(settings(None)) as opened:
        assert str(opened.base_url).rstrip("/") == f"https://bedrock-runtime.{REGION}.amazonaws.com/openai/v1"


@pytest.mark.parametrize("region", ["Frankfurt", "eu-west-1"])
def test_an_address_and_a_region_that_do_not_fit_are_refused_at_once(region: str) -> None:
    address = f"https://bedrock-runtime.{REGION}.amazonaws.com/openai/v1"
    with pytest.raises(SettingsInvalid, match="CARELINE_OPENAI_AWS_REGION"):
        client(settings(address, region))
