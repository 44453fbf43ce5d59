"""Prints what cdk-nag finds in the stages: `python -m infra.findings_report` findings of the enforced packs that stand,
with their reasons, as the table of docs/compliance.md; `… count` how many the packs have that are not enforced."""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import cdk_nag

from infra.app import build, empty_app
from infra.settings import STAGES, StageSettings

ENFORCED = ("AwsSolutions", "HIPAA.Security")
OTHERS = {
    "NIST.800.53.R5": cdk_nag.NIST80053R5Checks,
    "PCI.DSS.321": cdk_nag.PCIDSS321Checks,
    "Serverless": cdk_nag.ServerlessChecks,
}
"""Packs that are looked at and not enforced, by the name under which they report."""


def report_of(settings: StageSettings, packs: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """What every pack reports of a stage, the enforced ones and these."""
    with tempfile.TemporaryDirectory() as folder:
        app = empty_app({"bundle": "false"}, folder)
        build(app, settings)
        if packs:
            cdk.Validations.of(app).add_plugins(*(pack(app, verbose=True) for pack in packs))
        try:
            app.synth()
        except RuntimeError as error:
            # A finding ends the synthesis after the report is written; without a report it was something else.
            if not (Path(folder) / "validation-report.json").exists():
                raise error
        found: list[dict[str, Any]] = json.loads((Path(folder) / "validation-report.json").read_text())["pluginReports"]
        return found


def standing(stage: str) -> Iterator[tuple[str, str]]:
    """Rule and reason of each finding of the enforced packs that stands in a stage."""
    for pack in report_of(STAGES[stage]):  # type: ignore[index]
        if pack["pluginName"] in ENFORCED:
            for found in pack.get("suppressedViolations", []):
                for _ in found["violatingConstructs"]:
                    yield found["ruleName"].partition("[")[0], found["reason"]


def standing_table() -> str:
    """A line for each rule and reason, with how many findings it is in dev and in prod."""
    counts = {stage: Counter(standing(stage)) for stage in STAGES}
    lines = ["| rule | dev | prod | why it stands |", "|---|---|---|---|"]
    for rule, reason in sorted({key for count in counts.values() for key in count}):
        dev, prod = (counts[stage][rule, reason] or "" for stage in ("dev", "prod"))
        lines.append(f"| {rule} | {dev} | {prod} | {reason.strip()} |")
    return "\n".join(lines) + "\n"


def count_table() -> str:
    """How many findings each pack has that is not enforced, and of which rules most."""
    lines = ["| pack | dev | prod | of these in prod, by rule |", "|---|---|---|---|"]
    reports = {stage: report_of(settings, tuple(OTHERS.values())) for stage, settings in STAGES.items()}
    for name in OTHERS:
        rules = {stage: _rules(report, name) for stage, report in reports.items()}
        told = ", ".join(f"{rule.rpartition('-')[2]} {count}" for rule, count in rules["prod"].most_common())
        lines.append(f"| {name} | {rules['dev'].total()} | {rules['prod'].total()} | {told} |")
    return "\n".join(lines) + "\n"


def _rules(report: Sequence[dict[str, Any]], name: str) -> Counter[str]:
    (pack,) = [one for one in report if one["pluginName"] == name]
    found: Counter[str] = Counter()
    for one in pack["violations"]:
        found[one["ruleName"]] += len(one["violatingConstructs"])
    return found


if __name__ == "__main__":
    sys.stdout.write(count_table() if sys.argv[1:] == ["count"] else standing_table())
