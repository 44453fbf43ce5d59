"""`careline directory`: what a hospital's people have confirmed of it."""

from __future__ import annotations

from typing import Any

import click
import yaml
from rich.markup import escape
from rich.table import Table

from careline.curation import directory_check, editions, entry_changes
from careline.curation.directory_bodies import history_body, problem_bodies
from careline.curation.editions import Edition
from careline.curation.hospital import hospital
from careline.directory import entry_json
from careline.directory.directory import HOSPITAL, Directory, Problem
from careline.errors import NotFound
from careline_local.cli import session as cli
from careline_local.cli.batch.identifiers import nearest
from careline_local.cli.directory import entries, files
from careline_local.cli.directory.options import by_option
from careline_local.cli.directory.printed import in_short, print_saved, problem_table, refusing, title_of

NONE_YET = (
    "There is no directory yet. `careline directory template hospital.xlsx` writes a workbook to fill in, "
    "`careline directory import FILE` takes one in."
)


@click.group(name="directory")
def command() -> None:
    """A hospital's directory: campuses, departments, doctors, hours, prices and numbers.

    Every change makes an edition of the whole. Questions are answered from the one that holds, at once.
    """


for one in (files.import_file, files.export_file, files.template_file, entries.set_fields, entries.add, entries.remove):
    command.add_command(one)


@command.command()
@click.argument("section", required=False)
@click.argument("entry_id", metavar="[ID]", required=False)
@cli.json_option
@click.pass_obj
@cli.command
def show(session: cli.CommandSession, section: str | None, entry_id: str | None, as_json: bool) -> None:
    """The directory in figures, the entries of a section, or one entry whole."""
    now = session.run(_current(session))
    if section is None:
        _print_figures(session, now, as_json)
        return
    if entry_id is None and section != HOSPITAL:
        _print_section(session, now.directory, section, as_json)
        return
    name = entry_id or HOSPITAL
    known = entry_json.entries(now.directory, entry_changes.checked_section(section))
    if name not in known:
        told = f"{section}: there is no entry {name}{nearest(name, known)}"
        raise NotFound(f"{told}; `careline directory show {section}` lists those that are")
    body = known[name]
    if as_json:
        session.print_json({"edition": now.number, "entry": body})
    else:
        session.console.print(yaml.safe_dump(body, allow_unicode=True, sort_keys=False), markup=False, end="")


@command.command()
@cli.json_option
@click.pass_obj
@cli.command
def check(session: cli.CommandSession, as_json: bool) -> None:
    """What a person should look at: what is missing, what has ended, what was not confirmed for a year."""
    found = session.run(_findings(session))
    if as_json:
        session.print_json({"problems": problem_bodies(found)})
    elif not found:
        session.console.print("Nothing is missing, has ended or is older than a year.")
    else:
        session.console.print(problem_table(found))
        session.note("`careline directory set SECTION ID confirmed_on=today` says that an entry is right as it is.")


@command.command()
@click.option("--limit", type=click.IntRange(1, 1000), default=50, help="How many at most.", show_default=True)
@cli.json_option
@click.pass_obj
@cli.command
def history(session: cli.CommandSession, limit: int, as_json: bool) -> None:
    """Who changed what, the last change first."""
    found = session.run(_history(session, limit))
    newest = found[0].number if found else 0
    if as_json:
        session.print_json(history_body(found, newest))
        return
    if not found:
        session.console.print(NONE_YET, markup=False, soft_wrap=True)
        return
    table = Table("edition", "when", "who", "what", "why")
    for one in found:
        when = one.at.strftime("%Y-%m-%d %H:%M") if one.at else ""
        table.add_row(str(one.number), when, *map(escape, (one.by, in_short(one.changes, one.more_changes), one.note)))
    session.console.print(table)


@command.command()
@click.argument("number", type=click.IntRange(min=1))
@by_option
@cli.json_option
@click.pass_obj
@cli.command
@refusing
def undo(session: cli.CommandSession, number: int, by: str, as_json: bool) -> None:
    """Take back one change, by the number of its edition; what was changed since stays."""
    print_saved(session, session.run(entries.undone(session, number, by)), as_json)


async def _current(session: cli.CommandSession) -> Edition:
    return await editions.current(session.settings.tenant, session.installation.engines)


async def _findings(session: cli.CommandSession) -> list[Problem]:
    engines, settings = session.installation.engines, session.settings
    tenant, now = await hospital(engines, settings.tenant, settings)
    return list(directory_check.findings(now.directory, tenant.day_of(engines.clock.now())))


async def _history(session: cli.CommandSession, limit: int) -> list[Edition]:
    return [one async for one in editions.editions(session.settings.tenant, session.installation.engines, limit)]


def _print_figures(session: cli.CommandSession, now: Edition, as_json: bool) -> None:
    counts = {section: len(entry_json.entries(now.directory, section)) for section in entry_json.ALL_SECTIONS}
    if as_json:
        at = now.at.isoformat() if now.at else None
        session.print_json({"edition": now.number, "at": at, "by": now.by, "note": now.note, "entries": counts})
        return
    if not now.number:
        session.console.print(NONE_YET, markup=False, soft_wrap=True)
        return
    table = Table("section", "entries")
    for section, count in counts.items():
        table.add_row(section, str(count))
    session.console.print(table)
    when = now.at.strftime("%Y-%m-%d %H:%M") if now.at else "?"
    session.console.print(f"Edition {now.number}, {when}, by {now.by}. {now.note}".rstrip(), markup=False)


def _print_section(session: cli.CommandSession, directory: Directory, section: str, as_json: bool) -> None:
    found: dict[str, dict[str, Any]] = entry_json.entries(directory, entry_changes.checked_section(section))
    if as_json:
        session.print_json({"section": section, "entries": found})
        return
    table = Table("id", "name", "phone", "valid until", "owner", "confirmed on")
    for name, body in found.items():
        facts = (body.get(field, "") for field in ("phone", "valid_until", "owner", "confirmed_on"))
        table.add_row(*(escape(str(cell)) for cell in (name, title_of(section, body), *facts)))
    session.console.print(table)
