"""`careline directory set`, `add` and `remove`: one entry at a time."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

import click

from careline.curation import editions, entry_changes
from careline.curation.directory_bodies import saved_body
from careline.curation.editions import Edition
from careline.curation.hospital import hospital
from careline.directory.directory import HOSPITAL, Directory, problems_of
from careline.directory.yaml_file import read_yaml
from careline.errors import BadRequest
from careline.schemas.directory import DirectorySaved
from careline_local.cli import session as cli
from careline_local.cli.directory.options import by_option, note_option
from careline_local.cli.directory.printed import print_saved, refusing

TODAY = "today"
"""A value that stands for the day of the hospital, as `confirmed_on=today`."""
WRITTEN_AS_JSON = ("[", "{", '"')
KEYWORDS: Mapping[str, Any] = {"true": True, "false": False, "null": None, "": None}


@click.command(name="set")
@click.argument("section")
@click.argument("entry_and_fields", metavar="ID FIELD=VALUE...", nargs=-1, required=True)
@note_option
@by_option
@cli.json_option
@click.pass_obj
@cli.command
@refusing
def set_fields(
    session: cli.CommandSession, section: str, entry_and_fields: tuple[str, ...], note: str, by: str, as_json: bool
) -> None:
    """Change fields of an entry.

    `set departments cardiology phone="011 90 11 00" names.fr=Cardiologie`

    A value is text, or JSON where it begins with a bracket, a brace or a quotation mark; an empty one takes the field
    away. The hospital itself needs no ID: `set hospital website=https://…`
    """
    name, pairs = _parted(section, entry_and_fields)
    saved = session.run(_changed(session, section, name, pairs, by, note))
    print_saved(session, saved, as_json)


@click.command()
@click.argument("section")
@click.argument("file", type=click.File("r", encoding="utf-8"))
@note_option
@by_option
@cli.json_option
@click.pass_obj
@cli.command
@refusing
def add(session: cli.CommandSession, section: str, file: Any, note: str, by: str, as_json: bool) -> None:
    """Add an entry that is written in YAML or JSON; - reads the input."""
    body = dict(read_yaml(file.read(), "-" if file is sys.stdin else file.name))
    written = {str(field): value for field, value in body.items()}

    def decide(directory: Directory) -> Directory:
        return entry_changes.added(directory, section, written)[0]

    print_saved(session, session.run(changed(session, decide, by, note)), as_json)


@click.command()
@click.argument("section")
@click.argument("entry_id", metavar="ID")
@note_option
@by_option
@cli.json_option
@click.pass_obj
@cli.command
@refusing
def remove(session: cli.CommandSession, section: str, entry_id: str, note: str, by: str, as_json: bool) -> None:
    """Remove an entry; `careline directory undo` brings it back."""

    def decide(directory: Directory) -> Directory:
        return entry_changes.removed(directory, section, entry_id)

    print_saved(session, session.run(changed(session, decide, by, note)), as_json)


async def changed(
    session: cli.CommandSession, decide: Callable[[Directory], Directory], by: str, note: str
) -> DirectorySaved:
    """What a change of the directory as it is now came to. Raises: as `editions.change`."""
    tenant, engines = session.settings.tenant, session.installation.engines
    before = await editions.current(tenant, engines)
    after = await editions.change(tenant, engines, decide, by=by, note=note)
    return _told(before, after)


async def undone(session: cli.CommandSession, number: int, by: str) -> DirectorySaved:
    """What taking a change back came to. Raises: as `editions.undo`."""
    tenant, engines = session.settings.tenant, session.installation.engines
    before = await editions.current(tenant, engines)
    return _told(before, await editions.undo(tenant, number, engines, by=by))


def _told(before: Edition, after: Edition) -> DirectorySaved:
    """With warnings of the entries that were changed alone: those of all others stand in `careline directory check`."""
    touched = {(one.section, one.entry) for one in after.changes}
    warnings = (one for one in problems_of(after.directory) if (one.section, one.entry) in touched)
    return saved_body(after, before.number, warnings)


async def _changed(
    session: cli.CommandSession, section: str, name: str, pairs: Mapping[str, str], by: str, note: str
) -> DirectorySaved:
    engines, settings = session.installation.engines, session.settings
    tenant, _ = await hospital(engines, settings.tenant, settings)
    today = tenant.day_of(engines.clock.now()).isoformat()
    patch: dict[str, Any] = {}
    for field, value in pairs.items():
        *above, last = field.split(".")
        place = patch
        for part in above:
            place = place.setdefault(part, {})
        place[last] = today if value == TODAY and field == "confirmed_on" else _read(field, value)
    return await changed(session, lambda now: entry_changes.patched(now, section, name, patch), by, note)


def _parted(section: str, words: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """The entry's id and the fields. Raises: BadRequest."""
    first, *rest = words
    name, fields = (HOSPITAL, words) if section == HOSPITAL and "=" in first else (first, tuple(rest))
    pairs = [one.partition("=") for one in fields]
    if not pairs or not all(field and separator for field, separator, _ in pairs):
        raise BadRequest("write FIELD=VALUE behind the ID, such as phone='011 90 11 00'")
    return name, {field: value for field, _, value in pairs}


def _read(field: str, value: str) -> Any:
    """A value as it is meant. Raises: BadRequest."""
    if value in KEYWORDS:
        return KEYWORDS[value]
    if not value.startswith(WRITTEN_AS_JSON):
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise BadRequest(f"{field}: what begins with {value[0]} must be JSON; see where it ends") from None
