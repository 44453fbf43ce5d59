"""`careline pack`: whether packs are fit to be used."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import get_args

import click
from rich.markup import escape
from rich.progress import Progress

import careline_packs
from careline.errors import PackInvalid
from careline.packs.packs import Pack, ScreenName, load_packs
from careline.packs.replies import CAPABILITIES
from careline.safety.injection.document_screen import RULE_SETS, read_document_screen
from careline.safety.injection.kinds import FILE as KINDS_FILE
from careline.safety.rules.review import (
    CATEGORIES,
    COMPILED,
    DOCUMENTS,
    RuleProblem,
    check,
    compile_rules,
    rule_sets,
    shipped,
)
from careline.safety.rules.rule_sets import read_rule_set
from careline.safety.rules.worst_input import Slowest, slowest
from careline.understanding.intents.own_head import FittedLabel
from careline.value_framework.category import RULE_SETS as CATEGORY_RULES
from careline_local.cli import session as cli
from careline_local.cli.printed_list import markdown_option, print_list
from careline_local.markdown_table import table
from careline_local.pack_intents import compile_intents

REPLIES = ("capability", "of a pack where", "sentences")


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
    if _is_ours(folder):
        read += [read_rule_set(file) for file in rule_sets(CATEGORY_RULES.parent)]
    problems = [problem for rule_set in read for problem in check(rule_set)]
    problems += [problem for pack in packs.values() for problem in never_said(pack)]
    if _is_ours(folder):
        problems += [RuleProblem(KINDS_FILE.name, what) for what in read_document_screen().failing_lines()]
    with Progress(console=session.progress_console, disable=as_json, transient=True) as progress:
        each = -(-inputs // max(1, len(read)))
        timed = [slowest(rule_set, each) for rule_set in progress.track(read, description="random texts")]
    worst = max(timed, key=lambda one: one.milliseconds, default=None)
    if as_json:
        found = [{"file": one.file, "what": one.what} for one in problems]
        took = None if worst is None else {**asdict(worst), "inputs": inputs}
        screens = {name: dict(pack.screens) for name, pack in packs.items()}
        session.print_json({"packs": sorted(packs), "problems": found, "slowest": took, "screens": screens})
    else:
        for said in filter(None, map(rules_alone, packs.values())):
            session.console.print(escape(said), soft_wrap=True)
        _show(sorted(packs), problems, session)
        _show_worst(worst, inputs, session)
    if problems:
        raise click.exceptions.Exit(cli.SOMETHING_FAILED)


def never_said(pack: Pack) -> Iterable[RuleProblem]:
    """Sentences that nobody will hear; a misspelt key is among them."""
    return (RuleProblem(f"{pack.name}/replies", f"{key}: the pack never says this") for key in pack.never_said)


def rules_alone(pack: Pack) -> str:
    """What is said of the screens that the pack names no classifiers for; nothing where it names some for all."""
    alone = [name for name in get_args(ScreenName) if name not in pack.screens]
    return f"{pack.name}: rules alone, without classifiers, for {', '.join(alone)}." if alone else ""


def _show(packs: list[str], problems: list[RuleProblem], session: cli.CommandSession) -> None:
    for one in problems:
        session.console.print(f"[yellow]{escape(one.file)}[/]: {escape(one.what)}")
    session.console.print(f"{len(packs)} packs load ({', '.join(packs)}); {len(problems)} things to mend.")


def _show_worst(worst: Slowest | None, inputs: int, session: cli.CommandSession) -> None:
    if worst is not None and inputs:
        took = f"{worst.milliseconds:.2f} ms for a text of {worst.characters} characters ({escape(worst.file)})"
        session.console.print(f"Slowest of {inputs} random texts: {took}.")


@command.command(name="compile")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False), required=False)
@cli.json_option
@click.pass_obj
@cli.command
def compile_packs(session: cli.CommandSession, folder: Path | None, as_json: bool) -> None:
    """Prove the examples of every pack once and write it down, so that starting need not prove them again."""
    folder = folder or session.settings.packs
    ours = _is_ours(folder)
    packs = [file.parent for file in sorted(folder.glob("*/pack.yaml"))]
    compiled = [str(compile_rules(pack, shipped(pack.name) if ours else pack / COMPILED)) for pack in packs]
    fitted: dict[str, list[FittedLabel]] = {}
    with Progress(console=session.progress_console, disable=as_json, transient=True) as progress:
        for pack in packs:
            track = partial(progress.track, description=f"examples of {pack.name}")
            if (made := compile_intents(pack, track)) is not None:
                compiled.append(str(made[0]))
                fitted[pack.name] = made[1]
    if ours:
        compiled.append(str(compile_rules(RULE_SETS.parent, shipped(DOCUMENTS))))
        compiled.append(str(compile_rules(CATEGORY_RULES.parent, shipped(CATEGORIES))))
        if failure := next(read_document_screen().failing_lines(), None):
            raise PackInvalid(f"{KINDS_FILE.name}: {failure}")
    if as_json:
        intents = {name: [asdict(one) for one in labels] for name, labels in fitted.items()}
        session.print_json({"compiled": compiled, "intents": intents})
    else:
        session.console.print("\n".join(compiled))
        for name, labels in fitted.items():
            session.console.print("\n".join(f"{name}: {how_told(one)}" for one in labels), soft_wrap=True)


def how_told(label: FittedLabel) -> str:
    """How well a pack's own label is told, and what to do where that is too little."""
    said = (
        f"{label.name}: {label.examples} examples, {label.found_again} of them told by the others; "
        f"{label.taken} shipped examples of other labels go to it"
    )
    return f"{said}; write more that differ less from one another" if 2 * label.found_again < label.examples else said


@command.command(name="replies")
@markdown_option
@cli.json_option
@click.pass_obj
@cli.command
def list_replies(session: cli.CommandSession, as_markdown: bool, as_json: bool) -> None:
    """Show which fixed sentences a pack needs, by what it can do."""
    quoted = [(name, one.when, " ".join(f"`{key}`" for key in one.replies)) for name, one in CAPABILITIES.items()]
    rows = [tuple(cell.replace("`", "") for cell in cells) for cells in quoted]
    print_list(session, "replies", REPLIES, rows, table(REPLIES, quoted) if as_markdown else None, as_json)


def _is_ours(folder: Path) -> bool:
    """Whether it is the folder of the shipped packs, beside which the rules on documents are looked at too."""
    return folder.resolve() == careline_packs.FOLDER.resolve()
