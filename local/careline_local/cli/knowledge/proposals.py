"""`careline proposals`: what documents say that the directory could hold, and what a person decides about it."""

from __future__ import annotations

import getpass
import random
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, Protocol

import click
import yaml
from rich.markup import escape
from rich.table import Column, Table

from careline.curation import editions
from careline.curation.proposals import contradictions as flags
from careline.curation.proposals import decide, store
from careline.curation.proposals.comparing.resolve import resolve_all
from careline.curation.proposals.proposal import KINDS, STATES, Kind, Proposal, State, Statement
from careline.errors import BadRequest, NotFound
from careline.knowledge.activation import stated
from careline.ports import Records
from careline_local.cli import session as cli

SEED = 20261130
SHOWN = 70
"""Characters of an entry and of a source in a table."""
by_option = click.option("--by", default=None, help="Who decides; your user name when absent.")


@click.group(name="proposals")
def command() -> None:
    """Decide about what documents propose for the directory. Until you do, it answers nothing."""


@command.command("list")
@click.option("--kind", type=click.Choice(KINDS), help="Of this kind alone.")
@click.option("--state", type=click.Choice(["all", *STATES]), default="open", show_default=True)
@click.option("--document", default="", metavar="DOC_KEY", help="Of this document alone.")
@click.option("--limit", type=click.IntRange(1, 100_000), default=50, show_default=True)
@cli.json_option
@click.pass_obj
@cli.command
def list_proposals(
    session: cli.CommandSession, kind: Kind | None, state: str, document: str, limit: int, as_json: bool
) -> None:
    """What is proposed, with where the document says it."""
    chosen: State | None = next((one for one in STATES if one == state), None)
    engines, tenant = session.installation.engines, session.settings.tenant
    found = session.run(store.listing(tenant, engines, state=chosen, kind=kind, doc_key=document))
    _print(session, found[:limit], len(found) - limit, as_json)


