"""`careline export`: everything that is held about a person, for that person."""

from __future__ import annotations

import json

import click

from careline.schemas.oversight import Export
from careline.telemetry import subjects
from careline.telemetry.turns import relay
from careline_local.cli import session as cli


@click.command(name="export")
@click.option("--subject", required=True, help=cli.SUBJECT)
@cli.json_option
@click.pass_obj
@cli.command
def command(session: cli.CommandSession, subject: str, as_json: bool) -> None:
    """Print everything that is held about a person, as JSON."""
    held = session.run(_export(session, subject))
    if as_json:
        session.print_json(held)
    else:
        click.echo(json.dumps(held, ensure_ascii=False, indent=2))


async def _export(session: cli.CommandSession, subject: str) -> Export:
    engines = session.installation.engines
    await relay(engines)
    return await subjects.export(engines, session.settings.tenant, subject)
