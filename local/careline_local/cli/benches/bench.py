"""`careline bench`: every number in the README, measured on this machine."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from careline_local.bench.evaluation_sets import Part
from careline_local.bench.hospital.ablation import Variant, limited, variants
from careline_local.bench.measures import Measure, Share, machine
from careline_local.cli import session as cli
from careline_local.cli.benches import ablation, hospital_answers, safety_figures, scale, understanding
from careline_local.cli.benches.subject_options import SubjectCommand, SubjectOption

ALONE = ("soak", "voice", "values", "scale", "understand", "directory", "calls")
"""Only when they are asked for by name: they take minutes, or nothing is measured."""
ON_HOSPITALS = ("answers", "values")
"""Subjects that ask hospitals' questions, and may ask those of a folder instead."""
SUBJECTS = ("start", "search", "value", "turn", "stream", "import", "ingest", "answers", "safety")
OF_VOICE: dict[str, Any] = {"subjects": ("voice",), "show_default": True}
Search = Callable[[], Sequence[Measure | Share]]
OF_SCALE: dict[str, Any] = {"subjects": ("scale",), "show_default": True}
_option = partial(click.option, cls=SubjectOption)


@click.command(name="bench", cls=SubjectCommand)
@click.argument("subject", type=click.Choice([*SUBJECTS, *ALONE, "all"]), default="all")
@_option(
    "--part",
    type=click.Choice(["held_out", "open"]),
    subjects=("safety", "understand", "directory", *ON_HOSPITALS),
    help="One half of the lines of `safety`, `understand` and `directory` (else held_out) or of the hospitals of "
    "`answers` and `values` (else both): those that nobody reads who works on what they measure, or those that come "
    "with their faults.",
)
@_option(
    "--questions",
    type=click.IntRange(10, 1_000_000),
    default=2000,
    show_default=True,
    subjects=("soak",),
    help="Questions that are asked.",
)
@_option(
    "--passages",
    type=click.IntRange(1_000, 2_000_000),
    default=30_000,
    show_default=True,
    subjects=("search",),
    help="Made-up passages that are searched; a million take half an hour and 5 GB.",
)
@_option("--vectors-alone", is_flag=True, subjects=("search",), help="The half of a search that looks at vectors.")
@_option("--calls", type=click.IntRange(1, 100_000), default=500, **OF_SCALE, help="Calls at once.")
@_option("--hospitals", type=click.IntRange(1, 10_000), default=1, **OF_SCALE, help="Hospitals whose calls these are.")
@_option(
    "--record-seconds",
    type=click.FloatRange(0.001, 10),
    subjects=("scale",),
    help="Seconds of writing one turn down, in place of what it takes.",
)
@_option("--documents", type=click.IntRange(0), default=10_000, **OF_SCALE, help="Documents an hour.")
@_option("--held", type=click.IntRange(1), default=1_000_000, **OF_SCALE, help="Passages that are held.")
@_option("--turns", type=click.IntRange(40, 10_000), default=200, **OF_VOICE, help="Turns.")
@_option("--overlaps", type=click.IntRange(2, 10_000), default=100, **OF_VOICE, help="Overlaps.")
@_option("--at-once", type=click.IntRange(1, 50), default=2, **OF_VOICE, help="Calls at a time.")
@_option("--ramp/--no-ramp", default=True, **OF_VOICE, help="Whether the calls that one process holds are counted.")
@_option(
    "--on",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    subjects=ON_HOSPITALS,
    help="Your own documents/ and questions.yaml, see docs/own-questions.md.",
)
@_option(
    "--with-model",
    is_flag=True,
    subjects=ON_HOSPITALS,
    help="Beside it, a language model that copies a sentence of its sources.",
)
@_option(
    "--show",
    type=click.Choice(["wrong"]),
    subjects=ON_HOSPITALS,
    help="List the questions that came out wrong; never unread ones.",
)
@_option("--without", metavar="GROUPS", subjects=("answers",), help="Without each of these groups, or of `all`.")
@_option("--only", metavar="GROUPS", subjects=("answers",), help="With these groups alone.")
@_option("--limit", metavar="NAME=VALUES", subjects=("answers",), help="With a limit at other values, by commas.")
@cli.json_option
@click.pass_obj
@cli.command
def command(
    session: cli.CommandSession,
    subject: str,
    part: Part | None,
    questions: int,
    passages: int,
    vectors_alone: bool,
    calls: int,
    hospitals: int,
    record_seconds: float | None,
    documents: int,
    held: int,
    turns: int,
    overlaps: int,
    at_once: int,
    ramp: bool,
    on: Path | None,
    with_model: bool,
    show: str | None,
    without: str | None,
    only: str | None,
    limit: str | None,
    as_json: bool,
) -> None:
    """Measure speed, relevance and safety; the demo hospital goes into a temporary folder, unless --home is given.

    `soak` asks questions made from the documents' own words for minutes, and ends with 1 when one failed or took over
    5 s; it is no part of `all`. `values` counts the figures that answers say, and ends with 1 when one is wrong, as
    `answers --on` does. `answers --without` tells what groups of an answer's parts are worth, a line each;
    `--limit` what a limit would do at other values. `scale` computes and simulates what the cloud's parts must give.
    """
    wanted = hospital_answers.Wanted(on, with_model, show == "wrong", as_json, part)
    if (on or with_model or show) and subject not in ON_HOSPITALS:
        raise click.UsageError("--on, --with-model and --show go with `answers` and `values`")
    if without or only or limit:
        chosen = _variants(subject, without, only, limit)
        ablation.run(session, hospital_answers.parts(wanted), chosen, quiet=as_json)
    elif subject == "values" or on is not None or (subject == "answers" and part is not None):
        hospital_answers.run(session, wanted, values=subject == "values")
    elif subject == "understand":
        understanding.run(session, part or "held_out", as_json)
    elif subject == "directory":
        understanding.run_directories(session, part or "held_out", as_json)
    elif subject == "calls":
        understanding.run_calls(session, as_json)
    elif subject == "scale":
        scale.run(session, scale.Asked(held, calls, hospitals, documents, record_seconds), as_json)
    elif subject == "soak":
        _soak(session, questions, as_json)
    elif subject == "voice":
        _voice(session, (turns, overlaps, at_once, ramp), as_json)
    else:
        searched = partial(_search, passages, vectors_alone)
        _chosen(session, SUBJECTS if subject == "all" else (subject,), part or "held_out", wanted, searched)


