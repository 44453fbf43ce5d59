"""`careline audit`: the chain of what happened, and the proof that nobody changed it."""

from __future__ import annotations

from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from careline import bootstrap
from careline.audit import chain as audit
from careline.audit.notary import HeadNotary, verify_noted
from careline.audit.verify import ChainVerdict, read_anchor, verify
from careline.errors import BadRequest, Conflict
from careline.records import keys
from careline.records.record_table import Delete
from careline_local.cli import session as cli


@click.group(name="audit")
def command() -> None:
    """Read and verify the audit chain."""


@command.command(name="verify")
@click.option("--head", metavar="SEQ:HASH", help="A head noted earlier that must be part of the chain.")
@click.option("--anchors", "with_noted", is_flag=True, help="Compare it with every head that was noted, and note it.")
@cli.json_option
@click.pass_obj
@cli.command
def verify_chain(session: cli.CommandSession, head: str | None, with_noted: bool, as_json: bool) -> None:
    """Read the whole chain; ends with 1 and names the first entry that does not fit."""
    anchor = read_anchor(head) if head else None
    verifying = verify_noted if with_noted else verify
    verdict = session.run(verifying(session.installation.engines, session.settings.tenant, anchor))
    if as_json:
        session.print_json(verdict.to_json())
    else:
        session.console.print(_told(verdict), markup=False, soft_wrap=True)
    if not verdict.intact:
        raise click.exceptions.Exit(cli.SOMETHING_FAILED)


def _told(verdict: ChainVerdict) -> str:
    if verdict.fault is not None:
        entry = "The chain" if verdict.fault.seq is None else f"Entry {verdict.fault.seq}"
        return f"NOT INTACT. {entry}: {verdict.fault.why}."
    read = f"Intact: {verdict.entries} entries, {verdict.first} to {verdict.last}."
    lines = [f"Nothing to verify: {verdict.nothing}." if verdict.nothing else read]
    if verdict.anchor == "found":
        lines.append("The head that was noted is part of it.")
    if verdict.anchor == "expired":
        lines.append("The head that was noted has expired since; note a newer one.")
    if verdict.noted is not None:
        lines.append(f"Heads noted along the way: {verdict.noted}, and none that does not fit.")
    if verdict.head is not None:
        lines.append(f"Head, to note elsewhere: {verdict.head}")
    return "\n".join(lines)


@command.command(name="list")
@click.option("--limit", type=click.IntRange(1, 100_000), default=20, show_default=True)
@click.option("--kind", help="Only entries of this kind, such as turn, phi_override, erase, export or retention.")
@cli.json_option
@click.pass_obj
@cli.command
def list_entries(session: cli.CommandSession, limit: int, kind: str | None, as_json: bool) -> None:
    """The newest entries first."""
    found = session.run(audit.newest(session.installation.engines, session.settings.tenant, limit, kind))
    if as_json:
        session.print_json({"entries": [entry.to_json() for entry in found]})
        return
    table = Table("entry", "at", "kind", "about", "what")
    for entry in found:
        told = {name: value for name, value in entry.body.items() if value not in (None, [], {})}
        shown = ("disposition", "reason", "phi", "model") if entry.kind == "turn" else tuple(told)
        what = ", ".join(f"{name} {told[name]}" for name in shown if name in told)
        table.add_row(str(entry.seq), entry.at.isoformat(timespec="seconds"), entry.kind, entry.subject, escape(what))
    session.console.print(table)


@command.command(name="head")
@cli.json_option
@click.pass_obj
@cli.command
def show_head(session: cli.CommandSession, as_json: bool) -> None:
    """Where the chain stands, as SEQ:HASH, to note where nobody who runs this installation can change it."""
    head = session.run(audit.head(session.installation.engines, session.settings.tenant))
    if as_json:
        session.print_json({"head": {"seq": head.seq, "hash": head.hash} if head else None})
    else:
        session.console.print(str(head) if head else "The chain is empty.", soft_wrap=True)


@command.command(name="note")
@cli.json_option
@click.pass_obj
@cli.command
def note_head(session: cli.CommandSession, as_json: bool) -> None:
    """Note the head where `verify --anchors` looks for it: CARELINE_NOTED_HEADS, or the locked bucket on AWS."""
    engines = session.installation.engines
    if engines.noted_heads is None:
        raise BadRequest("heads are noted nowhere: set CARELINE_HEADS_BUCKET to the bucket under Object Lock")
    notary = HeadNotary(engines.table, engines.key, engines.noted_heads)
    link = session.run(notary.note(session.settings.tenant))
    if as_json:
        session.print_json({"head": {"seq": link.seq, "hash": link.hash} if link else None})
    else:
        session.console.print(f"Noted: {link}" if link else "The chain is empty.", soft_wrap=True)


@command.command(name="resume")
@cli.json_option
@click.pass_obj
@cli.command
def resume(session: cli.CommandSession, as_json: bool) -> None:
    """Go on from the last entry after the head was damaged; the chain says that this was done."""
    link = session.run(audit.resume(session.installation.engines, session.settings.tenant))
    if as_json:
        session.print_json({"head": {"seq": link.seq, "hash": link.hash}})
    else:
        session.console.print(f"The chain goes on. Head: {link}", soft_wrap=True)


@command.command(name="new-key")
@click.option("--i-lost-it", "is_lost", is_flag=True, help="The old key is nowhere, not in a backup either.")
@cli.json_option
@click.pass_obj
@cli.command
def new_key(session: cli.CommandSession, is_lost: bool, as_json: bool) -> None:
    """Make a new key for one that is lost for good; what people said is deleted, as nobody can read it any more."""
    if not is_lost:
        raise BadRequest("restore the key from a backup if there is one; if it is lost for good, add --i-lost-it")
    fits: Conflict | None = None
    try:
        bootstrap.replace_key(session.settings)
    except Conflict as conflict:
        # The break may still have to be told, when this was interrupted before.
        fits = conflict
    begun = session.run(_begin(session))
    if fits is not None and not begun:
        raise fits
    if as_json:
        session.print_json({"chains": begun})
        return
    session.console.print("The installation has a new key; keep a backup of it.", soft_wrap=True)
    for chain in begun:
        told = f"A new chain begins. The old one of {chain['tenant']} had {chain['entries']} entries."
        session.console.print(f"{told} Head: {chain['head']}", soft_wrap=True, markup=False)


async def _begin(session: cli.CommandSession) -> list[dict[str, Any]]:
    """Write the break into each chain that begins; one that was interrupted here before is written now."""
    engines, begun = session.installation.engines, []
    async for item in engines.table.query(keys.INSTALLATION, keys.CHAIN_BREAKS):
        tenant = item.sort.removeprefix(keys.CHAIN_BREAKS)
        done = [Delete(item.partition, item.sort)]
        link = await audit.append(engines, tenant, "key_lost", item.body, alongside=done)
        begun.append({"tenant": tenant, **item.body, "head": str(link)})
    return begun
