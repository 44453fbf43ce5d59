"""Findings of the rule packs of cdk-nag that stand, each with the reason why, from `findings.yaml`."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import aws_cdk as cdk
import yaml

from infra.settings import StageSettings

TABLE = Path(__file__).with_suffix(".yaml")


@dataclass(frozen=True, slots=True)
class AcceptedFinding:
    """One rule, where it stands (`*` is anything; the stage's prefix is left out), in which stages, and why."""

    rule: str
    where: str
    reason: str
    stages: tuple[str, ...] = ("dev", "prod")
    option: str | None = None
    """A field of the stage's settings without which there is nothing to find, such as `livekit`."""

    def holds_in(self, settings: StageSettings) -> bool:
        """Whether it is found in a stage."""
        return settings.name in self.stages and (self.option is None or bool(getattr(settings, self.option)))

    @property
    def acknowledgement(self) -> str:
        """The rule as cdk-nag names it, `PACK::PACK-RULE`."""
        return f"{self.rule.rpartition('-')[0]}::{self.rule}"


def accepted_findings() -> list[AcceptedFinding]:
    """What stands in the table, in its order. Raises: TypeError where an entry lacks its rule, place or reason."""
    entries = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    return [
        AcceptedFinding(rule, stages=tuple(entry.pop("stages", ("dev", "prod"))), **entry)
        for rule, found in entries.items()
        for entry in found
    ]


def accept_findings(app: cdk.App, settings: StageSettings) -> None:
    """Acknowledge what the table says of a stage, at each construct it names."""
    accepted = [one for one in accepted_findings() if one.holds_in(settings)]
    resources = (construct for construct in app.node.find_all() if cdk.CfnResource.is_cfn_resource(construct))
    for construct in resources:
        path = construct.node.path.removeprefix(f"{settings.prefix}-")
        for one in accepted:
            if fnmatchcase(path, one.where):
                acknowledgement = cdk.Acknowledgment(id=one.acknowledgement, reason=one.reason)
                cdk.Validations.of(construct).acknowledge(acknowledgement)