def _variants(subject: str, without: str | None, only: str | None, limit: str | None) -> list[Variant]:
    if subject != "answers" or sum(map(bool, (without, only, limit))) > 1:
        raise click.UsageError("one of --without, --only and --limit goes with `answers`")
    return limited(limit) if limit else variants(without, only)


def _chosen(
    session: cli.CommandSession, chosen: Sequence[str], part: str, wanted: hospital_answers.Wanted, search: Search
) -> None:
    """Measure the chosen subjects, one after another, and print all of them at the end."""
    # First: where the sets are not there, nobody waits for the rest to hear of it.
    hospitals = hospital_answers.measure(session, wanted) if "answers" in chosen else []
    with tempfile.TemporaryDirectory(prefix="careline-bench-") as folder:
        home = session.home or Path(folder)
        measured = [one for name in chosen if name != "safety" for one in _measure(name, home, Path(folder), search)]
    screened = safety_figures.measure(session, part) if "safety" in chosen else None
    measured += screened.speeds if screened is not None else []
    if wanted.quiet:
        safe = screened.to_json() if screened is not None else {}
        answered = {"hospitals": [one.to_json() for one in hospitals]} if hospitals else {}
        figures = [one.to_json() for one in measured]
        session.print_json({"machine": machine(), "figures": figures, **answered, **safe})
        return
    _show([one for one in measured if isinstance(one, Measure)], session)
    _show_shares([one for one in measured if isinstance(one, Share)], session)
    hospital_answers.show(session, hospitals)
    if screened is not None:
        safety_figures.show(session, screened)


