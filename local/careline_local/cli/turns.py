"""`careline turns`: what is recorded about turns; figures and names, never the caller's words."""

from __future__ import annotations

import click
from rich.table import Table

from careline.telemetry import turns
from careline_local.cli import session as cli


@click.command(name="turns")
@click.argument("turn_id", required=False)
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True)
@cli.json_option
@click.pass_obj
@cli.command
def command(session: cli.CommandSession, turn_id: str | None, limit: int, as_json: bool) -> None:
    """Show the record of one turn, or the newest ones."""
    engines, tenant = session.installation.engines, session.settings.tenant
    if turn_id:
        session.print_json(session.run(turns.show(turn_id, tenant, engines)))
        return
    found = session.run(turns.newest(tenant, limit, engines))
    if as_json:
        session.print_json({"turns": found})
        return
    table = Table("turn", "channel", "language", "disposition", "reason", "model", "ms")
    for one in found:
        total = sum(timing["ms"] for timing in one["timings"])
        table.add_row(
            one["turn_id"],
            one["channel"],
            one["language"],
            one["disposition"],
            one["reason"] or "",
            one["model"] or "none",
            f"{total:.0f}",
        )
    session.console.print(table)
