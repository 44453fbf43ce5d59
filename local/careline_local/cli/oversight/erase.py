"""`careline erase`: a person's conversations and turn records are deleted for good."""

from __future__ import annotations

import click

from careline.schemas.oversight import Erasure
from careline.telemetry import subjects
from careline.telemetry.turns import relay
from careline_local.cli import session as cli


@click.command(name="erase")
@click.option("--subject", required=True, help=cli.SUBJECT)
@cli.json_option
@click.pass_obj
@cli.command
def command(session: cli.CommandSession, subject: str, as_json: bool) -> None:
    """Delete everything that is held about a person."""
    done = session.run(_erase(session, subject))
    if as_json:
        session.print_json(done)
        return
    erased = ", ".join(f"{number} {kind}" for kind, number in done["erased"].items())
    session.console.print(f"Erased: {erased}. Audit entry {done['audit']}.", soft_wrap=True)


async def _erase(session: cli.CommandSession, subject: str) -> Erasure:
    engines = session.installation.engines
    await relay(engines)
    return await subjects.erase(engines, session.settings.tenant, subject)
