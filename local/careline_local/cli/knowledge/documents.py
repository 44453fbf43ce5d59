"""`careline documents`: what is in the library."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from careline.knowledge import catalogue, document_passages, library
from careline.model import DocumentState, LeftOut
from careline.schemas.library import DocumentBody, DocumentPassages, LeftOutBody, PassageBody, Versions
from careline_local.cli import session as cli
from careline_local.cli.batch.identifiers import DOCUMENT, Beginning, meant, whole

STATE_STYLES = {"live": "green", "failed": "red", "pending": "yellow", "expired": "yellow", "upcoming": "yellow"}

REASONS = {
    LeftOut.HIDDEN: "hidden from readers",
    LeftOut.STRUCK: "struck through",
    LeftOut.FURNITURE: "menus and notices",
    LeftOut.RUNNING: "running lines",
    LeftOut.REFERENCES: "references",
    LeftOut.PLACEHOLDER: "placeholders",
    LeftOut.UNREAD: "not readable",
}


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
        session.print_json({"documents": found})
        return
    if not found:
        session.console.print(cli.EMPTY_LIBRARY, soft_wrap=True)
        return
    table = Table(Column("document", no_wrap=True), "version", "state", "language", "title", "pages", "chunks")
    for one in found:
        state = _state(one)
        table.add_row(
            one["doc_key"],
            str(one["version"]),
            f"[{STATE_STYLES.get(state, 'dim')}]{state}[/]",
            escape(one["language"]),
            escape(one["title"]),
            str(one["pages"]),
            str(one["chunks"]),
        )
    session.console.print(table)


def _state(document: DocumentBody) -> str:
    """The state of a version; a live one outside its days is not told, and is shown so."""
    if document["state"] == DocumentState.LIVE and document["validity"] != "valid":
        return document["validity"]
    return document["state"]


async def _all(session: cli.CommandSession) -> list[DocumentBody]:
    engines, tenant = session.installation.engines, session.settings.tenant
    today = await library.today(tenant, engines)
    return [catalogue.to_json(one, today) async for one in catalogue.documents(engines.table, tenant)]


def _keys(session: cli.CommandSession) -> Beginning:
    return partial(catalogue.keys, session.installation.engines.table, session.settings.tenant)


async def _versions(session: cli.CommandSession, given: str) -> Versions:
    doc_key = await meant(given, DOCUMENT, _keys(session))
    return await library.versions(session.settings.tenant, doc_key, session.installation.engines)


async def _passages(session: cli.CommandSession, given: str, number: int | None) -> DocumentPassages:
    doc_key = await meant(given, DOCUMENT, _keys(session))
    return await document_passages.passages(session.settings.tenant, doc_key, number, session.installation.engines)


async def _delete(session: cli.CommandSession, given: str) -> None:
    doc_key = await whole(given, DOCUMENT, _keys(session))
    await library.delete(session.settings.tenant, doc_key, session.installation.engines)


@command.command()
@click.argument("doc_key")
@click.option("--text", is_flag=True, help="What callers can be told of it, passage by passage.")
@click.option("--left-out", is_flag=True, help="The text of it that nobody is told, and why.")
@click.option("--version", "number", type=click.IntRange(1), help="The version meant; the live one when absent.")
@cli.json_option
@click.pass_obj
@cli.command
def show(
    session: cli.CommandSession, doc_key: str, text: bool, left_out: bool, number: int | None, as_json: bool
) -> None:
    """Every version of a document, or what callers can be told of it.

    The beginning of its key will do where no other begins so.
    """
    if text or left_out:
        _show_passages(session, session.run(_passages(session, doc_key, number)), text, left_out, as_json)
        return
    found = session.run(_versions(session, doc_key))
    if as_json:
        session.print_json(found)
        return
    for one in found["versions"]:
        session.console.print(f"version {one['version']}: {_state(one)}, {one['chunks']} chunks, job {one['job_id']}")
        if one["left_out"]:
            session.console.print(f"  left out: {_counted(one['left_out'])}", markup=False)


def _counted(left_out: Sequence[LeftOutBody]) -> str:
    return ", ".join(f"{REASONS[one['reason']]} {one['blocks']} ({one['characters']:,} characters)" for one in left_out)


def _show_passages(
    session: cli.CommandSession, found: DocumentPassages, text: bool, left_out: bool, as_json: bool
) -> None:
    if as_json:
        whole = cast(dict[str, Any], found)
        parts = {"passages": text, "left_out": left_out}
        session.print_json({name: value for name, value in whole.items() if parts.get(name, True)})
        return
    console = session.console
    if text:
        for passage in found["passages"]:
            _show_passage(console, passage, paged=found["paged"])
    if left_out and not found["left_out"]:
        console.print("Nothing of it is left out.")
    for block in found["left_out"] if left_out else ():
        where = f", page {block['page']}" if found["paged"] else ""
        console.print(f"— {REASONS[block['reason']]}{where}", style="yellow", markup=False)
        console.print(block["text"], markup=False, highlight=False, soft_wrap=True)


def _show_passage(console: Console, passage: PassageBody, *, paged: bool) -> None:
    pages = f", page {passage['first_page']}" if paged else ""
    held = f", held back: {', '.join(passage['held_back'])}" if passage["held_back"] else ""
    headings = " › ".join(passage["headings"])
    title = f"— passage {passage['ordinal'] + 1}{pages}{held}" + (f": {headings}" if headings else "")
    console.print(title, style="yellow" if held else "bold", markup=False, soft_wrap=True)
    console.print(passage["text"], markup=False, highlight=False, soft_wrap=True)


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
