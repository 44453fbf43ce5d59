"""Who gets personal data, by the settings of an installation: nobody is a recipient who is not switched on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from careline.settings import Settings

OPENAI = "api.openai.com"
BEDROCK = "bedrock-runtime.{region}.amazonaws.com"
UNKNOWN = None
"""A fact that only the hospital can tell."""


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody outside the hospital. `region` is what the settings say of where; None where they say nothing."""

    name: str
    task: str
    receives: str
    region: str | None
    by_setting: str


def recipients(settings: Settings) -> list[Recipient]:
    """Every recipient that the settings name, the host of the records first."""
    return [*_hosting(settings), *_models(settings), *_speech(settings), *_login(settings)]


def _hosting(settings: Settings) -> Iterator[Recipient]:
    if settings.storage == "aws":
        region = settings.aws.aws_region or _region_of_environment()
        yield Recipient(
            "Amazon Web Services",
            "hosting of records, documents, search and functions",
            "all records; what people say is encrypted before it is written",
            region,
            "CARELINE_STORAGE",
        )


def _models(settings: Settings) -> Iterator[Recipient]:
    name, region = _endpoint(settings)
    writes = settings.engines.model == "openai" and settings.routing.mode != "local_only"
    if writes:
        yield Recipient(name, "writing answers", _what_a_writer_sees(settings), region, "CARELINE_MODEL")
    if settings.engines.embedder == "openai":
        says = f"questions {_as_found(settings)}; passages of documents"
        yield Recipient(name, "vectors of questions and documents", says, region, "CARELINE_EMBEDDER")
    screens = settings.openai.screen_model is not None
    if screens:
        says = f"messages that no rule stopped, {_as_found(settings)}"
        yield Recipient(name, "screening of messages", says, region, "CARELINE_OPENAI_SCREEN_MODEL")
    if screens and settings.routing.mode != "local_only":
        yield from _understanding(settings, name, region)
    if settings.openai.document_screen_model is not None and settings.routing.mode != "local_only":
        says, variable = "passages of documents", "CARELINE_OPENAI_DOCUMENT_SCREEN_MODEL"
        yield Recipient(name, "screening of documents", says, region, variable)


def _understanding(settings: Settings, name: str, region: str | None) -> Iterator[Recipient]:
    """What reads questions: in the light of those before, and where nobody knows what they want."""
    says = f"questions with the messages before them, {_as_found(settings)}"
    if settings.engines.follow_ups == "model":
        yield Recipient(name, "reading of follow-up questions", says, region, "CARELINE_FOLLOW_UPS")
    if settings.engines.intents == "model":
        yield Recipient(name, "telling what is wanted", says, region, "CARELINE_INTENTS")


def _endpoint(settings: Settings) -> tuple[str, str | None]:
    """Who answers at the endpoint of models, and where: signed requests are for Bedrock in the region of AWS."""
    host = _host(settings.openai.base_url)
    if settings.openai.auth != "aws":
        return host or OPENAI, settings.routing.cloud_region
    region = settings.openai.aws_region or _region_of_environment()
    return f"Amazon Bedrock ({host or BEDROCK.format(region=region or 'REGION')})", region


def _region_of_environment() -> str | None:
    return os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")


def _as_found(settings: Settings) -> str:
    if settings.privacy.phi_mode == "off":
        return "with whatever personal data is in them, as it is not looked for"
    return "without the personal data that was found in them"


def _what_a_writer_sees(settings: Settings) -> str:
    if settings.privacy.phi_mode == "off":
        return f"questions {_as_found(settings)}; passages of documents"
    if settings.routing.cloud_covered:
        return "questions with the personal data in them, as an agreement is said to cover it; passages of documents"
    if settings.routing.mode == "cloud_only" and settings.routing.cloud_only_phi == "redact":
        return "questions in which personal data that was found is replaced by its kind; passages of documents"
    return "questions in which no personal data was found; passages of documents"


def _speech(settings: Settings) -> Iterator[Recipient]:
    hears, speaks = settings.deepgram, settings.elevenlabs
    if hears.api_key is not None:
        name, by = f"Deepgram ({_host(hears.url)})", "CARELINE_DEEPGRAM_API_KEY"
        region = "eu, by the address" if ".eu." in (_host(hears.url) or "") else UNKNOWN
        yield Recipient(name, "recognition of speech", "the voice of callers, all they say", region, by)
    if speaks.api_key is not None:
        name, by = f"ElevenLabs ({_host(speaks.url)})", "CARELINE_ELEVENLABS_API_KEY"
        yield Recipient(name, "speech of answers", "the text of answers", UNKNOWN, by)
    if hears.api_key is not None or "LIVEKIT_URL" in os.environ:
        name = f"LiveKit ({_host(os.environ.get('LIVEKIT_URL')) or 'its address is not set here'})"
        says = "sound of the call in both directions; the caller's number"
        yield Recipient(name, "connecting calls, and the telephone carrier behind it", says, UNKNOWN, "LIVEKIT_URL")


def _login(settings: Settings) -> Iterator[Recipient]:
    if settings.oidc.issuer is not None:
        name, says = _host(settings.oidc.issuer) or settings.oidc.issuer, "logins of staff"
        yield Recipient(name, "login of staff", says, UNKNOWN, "CARELINE_OIDC_ISSUER")


def _host(address: str | None) -> str | None:
    """The host of an address: whatever else stands in it may be a secret."""
    return urlsplit(address).hostname if address else None
