"""Where the configuration comes from: environment variables first, then `.env` in the installation's folder.

Reading is explicit (`Settings.load`); importing this module reads nothing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

import careline_packs
from careline.errors import SettingsInvalid
from careline.identity import Role

PREFIX = "CARELINE_"
MIN_TOKEN, MAX_TOKEN = 16, 200
"""Characters of the owner's token."""
_NEVER_BLANK = "token"
"""A setting that is refused when it is there and empty: whoever set it did not mean to have none."""


class Settings(BaseModel):
    """Every setting, its default and its meaning. The variable is the name in capitals after `CARELINE_`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    home: Path = Path("~/.careline")
    """Folder that holds everything of one laptop installation."""
    packs: Path = careline_packs.FOLDER
    """Folder of the packs."""
    tenant: str = "default"
    """Whose data this installation reads and writes, where a login says nothing else."""
    pack: str = "hospital_line"
    """Pack that answers where a question names none."""
    default_language: Literal["nl", "en", "fr", "it"] | None = None
    """Language of an answer when the question's own cannot be told."""
    emergency_number: str = "112"
    """Number that callers are told in an emergency."""
    helpdesk_phone: str | None = None
    """Number that callers are told when they want a person."""
    hospital_name: str | None = None
    """Name of the hospital, as callers are told it."""

    embedder: Literal["embedded", "openai"] = "embedded"
    """What makes the vectors of passages and questions; after a change run `careline reindex`."""
    model: Literal["extractive", "openai"] = "extractive"
    """What writes answers: sentences quoted from the documents, or a model of an OpenAI-compatible endpoint."""
    storage: Literal["embedded", "aws"] = "embedded"
    """Where everything is kept: in the home, or in AWS."""

    openai_base_url: str | None = None
    """Address of an OpenAI-compatible endpoint for `model` and `embedder`; OpenAI's own when absent."""
    openai_api_key: SecretStr | None = None
    """Key of that endpoint."""
    openai_model: str = "gpt-4.1-mini"
    """Model of that endpoint that writes answers."""
    openai_embedding_model: str = "text-embedding-3-large"
    """Model of that endpoint that makes vectors; after a change run `careline reindex`."""
    openai_embedding_dimensions: int = Field(default=1024, ge=64, le=3072)
    """Length of these vectors; after a change run `careline reindex`."""
    openai_price_in: float = 0.0
    """Euro per million input tokens."""
    openai_price_out: float = 0.0
    """Euro per million output tokens."""
    openai_screen_model: str | None = None
    """Model of the same endpoint that looks at utterances nothing else stopped; nobody does when absent."""
    openai_document_screen_model: str | None = None
    """Model of the same endpoint that looks for planted text when documents are taken in; nobody does when absent."""
    openai_small_model: str | None = None
    """Model of the same endpoint for simple questions and for the phone; the other one when absent."""
    semantic_classifiers: Literal["embedded", "off"] = "embedded"
    """Whether the screens look at an utterance's vector beside its words."""
    reader: Literal["embedded", "off"] = "embedded"
    """Whether question and passage are read together; without, the order of the search stands, named in a warning."""
    mode: Literal["hybrid", "local_only", "cloud_only"] = "hybrid"
    """Where answers may be written; what decides besides is a pack's `routing.yaml`."""
    local_model: Literal["extractive", "openai"] = "extractive"
    """What writes answers that may not leave the trust boundary; `openai` is any compatible server within it."""
    local_base_url: str | None = None
    """Address of that server."""
    local_model_name: str = "llama-3.1-8b"
    """Name of the model on that server."""
    cloud_covered: bool = False
    """True when an agreement with the cloud model's provider lets it see personal health data."""
    cloud_only_phi: Literal["redact", "refuse"] = "refuse"
    """What becomes of personal data when `mode` is cloud_only."""
    region: str | None = None
    """Region that data must stay in, such as `eu`; compared with `cloud_region`."""
    cloud_region: str | None = None
    """Region where the cloud model is."""
    monthly_budget: float = Field(default=0.0, ge=0)
    """Euro that language models may cost in a month; 0 for no limit."""
    phi_mode: Literal["strict", "lenient", "off"] = "strict"
    """Whether personal data is looked for: `strict`, `lenient` (only what is certain) or `off`."""
    phi_types: tuple[str, ...] = ()
    """Kinds of personal data that are looked for, separated by commas; all when empty."""
    faults: tuple[Literal["phi_detector", "input_screen", "output_screen"], ...] = ()
    """Parts that fail on purpose, so that staff can rehearse what callers then hear."""
    model_first_token_seconds: float = 8.0
    """Seconds that a model may take to its first word."""
    model_stall_seconds: float = 10.0
    """Seconds that a model may take to each next word."""
    model_answer_seconds: float = Field(default=20.0, gt=0)
    """Seconds that the models of one answer may take in all; what was said by then stays, without a begun sentence."""
    model_answer_seconds_voice: float = Field(default=10.0, gt=0)
    """The same on the phone."""

    table: str | None = None
    """DynamoDB table."""
    bucket: str | None = None
    """S3 bucket of the documents."""
    search_endpoint: str | None = None
    """Address of OpenSearch."""
    search_index: str = "passages"
    """Index of the passages in OpenSearch."""
    search_service: Literal["aoss", "es"] = "aoss"
    """`aoss` for OpenSearch Serverless; `es` for a cluster of one's own, where the first write makes the index."""
    outbox_queue_url: str | None = None
    """SQS queue of what turns leave to be recorded."""
    ingestion_state_machine_arn: str | None = None
    """Step Functions state machine that indexes documents."""

    source_seconds: float = 5.0
    """Seconds that one source may take to be searched."""
    conversation_idle_minutes: int = 30
    """Minutes of silence after which a conversation begins anew."""
    max_upload_bytes: int = 40 * 1024 * 1024
    """Bytes of the largest document."""
    max_pages: int = 1000
    """Pages of the longest document."""
    extract_seconds: float = Field(default=120.0, gt=0)
    """Seconds that reading one document may take; recognition of pictures has its own time, page by page."""
    extract_memory_mb: int = Field(default=1500, ge=64)
    """Mebibytes of memory that reading one document may take."""
    token: SecretStr | None = None
    """The owner's token, 16 characters or more; with it everybody must log in."""
    login: Literal["auto", "required", "gateway"] = "auto"
    """Who must log in: `auto` means nobody on loopback without a `token`; with `gateway` API Gateway says who it is."""
    session_hours: int = Field(default=8, ge=1, le=24)
    """How long a login of the console lasts."""
    plain_http: bool = False
    """Whether the console's cookie is also sent to this server from other machines without encryption."""
    questions_per_minute: int = Field(default=120, ge=0)
    """Questions of one login; 0 for no limit, here and below."""
    tenant_questions_per_minute: int = Field(default=1200, ge=0)
    """Questions of all logins of a tenant."""
    writes_per_minute: int = Field(default=300, ge=0)
    """Uploads, deletions and other changes of one login."""
    iam_roles: dict[str, str] = Field(default_factory=dict)
    """Role, or role@tenant, by the name of the IAM role that signs a request; `name=role` separated by commas."""
    oidc_issuer: str | None = None
    """Login provider whose JWTs are taken."""
    oidc_audience: str | None = None
    """Audience that its JWTs must name."""
    oidc_keys: str | None = None
    """Address (https) or file of the provider's public keys (JWKS)."""
    role_claim: str = "custom:role"
    """Claim that holds the role."""
    tenant_claim: str = "custom:tenant"
    """Claim that holds the tenant."""

    orchestrator_url: str = "http://127.0.0.1:8080"
    """Where the phone worker asks its questions: the laptop's server, or the orchestrator's function URL."""
    orchestrator_token: SecretStr | None = None
    """Token that the worker shows there."""
    orchestrator_signed: bool = False
    """Whether the worker signs its requests with its AWS credentials, as a function URL wants it."""
    aws_region: str | None = None
    """Region that signatures are for; the one of the AWS environment when absent."""
    deepgram_api_key: SecretStr | None = None
    """Key of Deepgram, which recognises what callers say."""
    deepgram_url: str = "https://api.eu.deepgram.com/v1/listen"
    """Deepgram's streaming address; the one in the European Union."""
    elevenlabs_api_key: SecretStr | None = None
    """Key of ElevenLabs, which speaks the answers."""
    elevenlabs_url: str = "https://api.elevenlabs.io/v1"
    """ElevenLabs' address."""
    elevenlabs_model: str = "eleven_multilingual_v2"
    """Model that speaks."""
    elevenlabs_voices: dict[str, str] = Field(default_factory=dict)
    """Voice by language, `nl=VOICE,fr=VOICE` separated by commas."""
    transfer_to: str | None = None
    """Where callers are put through to, as `sip:` or `tel:` address; without it they are given the number."""
    voice_directory: Path | None = None
    """YAML file of the hospital as the phone knows it: names to listen for, numbers, opening hours."""
    voice_overlays: Path | None = None
    """YAML file of what speech recognition is known to mishear."""
    voice_recordings: Path | None = None
    """Folder of recordings of this hospital's own sentences."""
    voice_agent_name: str = "careline"
    """Name by which LiveKit's dispatch rule asks for this worker."""
    voice_calls: int = Field(default=10, ge=1)
    """Calls that one worker takes at once."""
    voice_host: str = "127.0.0.1"
    """Address of the worker's health and metrics endpoints."""
    voice_health_port: int = Field(default=8081, ge=0, le=65535)
    """Port on which the worker says whether it is healthy."""
    voice_metrics_port: int = Field(default=9090, ge=0, le=65535)
    """Port of the worker's Prometheus figures."""
    voice_drain_seconds: int = Field(default=1800, ge=0)
    """How long calls may go on after the worker was told to stop."""

    privacy_key: SecretStr | None = None
    """Secret of pseudonyms and of the audit chain, 64 hexadecimal digits or more; a laptop makes one of its own."""

    @field_validator("phi_types", "faults", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("token")
    @classmethod
    def _hard_to_guess(cls, token: SecretStr | None) -> SecretStr | None:
        if token is not None:
            text = token.get_secret_value()
            if not MIN_TOKEN <= len(text) <= MAX_TOKEN or not text.isascii() or not text.isprintable() or " " in text:
                raise ValueError(
                    f"must be {MIN_TOKEN} to {MAX_TOKEN} letters, digits and signs without a space; "
                    "`openssl rand -hex 32` makes one"
                )
        return token

    @field_validator("iam_roles", "elevenlabs_voices", mode="before")
    @classmethod
    def _mapped(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        pairs = [part.strip().partition("=") for part in value.split(",") if part.strip()]
        return {name: granted for name, _, granted in pairs}

    @field_validator("iam_roles")
    @classmethod
    def _roles_exist(cls, value: dict[str, str]) -> dict[str, str]:
        if any(granted.partition("@")[0] not in set(Role) for granted in value.values()):
            raise ValueError(f"write NAME=ROLE or NAME=ROLE@TENANT; roles: {', '.join(Role)}")
        return value

    @classmethod
    def load(cls, environment: Mapping[str, str] | None = None, *, home: Path | None = None) -> Settings:
        """Read the environment (the process's own when None) and `<home>/.env` or `./.env`.

        Raises: SettingsInvalid naming the variable.
        """
        return cls.load_with_origins(environment, home=home)[0]

    @classmethod
    def load_with_origins(
        cls, environment: Mapping[str, str] | None = None, *, home: Path | None = None
    ) -> tuple[Settings, dict[str, str]]:
        """The settings, and for each that was set, by its name: where. Raises: SettingsInvalid naming the variable."""
        environment = os.environ if environment is None else environment
        here, name = _dotenv(Path(".env")), PREFIX + "HOME"
        chosen = home or Path(environment.get(name) or here.get(name) or "~/.careline")
        chosen = chosen.expanduser()
        places = {".env": here, str(chosen / ".env"): _dotenv(chosen / ".env"), "environment": environment}
        found = _known({variable: value for place in places.values() for variable, value in place.items()})
        origins = {
            each: next(place for place in reversed(places) if PREFIX + each.upper() in places[place]) for each in found
        }
        if home is not None:
            origins["home"] = "--home"
        try:
            return cls.model_validate({**found, "home": chosen}), origins
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            name = PREFIX + str(first["loc"][0]).upper() if first["loc"] else PREFIX
            raise SettingsInvalid(f"{name}: {first['msg'].removeprefix('Value error, ')}") from None


def _known(variables: Mapping[str, str]) -> dict[str, str]:
    wanted = {PREFIX + name.upper(): name for name in Settings.model_fields}
    unknown = [name for name in variables if name.startswith(PREFIX) and name not in wanted]
    if unknown:
        raise SettingsInvalid(f"{unknown[0]} is not a setting; known ones stand in careline/settings.py")
    known = {wanted[name]: value for name, value in variables.items() if name in wanted}
    return {name: value for name, value in known.items() if value != "" or name == _NEVER_BLANK}


def _dotenv(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    from dotenv import dotenv_values

    return {name: value for name, value in dotenv_values(path).items() if value is not None}
