"""`careline pack`: whether packs are fit to be used."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click
from rich.markup import escape
from rich.progress import Progress

from careline.packs.packs import load_packs
from careline.safety.injection.document_screen import RULE_SETS
from careline.safety.rules.review import RuleProblem, check, compile_rules, rule_sets
from careline.safety.rules.rule_sets import read_rule_set
from careline.safety.rules.worst_input import Slowest, slowest
from careline_local.cli import session as cli


@click.group(name="pack")
def command() -> None:
    """Check packs."""


@command.command(name="check")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False), required=False)
@click.option(
    "--inputs",
    type=click.IntRange(min=0),
    default=10_000,
    show_default=True,
    help="Random texts that the patterns are timed on, shared among their files.",
)
@cli.json_option
@click.pass_obj
@cli.command
def check_packs(session: cli.CommandSession, folder: Path | None, inputs: int, as_json: bool) -> None:
    """Load every pack of a folder, prove and time its patterns, and name what a reviewer should mend."""
    folder = folder or session.settings.packs
    packs = load_packs(folder)
    read = [read_rule_set(file) for pack in sorted(folder.glob("*/pack.yaml")) for file in rule_sets(pack.parent)]
    problems = [problem for rule_set in read for problem in check(rule_set)]
    with Progress(console=session.progress_console, disable=as_json, transient=True) as progress:
        each = -(-inputs // max(1, len(read)))
        timed = [slowest(rule_set, each) for rule_set in progress.track(read, description="random texts")]
    worst = max(timed, key=lambda one: one.milliseconds, default=None)
    if as_json:
        found = [{"file": one.file, "what": one.what} for one in problems]
        took = None if worst is None else {**asdict(worst), "inputs": inputs}
        session.print_json({"packs": sorted(packs), "problems": found, "slowest": took})
    else:
        _show(sorted(packs), problems, session)
        _show_worst(worst, inputs, session)
    if problems:
        raise click.exceptions.Exit(cli.SOMETHING_FAILED)


def _show(packs: list[str], problems: list[RuleProblem], session: cli.CommandSession) -> None:
    for one in problems:
        session.console.print(f"[yellow]{escape(one.file)}[/]: {escape(one.what)}")
    session.console.print(f"{len(packs)} packs load ({', '.join(packs)}); {len(problems)} things to mend.")


def _show_worst(worst: Slowest | None, inputs: int, session: cli.CommandSession) -> None:
    if worst is not None and inputs:
        took = f"{worst.milliseconds:.2f} ms for a text of {worst.characters} characters ({escape(worst.file)})"
        session.console.print(f"Slowest of {inputs} random texts: {took}.")


@command.command(name="seal")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False), required=False)
@cli.json_option
@click.pass_obj
@cli.command
def compile_packs(session: cli.CommandSession, folder: Path | None, as_json: bool) -> None:
    """Prove the examples of every pack once and write it down, so that starting need not prove them again."""
    folder = folder or session.settings.packs
    compiled = [str(compile_rules(pack.parent)) for pack in sorted(folder.glob("*/pack.yaml"))]
    if folder == session.settings.packs:
        compiled.append(str(compile_rules(RULE_SETS.parent)))
    if as_json:
        session.print_json({"sealed": compiled})
    else:
        session.console.print("\n".join(compiled))
