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
from careline_local.cli.batch.identifiers import PASSAGE, Beginning, among, meant, whole

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
    """One passage with its whole text."""
    found = session.run(_passage(session, passage_id))
    if as_json:
        session.print_json(found)
    else:
        shown = "\n".join(f"{name}: {value}" for name, value in found.items() if value)
        session.console.print(shown, markup=False)


@command.command()
@click.argument("passage_id")
@click.option("--by", default=getpass.getuser, help="Who decides, for the audit; your user name when absent.")
@cli.json_option
@click.pass_obj
@cli.command
def release(session: cli.CommandSession, passage_id: str, by: str, as_json: bool) -> None:
    """Let callers be told a passage from now on, wherever the same words come again."""
    _decide(session, passage_id, "released", by, as_json)


@command.command()
@click.argument("passage_id")
@click.option("--by", default=getpass.getuser, help="Who decides, for the audit; your user name when absent.")
@cli.json_option
@click.pass_obj
@cli.command
def discard(session: cli.CommandSession, passage_id: str, by: str, as_json: bool) -> None:
    """Keep a passage from callers for good; it is listed no more."""
    _decide(session, passage_id, "discarded", by, as_json)


def _decide(session: cli.CommandSession, passage: str, decision: Decision, by: str, as_json: bool) -> None:
    made = session.run(_decided(session, passage, decision, by))
    if as_json:
        session.print_json(made)
    else:
        session.console.print(f"{made['passage_id']}: {decision} ({', '.join(made['documents'])})", markup=False)


async def _passage(session: cli.CommandSession, given: str) -> dict[str, Any]:
    passage = await meant(given, PASSAGE, await _held(session))
    return await quarantine.show(session.settings.tenant, passage, session.installation.engines)


async def _decided(session: cli.CommandSession, given: str, decision: Decision, by: str) -> DecisionMade:
    passage = await whole(given, PASSAGE, await _held(session))
    return await decide(session.settings.tenant, passage, decision, by, session.installation.engines)


async def _held(session: cli.CommandSession) -> Beginning:
    engines, tenant = session.installation.engines, session.settings.tenant
    found = await quarantine.listing(tenant, engines, decided=True, limit=MOST)
    return among({one["passage_id"] for one in found["held_back"]})
