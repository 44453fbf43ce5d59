"""`careline bench answers` and `bench values` on hospitals: open ones, unread ones, or a folder of one's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from careline.settings import Settings
from careline_local.bench import evaluation_sets
from careline_local.bench.hospital import copying_model
from careline_local.bench.hospital.figures import WRONG_FIGURE, HospitalFigures, Part, Row, SaidFigures, figures_of
from careline_local.bench.hospital.hospitals import Hospital, asked, folders, loaded
from careline_local.bench.hospital.outcomes import HospitalOutcome
from careline_local.bench.measures import Share, machine
from careline_local.cli import session as cli

OWN: Part = "own"
TITLES: dict[Part, str] = {"open": "Open hospitals", "unread": "Unread hospitals (counts only)", "own": "Own questions"}
COLUMNS = ("asked", "doc first", "fact", "wrong figure", "declined", "refused", "admitted", "rightly refused", "AUC")
REFUSED_SHOWN = 25
"""Documents that could not be taken in and are listed; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for: a folder of one's own or the repository's hospitals, of one part or both; with a model
    beside, with mistakes."""

    on: Path | None
    with_model: bool
    show: bool
    quiet: bool
    part: evaluation_sets.Part | None = None


def run(session: cli.CommandSession, wanted: Wanted, *, values: bool) -> None:
    """Measure and print; ends with 1 when a wrong figure was said. Raises: BadRequest, SettingsInvalid."""
    measured = measure(session, wanted)
    if wanted.quiet:
        session.print_json({"machine": machine(), "hospitals": [one.to_json() for one in measured]})
    elif values:
        show_values(session, measured)
    else:
        show(session, measured)
    if any(_wrong(one) if values else one.wrong_answers for one in measured):
        raise click.exceptions.Exit(cli.SOMETHING_FAILED)


def _wrong(figures: HospitalFigures) -> int:
    return figures.said[0].wrong


def measure(session: cli.CommandSession, wanted: Wanted) -> list[HospitalFigures]:
    """The figures of the folder, or of the open and the unread hospitals, for each model that answers.

    Raises: BadRequest, SettingsInvalid.
    """
    with ExitStack() as stack:
        address = stack.enter_context(copying_model.serving()) if wanted.with_model else None
        asked_of = parts(wanted)
        return [one for part, those in asked_of.items() for one in _of_part(session, part, those, wanted, address)]


def parts(wanted: Wanted) -> dict[Part, list[Path]]:
    """The folders that are asked, by part. Raises: BadRequest, SettingsInvalid."""
    if wanted.on is not None:
        return {OWN: [wanted.on]}
    named: dict[Part, evaluation_sets.Part] = {"open": "open", "unread": "held_out"}
    return {part: folders(name) for part, name in named.items() if wanted.part in (None, name)}


def _of_part(
    session: cli.CommandSession, part: Part, those: Sequence[Path], wanted: Wanted, address: str | None
) -> Iterator[HospitalFigures]:
    outcomes: dict[str, list[HospitalOutcome]] = {}
    for folder in those:
        with loaded(folder, session.settings, quiet=wanted.quiet) as hospital:
            _note(session, hospital, part)
            for model, settings in _models(hospital.settings, address):
                outcomes.setdefault(model, []).extend(asked(hospital, settings, quiet=wanted.quiet))
    for model, found in outcomes.items():
        yield figures_of(part, model, found, show=wanted.show)


def _models(settings: Settings, address: str | None) -> Iterator[tuple[str, Settings]]:
    """What answers: as the installation is set up, and beside it the endpoint that copies a sentence."""
    yield (settings.openai.model if settings.engines.model == "openai" else "extractive"), settings
    if address is not None:
        other = {"base_url": address, "model": copying_model.NAME}
        alone = {"small_model": None, "screen_model": None, "api_key": None}
        yield (
            copying_model.NAME,
            settings.with_changes(engines={"model": "openai"}, routing={"mode": "hybrid"}, openai={**other, **alone}),
        )


def _note(session: cli.CommandSession, hospital: Hospital, part: Part) -> None:
    report = hospital.report
    if report.refused:
        session.note(f"{hospital.name}: {len(report.refused)} documents were refused")
    if report.held_back:
        session.note(f"{hospital.name}: {report.held_back} passages were held back")
    if part == OWN:
        for one in report.refused[:REFUSED_SHOWN]:
            session.note(f"  {one.where}: {one.message}")


def show(session: cli.CommandSession, measured: Sequence[HospitalFigures]) -> None:
    """Print the tables by language, by kind and by hospital, and what went wrong where that was asked for."""
    for one in measured:
        for by, rows in one.tables.items():
            if by != "hospital" or len(one.hospitals) > 1:
                session.console.print(_table(one, by, rows))
        for shown in one.shown:
            session.console.print(Text(f"{shown.id} · {shown.kind} · {shown.verdict}", style="bold"))
            session.console.print(Text(f"  asked:    {' / '.join(shown.asked)}"))
            session.console.print(Text(f"  answered: {shown.answered} ({shown.source or 'no source'})"))


def _table(figures: HospitalFigures, by: str, rows: Sequence[Row]) -> Table:
    title = f"{_title(figures)} · relevance by the {figures.relevance_by or 'search'}"
    table = Table(by, *COLUMNS, title=title, title_justify="left")
    for row in rows:
        area = "·" if row.area is None else f"{row.area:.2f}"
        table.add_row(row.name, str(row.asked), *(_cell(share) for share in row.shares), area)
    return table


def _title(figures: HospitalFigures) -> str:
    return f"{TITLES[figures.part]} · {', '.join(figures.hospitals)} · {figures.model}"


def _cell(share: Share) -> Text:
    if not share.of:
        return Text("·")
    style = "red" if share.name == WRONG_FIGURE and share.right else ""
    return Text(f"{share.right / share.of:.2f}  {share.right}/{share.of}", style=style)


def show_values(session: cli.CommandSession, measured: Sequence[HospitalFigures]) -> None:
    """Print how many figures were said and how many of them are wrong."""
    for one in measured:
        columns = ("answers", "with figures", "figures said", "wrong", "of another question", "in no cited document")
        table = Table("hospital", *columns, "said to unanswerable", "beside the fact", title=_title(one))
        for row in one.said:
            table.add_row(row.name, *_counts(row))
        session.console.print(table)


def _counts(row: SaidFigures) -> Iterator[str | Text]:
    yield from (str(row.answers), str(row.with_figures), str(row.said))
    yield Text(str(row.wrong), style="red" if row.wrong else "")
    yield from (str(row.of_others), str(row.ungrounded), str(row.without_answer), str(row.beside))
