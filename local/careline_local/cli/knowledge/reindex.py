"""`careline reindex`: the index is a cache of the documents; this builds it again."""

from __future__ import annotations

import click
from rich.progress import Progress

from careline.knowledge import catalogue
from careline.knowledge.reindex import reindex
from careline.model import DocumentState
from careline_local.cli import session as cli


@click.command(name="reindex")
@cli.json_option
@click.pass_obj
@cli.command
def command(session: cli.CommandSession, as_json: bool) -> None:
    """Build the index again from the documents; one that is damaged is taken away first."""
    done = session.run(_reindex(session, as_json))
    if as_json:
        session.print_json({"documents": done})
    else:
        session.console.print(f"{done} documents are back in the index.")


async def _reindex(session: cli.CommandSession, quiet: bool) -> int:
    engines, tenant = session.installation.engines, session.settings.tenant
    live = [1 async for one in catalogue.documents(engines.table, tenant) if one.state is DocumentState.LIVE]
    done = 0
    with Progress(console=session.progress_console, disable=quiet) as progress:
        bar = progress.add_task("reindexing", total=len(live))
        async for _ in reindex(tenant, engines):
            done += 1
            progress.advance(bar)
    return done
