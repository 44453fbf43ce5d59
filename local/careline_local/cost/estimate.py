"""What a month costs, line by line: a quantity, its unit and its price."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from careline_local.cost.prices import prices
from careline_local.cost.resources import Resources
from careline_local.cost.usage import Usage

HOURS = 730.0
SECONDS = HOURS * 3600
GB = 1_000_000.0
"""kB in a GB."""
MINUTE_CANARY_RUNS = HOURS * 12
"""Runs of a canary every five minutes."""
VENDORS = frozenset({"Language model", "Speech", "Telephone"})
"""Services that AWS does not bill."""
ORCHESTRATOR_GB, TELEMETRY_GB, INGESTION_GB = 1.73, 0.5, 1.7
"""Taken where a template has no function of the name."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `cost` is in US dollars a month without tax."""

    service: str
    what: str
    quantity: float
    price: str

    @property
    def unit(self) -> str:
        """What is counted."""
        return prices().prices[self.price].unit

    @property
    def cost(self) -> float:
        """Quantity times price."""
        return self.quantity * prices().prices[self.price].usd

    def to_json(self) -> dict[str, Any]:
        """The line for programs."""
        told = prices().prices[self.price]
        return {
            "service": self.service, "what": self.what, "quantity": round(self.quantity, 4), "unit": told.unit,
            "price": told.usd, "cost": round(self.cost, 4), "price_is": told.how,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Estimate:
    """All lines of a month."""

    lines: tuple[Line, ...]

    @property
    def total(self) -> float:
        """US dollars."""
        return sum(line.cost for line in self.lines)

    @property
    def of_vendors(self) -> float:
        """What others than AWS bill."""
        return sum(line.cost for line in self.lines if line.service in VENDORS)

    def by_service(self) -> dict[str, float]:
        """Cost by service, dearest first."""
        found: dict[str, float] = {}
        for line in self.lines:
            found[line.service] = found.get(line.service, 0.0) + line.cost
        return dict(sorted(found.items(), key=lambda one: -one[1]))


def estimate(resources: Resources, usage: Usage) -> Estimate:
    """The month of a stage with these resources and this use."""
    lines = (*_standing(resources), *_asked(resources, usage), *_taken_in(resources, usage), *_vendors(usage))
    return Estimate(tuple(line for line in lines if line.quantity > 0))


def _standing(there: Resources) -> Iterator[Line]:
    """What costs the same whoever asks."""
    yield Line("OpenSearch Serverless", "search units that stay awake", there.search_units * HOURS, "search_unit")
    yield Line("OpenSearch Serverless", "indexing units that stay awake", there.indexing_units * HOURS, "search_unit")
    yield Line("KMS", "keys", there.keys, "key")
    yield Line("Secrets Manager", "secrets", there.secrets, "secret")
    yield Line("WAF", "web ACLs", there.web_acls, "web_acl")
    yield Line("WAF", "rules", there.web_acl_rules, "web_acl_rule")
    yield Line("CloudWatch", "alarms", there.alarms, "alarm")
    yield Line("CloudWatch", "composite alarms", there.composite_alarms, "composite_alarm")
    yield Line("CloudWatch", "dashboards", there.dashboards, "dashboard")
    yield Line("CloudWatch", "canary runs, every five minutes", there.canaries * MINUTE_CANARY_RUNS, "canary_run")
    yield Line("VPC", "interface endpoints, by zone", there.endpoint_zones * HOURS, "endpoint")
    yield Line("VPC", "NAT gateways", there.nat_gateways * HOURS, "nat")
    yield Line("VPC", "public addresses", there.addresses * HOURS, "address")
    yield Line("Load balancing", "balancers", there.load_balancers * HOURS, "load_balancer")
    yield Line("ElastiCache", "nodes", there.cache_nodes * HOURS, "cache_node")
    for task in there.tasks:
        yield Line("Fargate", "processors of tasks that wait for calls", task.count * task.cpus * HOURS, "fargate_cpu")
        yield Line("Fargate", "memory of the same", task.count * task.gigabytes * HOURS, "fargate_gb")
    for name, count in there.ready.items():
        memory = there.functions.get(name, ORCHESTRATOR_GB)
        yield Line("Lambda", f"environments of {name} kept ready", count * memory * SECONDS, "function_ready_gbs")
    for name in there.snapshots:
        yield Line("Lambda", f"snapshot of {name}, cached", there.functions[name] * SECONDS, "snapshot_gbs")


def _asked(there: Resources, used: Usage) -> Iterator[Line]:
    """What questions cost."""
    orchestrator = there.functions.get("orchestrator", ORCHESTRATOR_GB)
    seconds = used.turn_seconds if used.with_model else used.quoted_seconds
    dropped = used.spoken * used.speculative_per_turn
    requests = used.queries + dropped
    turns = used.queries * seconds + dropped * used.speculative_seconds
    yield Line("Lambda", "orchestrator, while answers stream", turns * orchestrator, "function_gbs")
    kept = used.queries * used.telemetry_seconds * there.functions.get("telemetry", TELEMETRY_GB)
    yield Line("Lambda", "telemetry", kept, "function_gbs")
    yield Line("Lambda", "requests", requests + used.queries, "function_request")
    if there.snapshots:
        yield Line("Lambda", "restores", requests * used.restores * orchestrator, "snapshot_restore")
    yield Line("API Gateway", "requests in chat", used.queries - used.spoken, "gateway_request")
    if there.web_acls:
        yield Line("WAF", "requests in chat", used.queries - used.spoken, "web_acl_request")
    yield Line("DynamoDB", "reads", used.queries * used.table_reads, "table_read")
    yield Line("DynamoDB", "writes", used.queries * used.table_writes, "table_write")
    records = used.queries / 100_000 * used.records_gb_per_100000
    yield Line("DynamoDB", "records of a month", records, "table_gb")
    yield Line("DynamoDB", "point-in-time recovery of the same", records, "table_recovery_gb")
    yield Line("SQS", "outbox", used.queries * used.queue_requests, "queue_request")
    yield Line("CloudWatch", "logs", requests * used.log_kb / GB, "log_gb")
    yield Line("CloudWatch", "custom metrics", used.metrics, "metric")
    yield Line("X-Ray", "traces", requests * used.traced_share, "trace")
    yield Line("KMS", "requests", used.queries * 2, "key_request")
    yield Line("Data out", "answers", used.queries * used.answer_kb / GB, "out_gb")
    audio = used.minutes * 60 * used.call_kb_per_second / GB
    yield Line("Data out", "audio of calls", audio / 2, "out_gb")
    if there.nat_gateways:
        yield Line("VPC", "audio and models through NAT", audio, "nat_gb")
    if not there.search_units:
        yield Line("OpenSearch Serverless", "search that woke up", used.awake_hours * used.awake_units, "search_unit")
    if there.user_pools:
        yield Line("Cognito", "people, above the 10,000 that are free", max(0, used.people - 10_000), "login")


def _taken_in(there: Resources, used: Usage) -> Iterator[Line]:
    """What documents cost."""
    seconds = used.documents * used.document_seconds
    yield Line("Lambda", "ingestion", seconds * INGESTION_GB, "function_gbs")
    transitions = used.documents * used.transitions_per_document
    yield Line("Step Functions", "transitions", transitions, "transition")
    yield Line("DynamoDB", "writes of documents", used.documents * used.writes_per_document, "table_write")
    yield Line("S3", "files and their text", used.library_gb, "files_gb")
    yield Line("S3", "requests", used.documents * 20, "files_write")
    yield Line("OpenSearch Serverless", "what is stored", used.library_gb, "search_storage")
    if not there.indexing_units:
        awake = used.indexing_hours * used.awake_units
        yield Line("OpenSearch Serverless", "indexing that woke up", awake, "search_unit")


def _vendors(used: Usage) -> Iterator[Line]:
    """What others bill."""
    if used.with_model:
        written = used.queries * used.model_share
        yield Line("Language model", "tokens read", written * used.prompt_tokens, "model_in")
        yield Line("Language model", "tokens written", written * used.answer_tokens, "model_out")
    if used.with_embedding:
        asked = used.queries * 20 + used.documents * used.document_tokens
        yield Line("Language model", "tokens embedded", asked, "embedding")
    yield Line("Speech", "speech to text, minutes connected", used.minutes, "speech_to_text")
    yield Line("Speech", "text to speech, characters", used.spoken * used.spoken_characters, "text_to_speech")
    if used.calls:
        yield Line("Telephone", "rooms: a plan", 1, "rooms_plan")
        yield Line("Telephone", "rooms: caller and worker", 2 * used.billed_minutes, "rooms")
        yield Line("Telephone", "rooms: SIP", used.billed_minutes, "rooms_sip")
        yield Line("Telephone", "trunk", used.billed_minutes, "trunk")
        yield Line("Telephone", "number", 1, "number")
