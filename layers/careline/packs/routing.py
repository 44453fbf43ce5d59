"""Reads a pack's routing policy: which language model may write an answer, decided by the first rule that fits.

A policy is data (`routing.yaml` of a pack):

    rules:
      - name: personal-data-stays
        when: {phi: [found, assumed]}
        use: local
      - name: otherwise
        use: cloud

Every condition of a rule must hold. The last rule must have none, so that every turn is decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from careline.errors import PackInvalid

PhiState = Literal["clear", "found", "assumed", "off"]
"""What is known about personal data in a turn; `assumed` when the detector failed."""
Mode = Literal["hybrid", "local_only", "cloud_only"]
Use = Literal["local", "cloud", "cloud_small", "refuse"]


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Everything that a policy may look at. `budget_left` is a share of the month's budget, 0 to 1; 1 without one."""

    phi: PhiState
    mode: Mode
    covered: bool
    """Whether the operator lets the cloud endpoint see personal data, by agreement with its provider."""
    cloud_only_phi: Literal["redact", "refuse"]
    tier: str
    complexity: Literal["simple", "complex"]
    channel: Literal["chat", "voice"]
    region: Literal["same", "elsewhere"]
    budget_left: float


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _When(_Strict):
    phi: list[PhiState] | None = None
    mode: list[Mode] | None = None
    covered: bool | None = None
    cloud_only_phi: list[Literal["redact", "refuse"]] | None = None
    tier: list[str] | None = None
    complexity: list[Literal["simple", "complex"]] | None = None
    channel: list[Literal["chat", "voice"]] | None = None
    region: list[Literal["same", "elsewhere"]] | None = None
    budget_left_at_most: Annotated[float, Field(ge=0, le=1)] | None = None

    def holds(self, now: Circumstances) -> bool:
        """Whether every condition holds."""
        listed = ("phi", "mode", "cloud_only_phi", "tier", "complexity", "channel", "region")
        allowed = [(getattr(self, name), getattr(now, name)) for name in listed]
        return (
            all(wanted is None or value in wanted for wanted, value in allowed)
            and (self.covered is None or self.covered == now.covered)
            and (self.budget_left_at_most is None or now.budget_left <= self.budget_left_at_most)
        )


class RoutingRule(_Strict):
    """One rule. `redact` sends typed tokens in place of personal data."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    when: _When = _When()
    use: Use
    redact: bool = False


class _PolicyWritten(_Strict):
    rules: list[RoutingRule] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of one pack, in order."""

    rules: tuple[RoutingRule, ...]

    def decide(self, now: Circumstances) -> RoutingRule:
        """The first rule that fits; there is always one."""
        return next(rule for rule in self.rules if rule.when.holds(now))


def read_policy(file: Path) -> Policy:
    """Raises: PackInvalid naming file and rule, also for a policy that could send personal data unredacted."""
    name = "/".join(file.parts[-2:])
    try:
        written = _PolicyWritten.model_validate(_content(file, name))
    except ValidationError as error:
        first = error.errors()[0]
        raise PackInvalid(f"{name}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    policy = Policy(tuple(written.rules))
    if policy.rules[-1].when != _When():
        raise PackInvalid(f"{name}: {policy.rules[-1].name}: the last rule must have no condition")
    _refuse_leaks(name, policy)
    return policy


def _content(file: Path, name: str) -> Any:
    try:
        return yaml.load(file.read_bytes(), Loader=yaml.CSafeLoader)
    except FileNotFoundError:
        raise PackInvalid(f"{name} is missing") from None
    except yaml.YAMLError as error:
        raise PackInvalid(f"{name} is not YAML: {error}") from None


def _refuse_leaks(name: str, policy: Policy) -> None:
    """A rule that sends to the cloud, and may be reached with personal data, must redact or ask for an agreement."""
    undecided: set[PhiState] = {"found", "assumed"}
    for rule in policy.rules:
        reached = undecided & set(rule.when.phi or undecided)
        sends = rule.use in {"cloud", "cloud_small"} and rule.when.covered is not True
        if sends and ("assumed" in reached or (reached and not rule.redact)):
            raise PackInvalid(f"{name}: {rule.name}: would send personal data to the cloud unredacted")
        if set(rule.when.model_fields_set) <= {"phi"}:
            undecided -= reached
