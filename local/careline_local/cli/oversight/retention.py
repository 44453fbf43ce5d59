"""`careline retention`: for how many days records are kept, and the decision to keep them longer or shorter."""

from __future__ import annotations

import click
from rich.table import Table

from careline.errors import BadRequest
from careline.telemetry import retention
from careline.tenants import tenant_records
from careline_local.cli import session as cli

SET_UP = (
    "The hospital has a record now, with names, numbers, languages and pack as the settings have them today. From now "
    "on `careline tenant set` changes these, and settings such as CARELINE_HELPDESK_PHONE do no more."
)


@click.command(name="retention")
@click.argument("decisions", nargs=-1, metavar="[KIND=DAYS]...")
@cli.json_option
@click.pass_obj
@cli.command
def command(session: cli.CommandSession, decisions: tuple[str, ...], as_json: bool) -> None:
    """Show for how many days records are kept; with KIND=DAYS, decide it for what is written from now on."""
    wanted = dict(map(read_decision, decisions))
    engines, tenant = session.installation.engines, session.settings.tenant
    if wanted:
        _, revision = session.run(tenant_records.held(engines.table, tenant, session.settings))
        kept = retention.days(session.run(retention.change(engines, session.settings, tenant, wanted)))
        if not revision:
            session.note(SET_UP)
    else:
        kept = retention.days(session.run(tenant_records.tenant(engines.table, tenant, session.settings)))
    if as_json:
        session.print_json({"tenant": tenant, "days": kept})
        return
    table = Table("kind", "days")
    for kind, days in kept.items():
        table.add_row(kind, str(days))
    session.console.print(table)


def read_decision(decision: str) -> tuple[str, int]:
    """Kind and days. Raises: BadRequest for what is not KIND=DAYS."""
    kind, _, days = decision.partition("=")
    if not (days.isascii() and days.isdigit() and len(days) <= len(str(retention.LONGEST))):
        raise BadRequest(
            f"retention: write KIND=DAYS, such as turns=365; known: {', '.join(tenant_records.RETENTION_DAYS)}"
        )
    return kind, int(days)
