"""`careline documents`: what is in the library."""

from __future__ import annotations

from functools import partial

import click
from rich.markup import escape
from rich.table import Column, Table

from careline.knowledge import catalogue, library
from careline.model import Document
from careline.schemas.library import Versions
from careline_local.cli import session as cli
from careline_local.cli.batch.identifiers import DOCUMENT, Beginning, meant, whole

STATE_STYLES = {"live": "green", "failed": "red", "pending": "yellow"}


@click.group(name="documents", invoke_without_command=True)
@cli.json_option
@click.pass_context
@cli.command
def command(ctx: click.Context, as_json: bool) -> None:
    """List, show and delete documents."""
    if ctx.invoked_subcommand is None:
        _list(ctx.obj, as_json)
    ctx.default_map = {"list": ctx.params}


@command.command(name="list")
@cli.json_option
@click.pass_obj
@cli.command
def list_all(session: cli.CommandSession, as_json: bool) -> None:
    """What `careline documents` alone lists."""
    _list(session, as_json)


def _list(session: cli.CommandSession, as_json: bool) -> None:
    found = session.run(_all(session))
    if as_json:
        session.print_json({"documents": [catalogue.to_json(document) for document in found]})
        return
    if not found:
        session.console.print(cli.EMPTY_LIBRARY, soft_wrap=True)
        return
    table = Table(Column("document", no_wrap=True), "version", "state", "language", "title", "pages", "chunks")
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


def _keys(session: cli.CommandSession) -> Beginning:
    return partial(catalogue.keys, session.installation.engines.table, session.settings.tenant)


async def _versions(session: cli.CommandSession, given: str) -> Versions:
    doc_key = await meant(given, DOCUMENT, _keys(session))
    return await library.versions(session.settings.tenant, doc_key, session.installation.engines)


async def _delete(session: cli.CommandSession, given: str) -> None:
    doc_key = await whole(given, DOCUMENT, _keys(session))
    await library.delete(session.settings.tenant, doc_key, session.installation.engines)


@command.command()
@click.argument("doc_key")
@cli.json_option
@click.pass_obj
@cli.command
def show(session: cli.CommandSession, doc_key: str, as_json: bool) -> None:
    """Every version of a document; the beginning of its key will do where no other begins so."""
    found = session.run(_versions(session, doc_key))
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
    """Take a document out of the answers; its key must be given whole."""
    session.run(_delete(session, doc_key))
    if as_json:
        session.print_json({"deleted": doc_key})
    else:
        session.console.print(f"{doc_key} is deleted.")