def _voice(session: cli.CommandSession, wanted: tuple[int, int, int, bool], as_json: bool) -> None:
    from careline_local.cli.call import voice_installed

    voice_installed()
    from careline_local.bench.speed import voice

    with tempfile.TemporaryDirectory(prefix="careline-bench-") as folder:
        home = session.home or Path(folder)
        _loaded(home)
        measured = asyncio.run(voice.run(home, *wanted))
    if as_json:
        session.print_json({"machine": machine(), "figures": [one.to_json() for one in measured]})
        return
    _show([one for one in measured if isinstance(one, Measure)], session)
    _show_shares([one for one in measured if isinstance(one, Share)], session)


def _soak(session: cli.CommandSession, questions: int, as_json: bool) -> None:
    from careline_local.bench.speed import soak

    with tempfile.TemporaryDirectory(prefix="careline-bench-") as folder:
        home = session.home or Path(folder)
        _loaded(home)
        run = soak.run(home, questions, ingest=session.home is None)
    if as_json:
        session.print_json({"machine": machine(), **run.to_json()})
    else:
        table = Table("what", "unit", "measured", "promised", title=machine(), title_justify="left")
        for name, unit, measured, promised in run.rows():
            table.add_row(name, unit, f"{measured:,.1f}", promised)
        session.console.print(table)
        for question in run.failed[: soak.SHOWN]:
            session.console.print(f"failed: {question}", markup=False)
    if not run.held:
        raise click.exceptions.Exit(1)


def _show(figures: Sequence[Measure], session: cli.CommandSession) -> None:
    if figures:
        table = Table("what", "unit", "p50", "p95", "samples", "promised", title=machine(), title_justify="left")
        for one in figures:
            table.add_row(one.name, one.unit, f"{one.p50:.2f}", f"{one.p95:.2f}", str(one.samples), one.limit)
        session.console.print(table)


def _show_shares(shares: Sequence[Share], session: cli.CommandSession) -> None:
    if shares:
        table = Table("questions", "right", "of", "share", "95 % interval")
        for one in shares:
            low, high = one.interval
            table.add_row(one.name, str(one.right), str(one.of), f"{one.right / one.of:.2f}", f"{low:.2f}-{high:.2f}")
        session.console.print(table)


def _measure(subject: str, home: Path, folder: Path, search: Search) -> Sequence[Measure | Share]:
    measures: dict[str, Callable[[], Sequence[Measure | Share]]] = {
        "start": lambda: _start(folder),
        "search": search,
        "value": _value,
        "turn": lambda: _turn(home),
        "stream": lambda: _stream(home),
        "import": _import,
        "ingest": lambda: _ingest(folder / "documents"),
        "answers": lambda: _answers(home),
    }
    return measures[subject]()


def _loaded(home: Path) -> cli.CommandSession:
    """A session over a home that holds the demo hospital."""
    from careline_local.demo import load

    session = cli.CommandSession(home)
    if not load.is_loaded(home):
        session.run(load.load(session))
    return cli.CommandSession(home)


def _start(folder: Path) -> list[Measure]:
    from careline_local.bench.speed import start

    return start.run(folder)


def _search(passages: int, vectors_alone: bool) -> list[Measure]:
    from careline_local.bench import search

    if vectors_alone:
        return search.vectors_alone(passages)
    return asyncio.run(search.run(passages))


def _value() -> list[Measure]:
    from careline_local.bench.speed import value

    return value.run()


def _turn(home: Path) -> list[Measure]:
    from careline_local.bench.speed import turn

    session = _loaded(home)
    return session.run(turn.run(session.installation))


def _stream(home: Path) -> list[Measure]:
    from careline_local.bench.speed import served

    _loaded(home)
    return served.run(home)


def _import() -> list[Measure]:
    from careline_local.bench.speed import imports

    return imports.run()


def _ingest(folder: Path) -> list[Measure]:
    from careline_local.bench.speed import ingestion

    return ingestion.run(folder)


def _answers(home: Path) -> list[Share]:
    from careline_local.bench import answers
    from careline_local.bench.hospital import hospitals

    session = cli.CommandSession(home, given=hospitals.untimed(_loaded(home).settings))
    return session.run(answers.run(session.installation))
