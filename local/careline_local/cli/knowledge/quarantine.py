"""`careline quarantine`: passages that were held back, and what a person decides about them."""

from __future__ import annotations

import getpass
from typing import Any

import click
from rich.markup import escape
from rich.table import Column, Table

from careline.knowledge.quarantine import release as quarantine
from careline.knowledge.quarantine.decide import decide
from careline.knowledge.quarantine.held_passages import Decision
from careline.schemas.library import DecisionMade
from careline_local.cli import session as cli
from careline_local.cli.batch.identifiers import PART, PASSAGE, Beginning, among, meant, whole
from careline_local.cli.knowledge.held_passage import print_passage

MOST = 100_000
"""Passages that an id is looked for among."""


@click.group(name="quarantine")
def command() -> None:
    """List, show, release and discard passages that were held back."""


@command.command(name="list")
@click.option("--all", "everything", is_flag=True, help="Those that were decided about too.")
@click.option("--limit", type=click.IntRange(1, 100_000), default=50, show_default=True)
@cli.json_option
@click.pass_obj
@cli.command
def list_held(session: cli.CommandSession, everything: bool, limit: int, as_json: bool) -> None:
    """Passages of live documents that nobody is told."""
    engines, tenant = session.installation.engines, session.settings.tenant
    found = session.run(quarantine.listing(tenant, engines, decided=everything, limit=limit))
    if as_json:
        session.print_json(found)
        return
    if not found["held_back"]:
        session.console.print("No passage of a live document is held back.", soft_wrap=True)
        return
    table = Table(Column("passage", no_wrap=True), Column("document", no_wrap=True), "page", "why", "words", "decided")
    for one in found["held_back"]:
        decided = f"{one['decided']['decision']} by {one['decided']['by']}" if one["decided"] else ""
        why = ", ".join(one["reasons"])
        table.add_row(
            one["passage_id"], escape(one["doc_key"]), str(one["page"]), why, escape(one["excerpt"][:120]), decided
        )
    session.console.print(table)


@command.command()
@click.argument("passage_id")
@cli.json_option
@click.pass_obj
@cli.command
def show(session: cli.CommandSession, passage_id: str, as_json: bool) -> None:
    """One passage with its whole text, the words marked that are held against it, and the parts with their ids."""
    found = session.run(_passage(session, passage_id))
    if as_json:
        session.print_json(found)
        return
    print_passage(session.console, found)


_PART = click.option(
    "--part", "parts", multiple=True, help="Id of a sentence, line or cell, as `show` names it; all of it when absent."
)
_BY = click.option("--by", default=getpass.getuser, help="Who decides, for the audit; your user name when absent.")


@command.command()
@click.argument("passage_id")
@_PART
@_BY
@cli.json_option
@click.pass_obj
@cli.command
def release(session: cli.CommandSession, passage_id: str, parts: tuple[str, ...], by: str, as_json: bool) -> None:
    """Let callers be told a passage, or parts of it, from now on, wherever the same words come again."""
    _decide(session, passage_id, parts, "released", by, as_json)


@command.command()
@click.argument("passage_id")
@_PART
@_BY
@cli.json_option
@click.pass_obj
@cli.command
def discard(session: cli.CommandSession, passage_id: str, parts: tuple[str, ...], by: str, as_json: bool) -> None:
    """Keep a passage, or parts of it, from callers for good. The rest is told once every part is decided about."""
    _decide(session, passage_id, parts, "discarded", by, as_json)


def _decide(
    session: cli.CommandSession, passage: str, parts: tuple[str, ...], decision: Decision, by: str, as_json: bool
) -> None:
    made = session.run(_decided(session, passage, parts, decision, by))
    if as_json:
        session.print_json(made)
        return
    open_parts = "" if made["settled"] else "; other parts wait for a decision, and until then none of it is told"
    session.console.print(
        f"{made['passage_id']}: {decision} ({', '.join(made['documents'])}){open_parts}", markup=False, soft_wrap=True
    )


async def _passage(session: cli.CommandSession, given: str) -> dict[str, Any]:
    passage = await meant(given, PASSAGE, await _held(session))
    return await quarantine.show(session.settings.tenant, passage, session.installation.engines)


async def _decided(
    session: cli.CommandSession, given: str, parts: tuple[str, ...], decision: Decision, by: str
) -> DecisionMade:
    tenant, engines = session.settings.tenant, session.installation.engines
    passage = await whole(given, PASSAGE, await _held(session))
    if not parts:
        return await decide(tenant, passage, decision, by, engines)
    known = {one["part_id"] for one in (await quarantine.show(tenant, passage, engines))["parts"]}
    # All are looked up before anything is decided, so that a slip in one decides nothing.
    chosen = [await whole(part, PART, among(known)) for part in dict.fromkeys(parts)]
    return [await decide(tenant, passage, decision, by, engines, part) for part in chosen][-1]


async def _held(session: cli.CommandSession) -> Beginning:
    engines, tenant = session.installation.engines, session.settings.tenant
    found = await quarantine.listing(tenant, engines, decided=True, limit=MOST)
    return among({one["passage_id"] for one in found["held_back"]})
