"""`careline directory import`, `export` and `template`: the directory as a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, get_args

import click

from careline.curation import editions
from careline.curation.directory_bodies import planned_body, saved_body
from careline.curation.editions import DirectoryRejected
from careline.directory.directory import Directory, Problem
from careline.directory.entries import Language
from careline.directory.formats.files import Form, read_file, template, write_file
from careline.errors import BadRequest
from careline.schemas.directory import DirectorySaved
from careline_local.cli import session as cli
from careline_local.cli.directory.options import by_option, note_option
from careline_local.cli.directory.printed import print_saved, refusing

FORMS = click.Choice(get_args(Form))
LANGUAGES = click.Choice(get_args(Language))
BY_ENDING: dict[str, Form] = {".yaml": "yaml", ".yml": "yaml", ".xlsx": "xlsx", ".json": "fhir"}


@click.command(name="import")
@click.argument("file", type=click.File("rb"))
@click.option("--dry-run", is_flag=True, help="Say what is wrong and what would change, and keep nothing.")
@note_option
@by_option
@cli.json_option
@click.pass_obj
@cli.command
@refusing
def import_file(session: cli.CommandSession, file: Any, dry_run: bool, note: str, by: str, as_json: bool) -> None:
    """Take the whole directory from a YAML file, a workbook or a FHIR bundle; - reads the input.

    What the file does not hold is gone afterwards. Where anything is wrong, nothing of it is kept. The folder of
    --home is made where it is missing.
    """
    session.must_exist = session.must_exist and dry_run
    print_saved(session, session.run(_imported(session, file, dry_run, note, by)), as_json)


@click.command(name="export")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@click.option("--form", type=FORMS, help="What it is written as; told from the file's ending when absent.")
@click.pass_obj
@cli.command
def export_file(session: cli.CommandSession, file: Path, form: Form | None) -> None:
    """Write the directory to a file, or to the output with -."""
    chosen = form or BY_ENDING.get(file.suffix.lower()) or ("yaml" if str(file) == "-" else None)
    if chosen is None:
        raise BadRequest(f"--form: the ending of {file.name} does not say; give {', '.join(get_args(Form))}")
    _write(session, file, write_file(session.run(_held(session)), chosen))


@click.command(name="template")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@click.option("--language", type=LANGUAGES, default="en", show_default=True, help="Of its headings.")
@click.pass_obj
@cli.command
def template_file(session: cli.CommandSession, file: Path, language: Language) -> None:
    """Write a workbook to fill in, with an example in each sheet that is never read."""
    _write(session, file, template(language))


async def _imported(session: cli.CommandSession, file: Any, dry_run: bool, note: str, by: str) -> DirectorySaved:
    tenant, engines = session.settings.tenant, session.installation.engines
    before = await editions.current(tenant, engines)
    read = read_file(Path(file.name).name, file.read(), before.directory)
    directory = _usable(read.directory, read.problems)
    if dry_run:
        return planned_body(before, editions.planned(directory, before), read.problems)
    after = await editions.keep(directory, tenant, engines, by=by, note=note, made_of=before)
    return saved_body(after, before.number, read.problems)


def _usable(directory: Directory | None, problems: tuple[Problem, ...]) -> Directory:
    """Raises: DirectoryRejected."""
    if directory is None or not all(one.warning for one in problems):
        raise DirectoryRejected(problems)
    return directory


async def _held(session: cli.CommandSession) -> Directory:
    now = await editions.current(session.settings.tenant, session.installation.engines)
    if not now.number:
        raise BadRequest("there is no directory yet; `careline directory template FILE` writes one to fill in")
    return now.directory


def _write(session: cli.CommandSession, file: Path, content: bytes) -> None:
    if str(file) == "-":
        sys.stdout.buffer.write(content)
        return
    file.write_bytes(content)
    session.note(f"{file}: {len(content):,} bytes")
