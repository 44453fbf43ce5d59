"""`careline turns`: what is recorded about turns; figures and names, never the caller's words."""

from __future__ import annotations

from typing import Any

import click
from rich.table import Column, Table

from careline.telemetry import turns
from careline_local.cli import session as cli
from careline_local.cli.batch.identifiers import TURN, meant

LIST = "list"
"""The word in place of an id that other commands have for their list; no id begins so."""


@click.command(name="turns")
@click.argument("turn_id", metavar="[TURN_ID|list]", required=False)
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True)
@cli.json_option
@click.pass_obj
@cli.command
def command(session: cli.CommandSession, turn_id: str | None, limit: int, as_json: bool) -> None:
    """Show the record of one turn, by its id or the beginning of it; list the newest ones without an id, or with
    `list` in its place."""
    engines, tenant = session.installation.engines, session.settings.tenant
    if turn_id and turn_id != LIST:
        session.print_json(session.run(_shown(session, turn_id)))
        return
    found = session.run(turns.newest(tenant, limit, engines))
    if as_json:
        session.print_json({"turns": found})
        return
    if not found:
        session.console.print("No turn is recorded yet; `careline ask` makes the first.", soft_wrap=True)
        return
    table = Table(Column("turn", no_wrap=True), "channel", "language", "disposition", "reason", "model", "ms")
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


async def _shown(session: cli.CommandSession, given: str) -> dict[str, Any]:
    return await turns.show(await found_turn(session, given), session.settings.tenant, session.installation.engines)


async def found_turn(session: cli.CommandSession, given: str) -> str:
    """The id of the turn that is meant. Raises: BadRequest, NotFound."""
    engines, tenant = session.installation.engines, session.settings.tenant
    return await meant(given, TURN, lambda prefix: turns.ids(tenant, prefix, engines))