@command.command()
@click.argument("proposal_ids", metavar="ID...", nargs=-1, required=True)
@click.option("--set", "fields", multiple=True, metavar="FIELD=VALUE", help="A field as it should be, in YAML.")
@click.option("--as-read", is_flag=True, help="Take what was read where something that can be done without is missing.")
@by_option
@cli.json_option
@click.pass_obj
@cli.command
def confirm(
    session: cli.CommandSession, proposal_ids: tuple[str, ...], fields: tuple[str, ...], as_read: bool,
    by: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Put proposals into the directory, all or none; the beginning of an id is enough.

    `--set entry=ID` says which entry is meant, `--set campus=ID` which campus; `--set FIELD=null` leaves a field out.
    """
    corrections = _fields(fields)
    engines, tenant = session.installation.engines, session.settings.tenant

    async def work() -> decide.Confirmed:
        ids = await _whole(proposal_ids, session)
        return await decide.confirm(
            tenant, ids, engines, by=by or getpass.getuser(), corrections=corrections, as_read=as_read
        )

    made = session.run(work())
    if as_json:
        session.print_json({"edition": made.edition.number, "proposals": [one.to_json() for one in made.proposals]})
        return
    count = len(made.proposals)
    session.console.print(f"{count} confirmed; edition {made.edition.number} of the directory holds.", soft_wrap=True)


@command.command()
@click.argument("proposal_ids", metavar="ID...", nargs=-1, required=True)
@by_option
@cli.json_option
@click.pass_obj
@cli.command
def reject(session: cli.CommandSession, proposal_ids: tuple[str, ...], by: str | None, as_json: bool) -> None:
    """Say that proposals are not right; what they say is not proposed again."""
    _decided(session, decide.reject, proposal_ids, by, as_json, "rejected")


@command.command()
@click.argument("proposal_ids", metavar="ID...", nargs=-1, required=True)
@by_option
@cli.json_option
@click.pass_obj
@cli.command
def reopen(session: cli.CommandSession, proposal_ids: tuple[str, ...], by: str | None, as_json: bool) -> None:
    """Take decisions back, so that it is asked again; the directory stays as it is."""
    _decided(session, decide.reopen, proposal_ids, by, as_json, "may be decided anew")


@command.command()
@click.option("--document", default="", metavar="DOC_KEY", help="Of this document alone.")
@cli.json_option
@click.pass_obj
@cli.command
def contradictions(session: cli.CommandSession, document: str, as_json: bool) -> None:
    """Where live documents say something else than the directory, from which callers are answered."""
    engines, tenant = session.installation.engines, session.settings.tenant
    found = session.run(flags.contradictions(tenant, engines, document))
    if as_json:
        session.print_json({"contradictions": [one.to_json() for one in found]})
        return
    if not found:
        session.console.print("No live document contradicts the directory.")
        return
    table = Table("id", "entry", "field", "directory", "document", "where", "decided")
    for one in found:
        where = f"{one.source.doc_key} v{one.source.version}, page {one.source.page}: {one.source.text[:SHOWN]}"
        decided = f"left as it is by {one.by}" if one.state == "rejected" else ""
        said = (_short(one.directory), _short(one.document))
        cells = (one.proposal_id[:8], f"{one.section}/{one.entry}", one.field, *said, where, decided)
        table.add_row(*map(escape, cells))
    session.console.print(table)


@command.command()
@click.argument("doc_key", required=False, default="")
@click.option("--dry-run", is_flag=True, help="Print what would be proposed and keep nothing.")
@click.option("--sample", type=click.IntRange(1), help="Of a dry run so many complete ones, to be checked by hand.")
@cli.json_option
@click.pass_obj
@cli.command
def find(session: cli.CommandSession, doc_key: str, dry_run: bool, sample: int | None, as_json: bool) -> None:
    """Look through documents that are ingested already, one or all, as is done when one is taken in."""
    engines, tenant = session.installation.engines, session.settings.tenant
    if dry_run:
        found = session.run(_would_be(session, doc_key))
        counted = _counted(found)
        _print(session, found if sample is None else sampled(found, sample), 0, as_json, counted)
        return
    if sample is not None:
        raise BadRequest("--sample is of a --dry-run")

    async def work() -> dict[str, int]:
        return {document.doc_key: count async for document, count in stated.state_all(tenant, engines, doc_key)}

    noted = session.run(work())
    if as_json:
        session.print_json({"statements": noted})
        return
    said_some = sum(map(bool, noted.values()))
    told = f"{len(noted)} documents read; {said_some} say {sum(noted.values())} things that the directory could hold."
    session.console.print(told, soft_wrap=True)


class _Decision(Protocol):
    """What is decided about several proposals at once."""

    async def __call__(
        self, tenant: str, proposal_ids: Sequence[str], records: Records, *, by: str
    ) -> tuple[Proposal, ...]: ...


def _decided(
    session: cli.CommandSession, decision: _Decision, beginnings: Sequence[str], by: str | None, as_json: bool,
    told: str,
) -> None:  # fmt: skip
    """Decide about proposals, and say of how many that is `told`."""

    async def work() -> tuple[Proposal, ...]:
        ids = await _whole(beginnings, session)
        return await decision(session.settings.tenant, ids, session.installation.engines, by=by or getpass.getuser())

    done = session.run(work())
    if as_json:
        session.print_json({"proposals": [one.to_json() for one in done]})
        return
    session.console.print(f"{len(done)} {told}.")


async def _would_be(session: cli.CommandSession, doc_key: str) -> list[Proposal]:
    engines, tenant = session.installation.engines, session.settings.tenant
    directory = (await editions.current(tenant, engines)).directory
    said: list[Statement] = []
    async for document in stated.live_documents(tenant, engines, doc_key):
        said += await stated.said(document, engines)
    return resolve_all(said, directory)


async def _whole(beginnings: Sequence[str], session: cli.CommandSession) -> list[str]:
    """The ids that beginnings stand for. Raises: NotFound, BadRequest where several begin so."""
    every = await store.listing(session.settings.tenant, session.installation.engines, state=None)
    known = [one.proposal_id for one in every]
    found: list[str] = []
    for beginning in beginnings:
        fits = sorted({one for one in known if one.startswith(beginning)})
        if not fits:
            raise NotFound(f"no proposal has an id that begins with {beginning}")
        if len(fits) > 1:
            raise BadRequest(f"{beginning}: {len(fits)} proposals begin so; give more of the id")
        found += fits
    return found


def sampled(proposals: Sequence[Proposal], count: int) -> list[Proposal]:
    """So many complete proposals, the kinds in turn, each time the same."""
    drawn = random.Random(SEED)  # noqa: S311 - which rows are checked is no secret.
    by_kind = {kind: [one for one in proposals if one.kind == kind and one.is_complete] for kind in KINDS}
    for held in by_kind.values():
        drawn.shuffle(held)
    in_turn = [one for each in zip_longest(*by_kind.values()) for one in each if one is not None]
    return in_turn[:count]


def _counted(found: Sequence[Proposal]) -> Counter[tuple[str, str]]:
    return Counter((one.kind, "complete" if one.is_complete else "incomplete") for one in found)


def _fields(fields: Sequence[str]) -> dict[str, Any]:
    """Corrections from `FIELD=VALUE`. Raises: BadRequest."""
    read: dict[str, Any] = {}
    for one in fields:
        name, sign, value = one.partition("=")
        if not sign or not name.strip():
            raise BadRequest(f"--set: write FIELD=VALUE, and not {one[:40]}")
        try:
            read[name.strip()] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise BadRequest(f"--set: the value of {name.strip()[:40]} is no YAML") from None
    return read


def _print(
    session: cli.CommandSession, found: Sequence[Proposal], more: int, as_json: bool,
    counted: Counter[tuple[str, str]] | None = None,
) -> None:  # fmt: skip
    if as_json:
        told: dict[str, Any] = {"proposals": [one.to_json() for one in found], "more": max(0, more)}
        if counted is not None:
            told["counts"] = {f"{kind} {state}": count for (kind, state), count in sorted(counted.items())}
        session.print_json(told)
        return
    table = Table(Column("id", no_wrap=True), "kind", "entry", "says", "missing", "where")
    for one in found:
        where = f"{one.source.doc_key} p{one.source.page}: {one.source.text[:SHOWN]}"
        target = one.target or "new"
        state = "" if one.state == "open" else f" ({one.state} by {one.by})"
        cells = (one.proposal_id, one.kind, target, said(one), f"{', '.join(one.missing)}{state}", where)
        table.add_row(*map(escape, cells))
    session.console.print(table)
    for (kind, state), count in sorted((counted or _counted(found)).items()):
        session.console.print(f"{kind}, {state}: {count}")
    if more > 0:
        session.console.print(f"and {more} more; --limit shows them")


def said(proposal: Proposal) -> str:
    """What a proposal says, on one line."""
    fields = {name: value for name, value in proposal.entry.items() if name != "id"}
    return ", ".join(f"{name} {_short(value)}" for name, value in fields.items())


def _short(value: object) -> str:
    """A value on one line: a week by its runs of days, texts without their language."""
    if isinstance(value, dict) and value and all(isinstance(one, list) for one in value.values()):
        return _week(value)
    if isinstance(value, dict):
        return ", ".join(_short(one) for one in value.values() if one is not None)
    if isinstance(value, list):
        return "; ".join(map(_short, value))
    return str(value)


def _week(week: dict[str, list[dict[str, str]]]) -> str:
    runs: list[tuple[list[str], str]] = []
    for day, ranges in week.items():
        hours = " ".join(f"{one.get('from')}-{one.get('to')}" for one in ranges) or "closed"
        if runs and runs[-1][1] == hours:
            runs[-1][0].append(day[:2])
        else:
            runs.append(([day[:2]], hours))
    return ", ".join(f"{days[0]}{f'-{days[-1]}' if len(days) > 1 else ''} {hours}" for days, hours in runs)
