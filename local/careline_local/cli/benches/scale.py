"""`careline bench scale`: computed from figures that are told, and simulated; nothing of it is measured here."""

from __future__ import annotations

from dataclasses import dataclass

import click
from rich.table import Table

from careline_local.cli import session as cli

ENOUGH, NEARLY = 0.5, 1.0
"""Shares of what is given, up to which nothing need be done, and above which a part does not hold."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the cloud must carry. Passages and documents an hour are of one hospital, calls of all `hospitals`."""

    passages: int
    calls: int
    hospitals: int
    documents: int
    record_seconds: float | None
    """Of writing one turn down; what it takes today where there is none."""


def run(session: cli.CommandSession, asked: Asked, as_json: bool) -> None:
    """Print every part, the shortest first."""
    from careline_local.bench.scale.demand import rows
    from careline_local.bench.scale.simulate import Times

    times = Times() if asked.record_seconds is None else Times(record=asked.record_seconds)
    found = rows(asked.passages, asked.calls, asked.documents, times, asked.hospitals)
    found.sort(key=lambda row: -row.share)
    if as_json:
        session.print_json({"rows": [row.to_json() for row in found]})
        return
    table = Table("part", "asked", "given", "unit", "share", "what to do")
    for row in found:
        style = "red" if row.share > NEARLY else "yellow" if row.share > ENOUGH else ""
        remedy = row.remedy if row.share > ENOUGH else ""
        wanted = f"{row.asked:,.3g}" if row.asked < 100 else f"{row.asked:,.0f}"
        name = click.unstyle(f"{row.of}: {row.part}")
        table.add_row(name, wanted, f"{row.given:,.0f}", row.unit, f"{row.share:.2f}", remedy, style=style)
    session.console.print(table)
