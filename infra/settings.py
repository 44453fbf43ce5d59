"""What differs between the stages dev and prod."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Name = Literal["dev", "prod"]
LIVE = "live"
"""The alias of the orchestrator that callers reach."""
PLACEHOLDER_ACCOUNT = "111111111111"
"""An account that does not exist, so that a template can be made without one."""

SHIPPED_DIMENSIONS = 384
ONLY_HOSPITAL = "default"
"""The tenant of an installation that knows one hospital alone."""


@dataclass(frozen=True, slots=True)
class LiveKitHost:
    """LiveKit of one's own. `domain` is what workers reach it by, with a certificate of the account in the region."""

    domain: str
    certificate_arn: str
    carrier: str = "twilio"
    """Who may call, of `careline.carriers`."""
    server_image: str = "docker.io/livekit/livekit-server:v1.13.5"
    sip_image: str = "docker.io/livekit/sip:v1.12.0"


@dataclass(frozen=True, slots=True)
class LoginProvider:
    """An OpenID provider of the hospital's own, through which people log in to the user pool. `secret_name` names the
    entry of Secrets Manager that holds its client secret; the claims are those of its tokens that hold what a person is
    to us, as the pool's own attributes do."""

    name: str
    issuer: str
    client_id: str
    secret_name: str
    role_claim: str = "careline_role"
    tenant_claim: str = "careline_tenant"


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """An embedding model of OpenAI in the place of the one in the images. `fit` is the file that `careline calibrate`
    wrote with it, from the repository's root: without one nothing is answered by its vectors."""

    name: str
    dimensions: int
    fit: str


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Who writes answers. `none`: documents are quoted, and no text leaves. `openai`: OpenAI, by a key that a person
    puts into the stage's secret. `bedrock`: a model in `region` of this account, called by the orchestrator's role."""

    kind: Literal["none", "openai", "bedrock"] = "none"
    name: str | None = None
    """`CARELINE_OPENAI_MODEL`; of Bedrock the id of the model or of an inference profile (`eu.…`)."""
    region: str | None = None
    """Where Bedrock is called; the stage's own region when absent."""
    profile_regions: tuple[str, ...] = ()
    """Where an inference profile may have the model run; `name` is that of a model where there are none."""
    is_covered: bool = False
    """Whether an agreement lets the model's provider see personal health data (`CARELINE_CLOUD_COVERED`)."""
    screens_documents: str | None = None
    """Model that looks for planted text when documents are taken in (`CARELINE_OPENAI_DOCUMENT_SCREEN_MODEL`)."""

    embedding: EmbeddingSettings | None = None
    """Who makes the vectors, by the key of OpenAI; the model in the images when None."""

    def __post_init__(self) -> None:
        """Raises: ValueError for a model of Bedrock without an id, and for vectors of a vendor that makes none here."""
        if self.kind == "bedrock" and not self.name:
            raise ValueError("a model of Bedrock needs its id, as `aws bedrock list-foundation-models` shows it")
        if self.kind != "openai" and self.embedding is not None:
            raise ValueError("an embedding model needs the key of OpenAI, which a model of the kind `openai` has")


