"""Where the configuration comes from: environment variables first, then `.env` in the installation's folder.

Reading is explicit (`load`, of everything or of one group); importing this module and making settings read nothing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, DotEnvSettingsSource, EnvSettingsSource, SettingsConfigDict

import careline_packs
from careline.errors import SettingsInvalid
from careline.identity import MAX_TOKEN, Role, Signer
from careline.time_zone import DEFAULT, checked

PREFIX = "CARELINE_"
_HOME = PREFIX + "HOME"
MIN_TOKEN = 16
"""Characters that the owner's token has at least."""
_NEVER_BLANK = PREFIX + "TOKEN"
"""A setting that is refused when it is there and empty: whoever set it did not mean to have none."""


class Group(BaseSettings):
    """Settings that belong together. The variable of each is the group's prefix and its name in capitals."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, enable_decoding=False)

    def __init__(self, **values: Any) -> None:
        # Made as any model is: what `BaseSettings` adds to that reads the process's environment.
        super(BaseSettings, self).__init__(**values)

    @classmethod
    def groups(cls) -> dict[str, type[Group]]:
        """The groups in this one, by their field."""
        kinds = {name: field.annotation for name, field in cls.model_fields.items()}
        return {name: kind for name, kind in kinds.items() if isinstance(kind, type) and issubclass(kind, Group)}

    @classmethod
    def variables(cls) -> dict[str, tuple[str, ...]]:
        """Every variable, and the fields that lead to its value: `CARELINE_VOICE_CALLS` to `("voice", "calls")`."""
        groups, prefix = cls.groups(), str(cls.model_config["env_prefix"])
        own = {prefix + name.upper(): (name,) for name in cls.model_fields if name not in groups}
        inner = {each: (name, *path) for name, kind in groups.items() for each, path in kind.variables().items()}
        return {**own, **inner}

    @classmethod
    def load(cls, environment: Mapping[str, str] | None = None, *, home: Path | None = None) -> Self:
        """Read the environment (the process's own when None) and `<home>/.env` or `./.env`.

        Raises: SettingsInvalid naming the variable.
        """
        return cls.load_with_origins(environment, home=home)[0]

    @classmethod
    def load_with_origins(
        cls, environment: Mapping[str, str] | None = None, *, home: Path | None = None
    ) -> tuple[Self, dict[str, str]]:
        """What `load` reads, and for each variable that was set: where. Raises: SettingsInvalid naming the variable."""
        environment = os.environ if environment is None else environment
        here = _dotenv(Path(".env"))
        chosen = (home or Path(environment.get(_HOME) or here.get(_HOME) or "~/.careline")).expanduser()
        places = {".env": here, str(chosen / ".env"): _dotenv(chosen / ".env"), "environment": environment}
        found = _known({variable: value for place in places.values() for variable, value in place.items()})
        origins = {each: next(place for place in reversed(places) if each in places[place]) for each in found}
        if home is not None:
            origins[_HOME] = "--home"
        return cls._made({**found, _HOME: str(chosen)}), origins

    @classmethod
    def of_variables(cls, variables: Mapping[str, str]) -> Self:
        """What these variables say, and nothing else around here: those of another process, such as a function's.

        Raises: SettingsInvalid naming the variable.
        """
        return cls._made(_known(variables))

    @classmethod
    def _made(cls, found: Mapping[str, str]) -> Self:
        try:
            return cls(**_Variables(cls, found)())
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            known = cls.variables()
            name = next((each for each, path in known.items() if first["loc"][: len(path)] == path), PREFIX)
            raise SettingsInvalid(f"{name}: {first['msg'].removeprefix('Value error, ')}") from None

    def with_changes(self, **changes: Any) -> Self:
        """A validated copy: `settings.with_changes(tenant="a", voice={"calls": 2})`. Raises: ValidationError."""
        values = {name: held for name, held in self if name in self.model_fields_set or isinstance(held, Group)}
        for name, value in changes.items():
            held = getattr(self, name, None)
            values[name] = held.with_changes(**value) if isinstance(held, Group) else value
        return type(self)(**values)


class _Variables(EnvSettingsSource):
    """What was found for a group and the groups in it, in place of what the process's environment holds."""

    def __init__(self, group: type[Group], found: Mapping[str, str]) -> None:
        super().__init__(group)
        self._inner = {name: _Variables(kind, found) for name, kind in group.groups().items()}
        self.env_vars = {variable.lower(): value for variable, value in found.items()}

    def __call__(self) -> dict[str, Any]:
        return {**super().__call__(), **{name: inner() for name, inner in self._inner.items()}}


def _known(variables: Mapping[str, str]) -> dict[str, str]:
    wanted = Settings.variables()
    ours = {name: value for name, value in variables.items() if name.startswith(PREFIX)}
    unknown = [name for name in ours if name not in wanted]
    if unknown:
        raise SettingsInvalid(f"{unknown[0]} is not a setting; known ones stand in careline/settings.py")
    return {name: value for name, value in ours.items() if value != "" or name == _NEVER_BLANK}


def _dotenv(path: Path) -> dict[str, str]:
    variables = DotEnvSettingsSource(Group, env_file=path, case_sensitive=True).env_vars
    return {name: value for name, value in variables.items() if value is not None}


def _listed(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


def _mapped(value: object) -> object:
    if not isinstance(value, str):
        return value
    pairs = [part.strip().partition("=") for part in value.split(",") if part.strip()]
    return {name: granted for name, _, granted in pairs}


class HospitalSettings(Group):
    """The hospital, as callers hear of it."""

    hospital_name: str | None = None
    """Name of the hospital, as callers are told it."""
    default_language: Literal["nl", "en", "fr", "it"] | None = None
    """Language of an answer when the question's own cannot be told."""
    emergency_number: str = "112"
    """Number that callers are told in an emergency."""
    helpdesk_phone: str | None = None
    """Number that callers are told when they want a person."""
    transfer_to: str | None = None
    """Where callers are put through to, as `sip:` or `tel:` address; without it they are given the number."""
    time_zone: str = DEFAULT
    """IANA name of the time zone whose days count: what is valid today, how long records are kept, a month's budget."""

    @field_validator("time_zone")
    @classmethod
    def _is_a_time_zone(cls, name: str) -> str:
        return checked(name)


class EngineSettings(Group):
    """What searches, reads and answers."""

    embedder: Literal["embedded", "openai"] = "embedded"
    """What makes the vectors of passages and questions; after a change run `careline reindex`."""
    model: Literal["extractive", "openai"] = "extractive"
    """What writes answers: sentences quoted from the documents, or a model of an OpenAI-compatible endpoint."""
    semantic_classifiers: Literal["embedded", "off"] = "embedded"
    """Whether the screens look at an utterance's vector beside its words."""
    reader: Literal["embedded", "off"] = "embedded"
    """Whether question and passage are read together; without, the order of the search stands, named in a warning."""
    reader_milliseconds: float = Field(default=200.0, ge=0)
    """Milliseconds for the windows of one question; slow processors read fewer of 12, 6 at least. 0 for no limit."""
    circuit_breaker: Literal["on", "off"] = "on"
    """Whether an engine outside this process that failed five times in a row is left alone for a minute."""
    relevance: str | None = None
    """File that `careline calibrate` wrote with the embedding model of `embedder`, or what stands in it as JSON;
    `relevance.yaml` in the home when absent. The embedded one needs none."""
    follow_ups: Literal["joined", "model"] = "joined"
    """How a short question is read in the light of the one before: `joined` to it, or rewritten by the `model` of
    `openai_screen_model`; joined where that is absent or fails."""
    intents: Literal["classifier", "model"] = "classifier"
    """Who says what is wanted where the classifier is unsure: nobody else, or the `model` of `openai_screen_model`, as
    packs ask for it (`intent_model`); the classifier where that is absent or fails."""


class OpenAISettings(Group, env_prefix="CARELINE_OPENAI_"):
    """An OpenAI-compatible endpoint."""

    base_url: str | None = None
    """Address of an OpenAI-compatible endpoint for `model` and `embedder`; OpenAI's own when absent, Bedrock's of
    `aws_region` where `auth` is aws."""
    auth: Literal["key", "aws"] = "key"
    """How it is told who asks: with a key, or signed with the AWS credentials of the process, as Bedrock takes it."""
    api_key: SecretStr | None = None
    """Key of that endpoint."""
    api_key_secret: str | None = None
    """ARN or name of that key in AWS Secrets Manager: read when it is first needed and every five minutes."""
    aws_region: str | None = None
    """Region that signatures are for where `auth` is aws; the one of the AWS environment when absent."""
    model: str = "gpt-4.1-mini"
    """Model of that endpoint that writes answers."""
    embedding_model: str = "text-embedding-3-large"
    """Model of that endpoint that makes vectors; after a change run `careline reindex`."""
    embedding_dimensions: int = Field(default=1024, ge=64, le=3072)
    """Length of these vectors; after a change run `careline reindex`."""
    price_in: float = 0.0
    """Euro per million input tokens."""
    price_out: float = 0.0
    """Euro per million output tokens."""
    screen_model: str | None = None
    """Model of the same endpoint that looks at utterances nothing else stopped; nobody does when absent."""
    document_screen_model: str | None = None
    """Model of the same endpoint that looks for planted text when documents are taken in; nobody does when absent."""
    small_model: str | None = None
    """Model of the same endpoint for simple questions and for the phone; the other one when absent."""


class LocalSettings(Group, env_prefix="CARELINE_LOCAL_"):
    """A model within the trust boundary."""

    model: Literal["extractive", "openai"] = "extractive"
    """What writes answers that may not leave the trust boundary; `openai` is any compatible server within it."""
    base_url: str | None = None
    """Address of that server."""
    model_name: str = "llama-3.1-8b"
    """Name of the model on that server."""


class RoutingSettings(Group):
    """Where answers may be written, and what that may cost."""

    mode: Literal["hybrid", "local_only", "cloud_only"] = "hybrid"
    """Where answers may be written; what decides besides is a pack's `routing.yaml`."""
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


class TimeoutSettings(Group, env_prefix="CARELINE_MODEL_"):
    """Patience with language models."""

    first_token_seconds: float = 8.0
    """Seconds that a model may take to its first word."""
    stall_seconds: float = 10.0
    """Seconds that a model may take to each next word."""
    answer_seconds: float = Field(default=20.0, gt=0)
    """Seconds that the models of one answer may take in all; what was said by then stays, without a begun sentence."""
    answer_seconds_voice: float = Field(default=10.0, gt=0)
    """The same on the phone."""


class PrivacySettings(Group):
    """Personal data."""

    phi_mode: Literal["strict", "lenient", "off"] = "strict"
    """Whether personal data is looked for: `strict`, `lenient` (only what is certain) or `off`."""
    phi_types: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()
    """Kinds of personal data that are looked for, separated by commas; all when empty."""
    privacy_key: SecretStr | None = None
    """Secret of pseudonyms and of the audit chain, 64 hexadecimal digits or more; a laptop makes one of its own."""
    privacy_key_secret: str | None = None
    """ARN or name of that secret in AWS Secrets Manager, read once, when it is first needed."""
    noted_heads: Path | None = None
    """Folder where heads of audit chains are noted, best a share where this user may add files and change none; `heads`
    in the home when absent."""


class LimitSettings(Group):
    """Limits of documents, searches and conversations."""

    source_seconds: float = 5.0
    """Seconds that one source may take to be searched."""
    conversation_idle_minutes: int = 30
    """Minutes of silence after which a conversation begins anew."""
    max_upload_bytes: int = 40 * 1024 * 1024
    """Bytes of the largest document."""
    max_direct_upload_bytes: int | None = None
    """Bytes of the largest file in a request of its own; larger ones go to an address they are given. The same as
    `max_upload_bytes` when absent; on AWS what a function's request can carry."""
    max_pages: int = 1000
    """Pages of the longest document."""
    extract_seconds: float = Field(default=120.0, gt=0)
    """Seconds that reading one document may take; recognition of pictures has its own time, page by page."""
    extract_memory_mb: int = Field(default=1500, ge=64)
    """Mebibytes of memory that reading one document may take."""


class AccessSettings(Group):
    """Who may ask, and how often."""

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
    iam_roles: Annotated[dict[str, str], BeforeValidator(_mapped)] = Field(default_factory=dict)
    """Role, or role@tenant, by the full ARN of the IAM role that signs a request; `ARN=role` separated by commas."""
    role_claim: str = "custom:role"
    """Claim that holds the role."""
    tenant_claim: str = "custom:tenant"
    """Claim that holds the tenant."""

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

    @field_validator("iam_roles")
    @classmethod
    def _roles_exist(cls, value: dict[str, str]) -> dict[str, str]:
        signers = [Signer.of_role(arn) for arn in value]
        if None in signers or any(granted.partition("@")[0] not in set(Role) for granted in value.values()):
            raise ValueError(
                "write ARN=ROLE or ARN=ROLE@TENANT, the ARN as arn:aws:iam::111111111111:role/NAME; "
                f"roles: {', '.join(Role)}"
            )
        if len(set(signers)) < len(signers):
            raise ValueError("names one IAM role twice; its path and its capitals tell no roles of an account apart")
        return value


class OidcSettings(Group, env_prefix="CARELINE_OIDC_"):
    """A login provider (OpenID Connect)."""

    issuer: str | None = None
    """Login provider whose JWTs are taken."""
    audience: str | None = None
    """Audience that its JWTs must name."""
    keys: str | None = None
    """Address (https) or file of the provider's public keys (JWKS)."""


class LogSettings(Group, env_prefix="CARELINE_LOG_"):
    """The log."""

    format: Literal["text", "json"] = "text"
    """How `careline up` writes its log: lines for people, or JSON. Functions on AWS write JSON whatever it says."""
    level: Literal["info", "warning", "error"] | None = None
    """The least that `careline up` logs; when absent `info` in JSON and `warning` in text."""


class TraceSettings(Group, env_prefix="CARELINE_TRACES_"):
    """Traces."""

    exporter: Literal["off", "otlp", "xray"] = "off"
    """Where spans go: nowhere, to a collector (OTLP over HTTP), or signed to X-Ray of the process's region."""
    endpoint: str | None = None
    """Address for them, with its path; when absent a collector on this machine, of `xray` the region's own."""
    share: float = Field(default=1.0, ge=0, le=1)
    """Share of traces that is sent, where nobody before has decided about a trace."""


class AwsSettings(Group):
    """Amazon Web Services."""

    stage: str = "dev"
    """Name of the deployment, a dimension of its metrics."""
    table: str | None = None
    """DynamoDB table."""
    bucket: str | None = None
    """S3 bucket of the documents."""
    heads_bucket: str | None = None
    """S3 bucket under Object Lock where heads of audit chains are noted; none are when absent."""
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
    aws_region: str | None = None
    """Region that signatures are for; the one of the AWS environment when absent."""


class VoiceSettings(Group, env_prefix="CARELINE_VOICE_"):
    """The phone worker."""

    overlays: Path | None = None
    """YAML file of what speech recognition is known to mishear."""
    recordings: Path | None = None
    """Folder of recordings of this hospital's menu, with the line that they were made of."""
    agent_name: str = "careline"
    """Name by which LiveKit's dispatch rule asks for this worker."""
    calls: int = Field(default=10, ge=1)
    """Calls that one worker takes at once."""
    host: str = "127.0.0.1"
    """Address of the worker's health and metrics endpoints."""
    health_port: int = Field(default=8081, ge=0, le=65535)
    """Port on which the worker says whether it is healthy."""
    metrics_port: int = Field(default=9090, ge=0, le=65535)
    """Port of the worker's Prometheus figures."""
    drain_seconds: int = Field(default=1800, ge=0)
    """How long calls may go on after the worker was told to stop."""
    service: str | None = None
    """Name of the ECS service that the worker belongs to, for its figures in CloudWatch; none are written without."""


class OrchestratorSettings(Group, env_prefix="CARELINE_ORCHESTRATOR_"):
    """The phone worker's way to the orchestrator."""

    url: str = "http://127.0.0.1:8080"
    """Where the phone worker asks its questions: the laptop's server, or the orchestrator's function URL."""
    token: SecretStr | None = None
    """Token that the worker shows there."""
    signed: bool = False
    """Whether the worker signs its requests with its AWS credentials, as a function URL wants it."""


class DeepgramSettings(Group, env_prefix="CARELINE_DEEPGRAM_"):
    """Deepgram, which hears callers."""

    api_key: SecretStr | None = None
    """Key of Deepgram, which recognises what callers say."""
    url: str = "https://api.eu.deepgram.com/v1/listen"
    """Deepgram's streaming address; the one in the European Union."""


class ElevenLabsSettings(Group, env_prefix="CARELINE_ELEVENLABS_"):
    """ElevenLabs, which speaks to callers."""

    api_key: SecretStr | None = None
    """Key of ElevenLabs, which speaks the answers."""
    url: str = "https://api.elevenlabs.io/v1"
    """ElevenLabs' address."""
    model: str = "eleven_multilingual_v2"
    """Model that speaks."""
    voices: Annotated[dict[str, str], BeforeValidator(_mapped)] = Field(default_factory=dict)
    """Voice by language, `nl=VOICE,fr=VOICE` separated by commas."""


class PhoneSettings(Group):
    """What the phone worker is set up with."""

    tenant: str = "default"
    """Whose data this installation reads and writes, where a login says nothing else."""
    pack: str = "hospital_line"
    """Pack that answers where a question names none."""
    hospital: HospitalSettings = Field(default_factory=HospitalSettings)
    voice: VoiceSettings = Field(default_factory=VoiceSettings)
    orchestrator: OrchestratorSettings = Field(default_factory=OrchestratorSettings)
    deepgram: DeepgramSettings = Field(default_factory=DeepgramSettings)
    elevenlabs: ElevenLabsSettings = Field(default_factory=ElevenLabsSettings)
    aws: AwsSettings = Field(default_factory=AwsSettings)


class Settings(PhoneSettings):
    """Every setting, its default and its meaning."""

    home: Path = Path("~/.careline")
    """Folder that holds everything of one laptop installation."""
    packs: Path = careline_packs.FOLDER
    """Folder of the packs."""
    storage: Literal["embedded", "aws"] = "embedded"
    """Where everything is kept: in the home, or in AWS."""
    faults: Annotated[
        tuple[Literal["phi_detector", "input_screen", "output_screen"], ...], BeforeValidator(_listed)
    ] = ()
    """Parts that fail on purpose, so that staff can rehearse what callers then hear."""
    engines: EngineSettings = Field(default_factory=EngineSettings)
    openai: OpenAISettings = Field(default_factory=OpenAISettings)
    local: LocalSettings = Field(default_factory=LocalSettings)
    routing: RoutingSettings = Field(default_factory=RoutingSettings)
    timeouts: TimeoutSettings = Field(default_factory=TimeoutSettings)
    privacy: PrivacySettings = Field(default_factory=PrivacySettings)
    limits: LimitSettings = Field(default_factory=LimitSettings)
    access: AccessSettings = Field(default_factory=AccessSettings)
    oidc: OidcSettings = Field(default_factory=OidcSettings)
    log: LogSettings = Field(default_factory=LogSettings)
    traces: TraceSettings = Field(default_factory=TraceSettings)
