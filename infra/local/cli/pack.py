"""`careline pack`: whether packs are fit to be used."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape

from careline.safety.patterns import read_book
from careline.safety.review import Problem, books, check, seal
from careline.tenants.packs import load_packs
from infra.local.cli import session as cli


@click.group(name="pack")
def command() -> None:
    """Check packs."""


@command.command(name="check")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False), required=False)
@cli.json_option
@click.pass_obj
@cli.command
def check_packs(session: cli.Session, folder: Path | None, as_json: bool) -> None:
    """Load every pack of a folder, prove each pattern by its examples, and name what a reviewer should mend."""
    folder = folder or session.settings.packs
    packs = load_packs(folder)
    files = [file for pack in sorted(folder.glob("*/pack.yaml")) for file in books(pack.parent)]
    problems = [problem for file in files for problem in check(read_book(file))]
    if as_json:
        found = [{"file": one.file, "what": one.what} for one in problems]
        session.print_json({"packs": sorted(packs), "problems": found})
    else:
        _show(sorted(packs), problems, session)
    if problems:
        raise click.exceptions.Exit(cli.SOMETHING_FAILED)


def _show(packs: list[str], problems: list[Problem], session: cli.Session) -> None:
    for one in problems:
        session.console.print(f"[yellow]{escape(one.file)}[/]: {escape(one.what)}")
    session.console.print(f"{len(packs)} packs load ({', '.join(packs)}); {len(problems)} things to mend.")


@command.command(name="seal")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False), required=False)
@cli.json_option
@click.pass_obj
@cli.command
def seal_packs(session: cli.Session, folder: Path | None, as_json: bool) -> None:
    """Prove the examples of every pack once and write it down, so that starting need not prove them again."""
    folder = folder or session.settings.packs
    sealed = [str(seal(pack.parent)) for pack in sorted(folder.glob("*/pack.yaml"))]
    if as_json:
        session.print_json({"sealed": sealed})
    else:
        session.console.print("\n".join(sealed))