@dataclass(frozen=True, slots=True)
class StageSettings:
    """One stage. Capacities are OpenSearch compute units; with a minimum of 0 the collection sleeps after ten idle
    minutes and costs nothing then, but the first request waits 10 to 30 s."""

    name: Name
    region: str
    search_units: tuple[int, int]
    indexing_units: tuple[int, int]
    log_days: int
    keep_data: bool
    orchestrator_memory: int
    dollars_a_month: int
    """What AWS may cost before the budget writes an e-mail."""
    model_euro_a_month: int
    """What language models may cost: a tenth of it in one day raises an alarm."""
    canary: bool
    """Whether a known question is asked every quarter of an hour, which keeps the search awake."""
    snap_start: bool
    """Whether functions that load models start from a snapshot, which costs by the month what it holds in memory."""
    alarm_mail: str | None = None
    """Who is told of alarms: `-c alarms=ward@hospital.example`. Without it prod is not made for a real account."""
    runbooks: str = "docs/runbooks.md"
    """Where the runbooks are read, as alarms link to them: `-c runbooks=https://…/runbooks.md`."""
    model: ModelSettings = ModelSettings()
    traces: Literal["off", "xray"] = "off"
    """Whether functions send spans to X-Ray, which takes them where the account has Transaction Search switched on."""
    is_private: bool = False
    """Whether functions run inside the network and search is reached from there alone."""
    has_firewall: bool = True
    """Whether a firewall stands in front of the API, which costs $11 a month while nobody asks."""
    makes_alarms: bool = True
    """False where templates are made to compare, to destroy, or for stacks without alarms: nobody need be named."""
    opens_search: bool = False
    """Whether a private search is reached from the internet too, signed, until its index is made (docs/compliance)."""
    zones: int = 2
    """How many zones of the region the network spans."""
    nat_gateways: int = 0
    """Ways out to the internet; without one the network's worker subnets are public and its own functions have none."""
    endpoints: tuple[str, ...] = ()
    """AWS services that are reached inside the network, by their name in a VPC endpoint, such as `bedrock-runtime`."""
    separate_keys: bool = False
    """Whether secrets, logs and locked heads each have a key of their own; one key is $1 a month."""
    reserved_concurrency: Mapping[str, int] | None = None
    """Most invocations at once by function, `*` for the others; None shares what the account has. A new account has
    10, of which none can be reserved."""
    backup_days: int = 0
    """How long AWS Backup keeps each day's copy of the records; 0 makes none."""
    backup_region: str | None = None
    """Region that gets a second copy of each backup, into a vault of the same name that is there already."""
    locks_vault: bool = False
    """Whether backups cannot be deleted before their time by anybody, AWS included; cannot be undone after 3 days."""
    heads_lock: Literal["governance", "compliance"] = "governance"
    """Whether heads of audit chains can be unlocked by a special right, or by nobody."""
    heads_days: int = 1
    """How long a head of an audit chain stays locked."""
    account: str = PLACEHOLDER_ACCOUNT
    phone_tasks: tuple[int, int] = (0, 0)
    """Least and most tasks of phone workers for each hospital; alike where nobody scales them."""
    livekit: LiveKitHost | None = None
    """LiveKit of one's own; None for LiveKit Cloud."""
    tenants: tuple[str, ...] = (ONLY_HOSPITAL,)
    """The hospitals of the stage; each has phone workers of its own."""
    signers: tuple[tuple[str, str], ...] = ()
    """Full ARN of an IAM role that signs requests to the function's URL, and its `role` or `role@tenant`. Beside the
    phone worker's, which is always there."""
    uploaders: tuple[tuple[str, str], ...] = ()
    """Tenant, and the ARN of the principal that may take on the role that puts its documents into the bucket."""
    login_provider: LoginProvider | None = None
    """The hospital's own login provider; without one, people are in the user pool itself."""
    threat_protection: bool = False
    """Whether the user pool judges each login's risk, for which it is on Cognito's plan Plus."""
    console_domain: str | None = None
    """Name under which the console is reached; CloudFront's own when absent, which cannot be held to TLS 1.2."""
    console_certificate: str | None = None
    """ARN of the certificate for that name in us-east-1, where CloudFront looks for it."""

    def __post_init__(self) -> None:
        """Raises: ValueError for what cannot be set up together."""
        strangers = {tenant for tenant, _ in self.uploaders} - set(self.tenants)
        if not self.tenants or strangers:
            raise ValueError(f"uploaders are of the stage's tenants; these are none: {', '.join(sorted(strangers))}")
        if (self.console_domain is None) != (self.console_certificate is None):
            raise ValueError("console_domain and console_certificate belong together")

    @property
    def has_alarms(self) -> bool:
        """Whether there are more than those of a deployment, by which it goes back: each costs something, and dev's are
        worth it where somebody is told of them."""
        return self.alarm_mail is not None or self.name == "prod"

    @property
    def vector_dimensions(self) -> int:
        """Of the vectors in the index: those of multilingual-e5-small, which is in the images, or of another model."""
        return SHIPPED_DIMENSIONS if self.model.embedding is None else self.model.embedding.dimensions

    @property
    def search_index(self) -> str:
        """Name of the index, another where vectors have another length: one cannot become the other."""
        dimensions = self.vector_dimensions
        return "passages" if dimensions == SHIPPED_DIMENSIONS else f"passages-{dimensions}"

    @property
    def canary_role(self) -> str:
        """Name of the role that the canary signs with."""
        return f"{self.prefix}-canary"

    @property
    def has_model_key(self) -> bool:
        """Whether a person puts the key of a model's vendor into a secret."""
        return self.model.kind == "openai"

    @property
    def prefix(self) -> str:
        """Starts every name."""
        return f"careline-{self.name}"

    @property
    def application(self) -> str:
        """What CodeDeploy calls the orchestrator."""
        return f"{self.prefix}-orchestrator"

    def phone_service(self, tenant: str) -> str:
        """Name of a hospital's phone workers, and of the IAM role that they sign with.

        Raises: ValueError for a tenant whose name could not stand in it.
        """
        if re.fullmatch(r"[A-Za-z0-9-]{1,40}", tenant) is None:
            raise ValueError(f"tenants: {tenant} has a telephone line only by a name of letters, digits and hyphens")
        return f"{self.prefix}-voice" if tenant == ONLY_HOSPITAL else f"{self.prefix}-voice-{tenant}"

    def concurrency_of(self, function: str) -> int | None:
        """How many invocations of a function are reserved, None where none are."""
        reserved = self.reserved_concurrency
        return None if reserved is None else reserved.get(function, reserved["*"])


DEV = StageSettings(
    name="dev",
    region="eu-west-1",
    search_units=(0, 4),
    indexing_units=(0, 4),
    log_days=30,
    keep_data=False,
    dollars_a_month=25,
    model_euro_a_month=20,
    canary=False,
    orchestrator_memory=1769,
    snap_start=False,
    has_firewall=False,
)
"""What stands while nobody asks costs less than $10 a month (`careline cost`): no firewall, and no alarms unless
somebody is told of them."""

PROD = StageSettings(
    name="prod",
    region="eu-west-1",
    search_units=(2, 16),
    indexing_units=(0, 8),
    log_days=365,
    keep_data=True,
    orchestrator_memory=1769,
    dollars_a_month=650,
    model_euro_a_month=200,
    canary=True,
    phone_tasks=(2, 20),
    threat_protection=True,
    is_private=True,
    nat_gateways=1,
    endpoints=("secretsmanager", "sqs"),
    separate_keys=True,
    reserved_concurrency=MappingProxyType({"orchestrator": 200, "*": 20}),
    backup_days=35,
    heads_lock="compliance",
    heads_days=3650,
    snap_start=True,
)
"""A caller on the phone cannot wait for a search that wakes up, so two units stay awake; indexing may sleep. At
1,769 MB Lambda gives a whole processor (Lambda developer guide, memory). Heads are locked as long as the entries of an
audit chain are kept."""

STAGES: dict[Name, StageSettings] = {"dev": DEV, "prod": PROD}
