"""`careline documents`: what is in the library."""

from __future__ import annotations

import click
from rich.markup import escape
from rich.table import Table

from careline.knowledge import catalogue, library
from careline.model import Document
from careline_local.cli import session as cli

STATE_STYLES = {"live": "green", "failed": "red", "pending": "yellow"}


@click.group(name="documents", invoke_without_command=True)
@cli.json_option
@click.pass_context
@cli.command
def command(ctx: click.Context, as_json: bool) -> None:
    """List, show and delete documents."""
    if ctx.invoked_subcommand is not None:
        return
    session: cli.CommandSession = ctx.obj
    found = session.run(_all(session))
    if as_json:
        session.print_json({"documents": [catalogue.to_json(document) for document in found]})
        return
    table = Table("document", "version", "state", "language", "title", "pages", "chunks")
    for one in found:
        state = f"[{STATE_STYLES.get(one.state.value, 'dim')}]{one.state.value}[/]"
        table.add_row(
            one.doc_key,
            str(one.version),
            state,
            escape(one.facts.language),
            escape(one.facts.title),
            str(one.pages),
            str(one.chunks),
        )
    session.console.print(table)


async def _all(session: cli.CommandSession) -> list[Document]:
    table = session.installation.engines.table
    return [document async for document in catalogue.documents(table, session.settings.tenant)]


@command.command()
@click.argument("doc_key")
@cli.json_option
@click.pass_obj
@cli.command
def show(session: cli.CommandSession, doc_key: str, as_json: bool) -> None:
    """Every version of a document."""
    found = session.run(library.versions(session.settings.tenant, doc_key, session.installation.engines))
    if as_json:
        session.print_json(found)
        return
    for one in found["versions"]:
        session.console.print(f"version {one['version']}: {one['state']}, {one['chunks']} chunks, job {one['job_id']}")


@command.command()
@click.argument("doc_key")
@cli.json_option
@click.pass_obj
@cli.command
def delete(session: cli.CommandSession, doc_key: str, as_json: bool) -> None:
    """Take a document out of the answers."""
    session.run(library.delete(session.settings.tenant, doc_key, session.installation.engines))
    if as_json:
        session.print_json({"deleted": doc_key})
    else:
        session.console.print(f"{doc_key} is deleted.")
