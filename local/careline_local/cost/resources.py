"""What of a stage costs something while nobody asks, counted in its templates.

`counted.json` holds the counts of both stages, so that costs are told where CDK is not installed; a test holds it to
the templates, and `python -m careline_local.cost.resources cdk.out` writes it anew.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("counted.json")
STAGES = ("dev", "prod")
MB_PER_GB = 1024
ZONES = 2
"""Taken where a template names no subnets of an endpoint by itself."""
Resource = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Task:
    """A Fargate service: how many tasks run when nobody calls, and what each has."""

    count: int
    cpus: float
    gigabytes: float


@dataclass(frozen=True, slots=True)
class Resources:
    """Counts of one stage. `functions` are memories in GB by name; `ready` those kept ready, `snapshots` those
    restored from a snapshot."""

    search_units: float = 0
    indexing_units: float = 0
    keys: int = 0
    secrets: int = 0
    web_acls: int = 0
    web_acl_rules: int = 0
    alarms: int = 0
    composite_alarms: int = 0
    dashboards: int = 0
    canaries: int = 0
    endpoint_zones: int = 0
    nat_gateways: int = 0
    addresses: int = 0
    load_balancers: int = 0
    cache_nodes: int = 0
    user_pools: int = 0
    buckets: int = 0
    tasks: tuple[Task, ...] = ()
    functions: Mapping[str, float] = field(default_factory=dict)
    ready: Mapping[str, int] = field(default_factory=dict)
    snapshots: tuple[str, ...] = ()


NUMBERS: Mapping[str, str] = {
    "keys": "AWS::KMS::Key",
    "secrets": "AWS::SecretsManager::Secret",
    "web_acls": "AWS::WAFv2::WebACL",
    "alarms": "AWS::CloudWatch::Alarm",
    "composite_alarms": "AWS::CloudWatch::CompositeAlarm",
    "dashboards": "AWS::CloudWatch::Dashboard",
    "canaries": "AWS::Synthetics::Canary",
    "nat_gateways": "AWS::EC2::NatGateway",
    "addresses": "AWS::EC2::EIP",
    "load_balancers": "AWS::ElasticLoadBalancingV2::LoadBalancer",
    "cache_nodes": "AWS::ElastiCache::ReplicationGroup",
    "user_pools": "AWS::Cognito::UserPool",
    "buckets": "AWS::S3::Bucket",
}
"""What is counted by its type alone."""


def counted(assembly: Path) -> Resources:
    """The resources of the templates in a folder. Raises: FileNotFoundError when there are none."""
    paths = sorted(assembly.glob("*.template.json"))
    if not paths:
        raise FileNotFoundError(f"there are no templates in {assembly}")
    there: list[Resource] = [
        (one["Type"], {**one.get("Properties", {}), "LogicalId": f"{path.name}/{logical}"})
        for path in paths
        for logical, one in json.loads(path.read_text(encoding="utf-8"))["Resources"].items()
    ]
    numbers = {name: sum(kind == wanted for kind, _ in there) for name, wanted in NUMBERS.items()}
    groups = [one.get("CapacityLimits", {}) for one in _of(there, "AWS::OpenSearchServerless::CollectionGroup")]
    functions = {_function(one): one.get("MemorySize", 128) / MB_PER_GB for one in _of(there, "AWS::Lambda::Function")}
    return Resources(
        **numbers,
        search_units=sum(float(one.get("MinSearchCapacityInOcu", 0)) for one in groups),
        indexing_units=sum(float(one.get("MinIndexingCapacityInOcu", 0)) for one in groups),
        web_acl_rules=sum(len(one.get("Rules", ())) for one in _of(there, "AWS::WAFv2::WebACL")),
        endpoint_zones=sum(map(_zones, _of(there, "AWS::EC2::VPCEndpoint"))),
        tasks=tuple(_tasks(there)),
        functions=dict(sorted(functions.items())),
        ready=_ready(there),
        snapshots=tuple(
            sorted(_function(one) for one in _of(there, "AWS::Lambda::Function") if _is_snapshot(one))
        ),
    )  # fmt: skip


def of_stage(name: str) -> Resources:
    """The counts that are kept of a stage, `dev` or `prod`."""
    said = json.loads(FILE.read_text(encoding="utf-8"))[name]
    tasks = tuple(Task(**one) for one in said.pop("tasks"))
    snapshots = tuple(said.pop("snapshots"))
    return Resources(**said, tasks=tasks, snapshots=snapshots)


def _of(there: Iterable[Resource], wanted: str) -> list[Mapping[str, Any]]:
    return [properties for kind, properties in there if kind == wanted]


def _function(properties: Mapping[str, Any]) -> str:
    """`orchestrator`, `extract`: the name without stage; that of CDK's own helpers is their logical id."""
    name = properties.get("FunctionName")
    if not isinstance(name, str):
        return str(properties["LogicalId"]).partition("/")[2]
    return re.sub(r"^careline-(dev|prod)-(ingestion-)?", "", name)


def _is_snapshot(properties: Mapping[str, Any]) -> bool:
    return bool(properties.get("SnapStart", {}).get("ApplyOn") == "PublishedVersions")


def _zones(properties: Mapping[str, Any]) -> int:
    """How many zones an interface endpoint is paid for in; gateways cost nothing."""
    if properties.get("VpcEndpointType") != "Interface":
        return 0
    subnets = properties.get("SubnetIds")
    return len(subnets) if isinstance(subnets, list) else ZONES


def _tasks(there: Iterable[Resource]) -> Iterable[Task]:
    there = list(there)
    sizes = _of(there, "AWS::ECS::TaskDefinition")
    # A service that is scaled names no count of its own: a deployment would set it back.
    scaled = _of(there, "AWS::ApplicationAutoScaling::ScalableTarget")
    least = min((int(one["MinCapacity"]) for one in scaled), default=1)
    for service in _of(there, "AWS::ECS::Service"):
        reference = json.dumps(service.get("TaskDefinition"))
        size = next((one for one in sizes if str(one["LogicalId"]).partition("/")[2] in reference), None)
        if size is None:
            continue
        cpus, megabytes = float(size.get("Cpu", 256)) / 1024, float(size.get("Memory", 512))
        yield Task(int(service.get("DesiredCount", least)), cpus, megabytes / MB_PER_GB)


def _ready(there: Iterable[Resource]) -> dict[str, int]:
    """Environments that are kept ready, by the logical id of their alias or version."""
    found = {}
    for kind, properties in there:
        if kind in {"AWS::Lambda::Alias", "AWS::Lambda::Version"}:
            config = properties.get("ProvisionedConcurrencyConfig", {})
            if config:
                found["orchestrator"] = int(config["ProvisionedConcurrentExecutions"])
    return found


def main(arguments: list[str]) -> None:
    """Count both stages of a synthesis and keep what was counted."""
    folder = Path(arguments[0])
    kept = {name: asdict(counted(folder / name)) for name in STAGES}
    FILE.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
