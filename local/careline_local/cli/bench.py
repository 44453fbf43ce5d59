"""`careline bench`: every number in the README, measured on this machine."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import click
from rich.table import Table

from careline_local.bench.measures import Measure, Share, machine
from careline_local.cli import hospital_answers, safety_figures
from careline_local.cli import session as cli

ALONE = ("soak", "voice", "values")
"""Measured only when they are asked for by name: they take minutes."""
ON_HOSPITALS = ("answers", "values")
"""Subjects that ask hospitals' questions, and may ask those of a folder instead."""
SUBJECTS = ("search", "turn", "stream", "import", "ingest", "answers", "safety")


@click.command(name="bench")
@click.argument("subject", type=click.Choice([*SUBJECTS, *ALONE, "all"]), default="all")
@click.option(
    "--part",
    type=click.Choice(["held_out", "open"]),
    default="held_out",
    show_default=True,
    help="Lines of `safety`: those that nobody who works on the screens reads, or those that come with their faults.",
)
@click.option(
    "--questions", type=click.IntRange(10, 1_000_000), default=2000, show_default=True, help="Questions of `soak`."
)
@click.option("--turns", type=click.IntRange(40, 10_000), default=200, show_default=True, help="Turns of `voice`.")
@click.option("--overlaps", type=click.IntRange(2, 10_000), default=100, show_default=True, help="Overlaps of `voice`.")
@click.option("--at-once", type=click.IntRange(1, 50), default=2, show_default=True, help="Calls of `voice` at a time.")
@click.option("--ramp/--no-ramp", default=True, help="Whether `voice` counts the calls that one process holds.")
@click.option(
    "--on",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="For `answers` and `values`: your own documents/ and questions.yaml, see docs/own-questions.md.",
)
@click.option("--with-model", is_flag=True, help="Beside it, a language model that copies a sentence of its sources.")
@click.option("--show", type=click.Choice(["wrong"]), help="List the questions that came out wrong; never unread ones.")
@cli.json_option
@click.pass_obj
@cli.command
def command(
    session: cli.CommandSession,
    subject: str,
    part: str,
    questions: int,
    turns: int,
    overlaps: int,
    at_once: int,
    ramp: bool,
    on: Path | None,
    with_model: bool,
    show: str | None,
    as_json: bool,
) -> None:
    """Measure speed, relevance and safety; the demo hospital goes into a temporary folder, unless --home is given.

    `soak` asks questions made from the documents' own words for minutes, and ends with 1 when one failed or took over
    5 s; it is no part of `all`. `values` counts the figures that answers say, and ends with 1 when one is wrong, as
    `answers --on` does.
    """
    wanted = hospital_answers.Wanted(on, with_model, show == "wrong", as_json)
    if (on or with_model or show) and subject not in ON_HOSPITALS:
        raise click.UsageError("--on, --with-model and --show go with `answers` and `values`")
    if subject == "values" or on is not None:
        hospital_answers.run(session, wanted, values=subject == "values")
        return
    if subject == "soak":
        _soak(session, questions, as_json)
        return
    if subject == "voice":
        _voice(session, (turns, overlaps, at_once, ramp), as_json)
        return
    chosen = SUBJECTS if subject == "all" else (subject,)
    _chosen(session, chosen, part, wanted)


def _chosen(session: cli.CommandSession, chosen: Sequence[str], part: str, wanted: hospital_answers.Wanted) -> None:
    """Measure the chosen subjects, one after another, and print all of them at the end."""
    # First: where the sets are not there, nobody waits for the rest to hear of it.
    hospitals = hospital_answers.measure(session, wanted) if "answers" in chosen else []
    with tempfile.TemporaryDirectory(prefix="careline-bench-") as folder:
        home = session.home or Path(folder)
        measured = [one for name in chosen if name != "safety" for one in _measure(name, home, Path(folder))]
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
    from careline_local.bench import voice

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
    from careline_local.bench import soak

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


def _measure(subject: str, home: Path, folder: Path) -> Sequence[Measure | Share]:
    measures: dict[str, Callable[[], Sequence[Measure | Share]]] = {
        "search": _search,
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


def _search() -> list[Measure]:
    from careline_local.bench import search

    return asyncio.run(search.run())


def _turn(home: Path) -> list[Measure]:
    from careline_local.bench import turn

    session = _loaded(home)
    return session.run(turn.run(session.installation))


def _stream(home: Path) -> list[Measure]:
    from careline_local.bench import served

    _loaded(home)
    return served.run(home)


def _import() -> list[Measure]:
    from careline_local.bench import imports

    return imports.run()


def _ingest(folder: Path) -> list[Measure]:
    from careline_local.bench import ingestion

    return ingestion.run(folder)


def _answers(home: Path) -> list[Share]:
    from careline_local.bench import answers

    session = _loaded(home)
    return session.run(answers.run(session.installation))
