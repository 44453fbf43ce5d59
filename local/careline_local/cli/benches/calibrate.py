"""`careline calibrate`: what an embedding model's nearness is worth, measured on questions whose answers are known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

import click
import yaml
from rich.table import Table

from careline import bootstrap
from careline.errors import BadRequest
from careline.packs.packs import load_packs
from careline.search.measured_fit import embedding_model, fit_file, guessed_fit
from careline.search.relevance import RelevanceFit, shipped_fit
from careline_local.bench.calibration.fit import Judged, check, fit, judged
from careline_local.bench.calibration.views import Asked, ask_all, asks_alone
from careline_local.bench.hospital.hospitals import Hospital, folders, loaded
from careline_local.bench.hospital.questions import read_questions
from careline_local.cli import session as cli
from careline_local.ingest import progress_bar

HEAD = """# What nearness in meaning is worth with this embedding model (careline.search.relevance), measured by
# `careline calibrate` on {day} with {count} questions. Made anew when the model or its dimensions change.
"""
MORE_WRONG = (
    "The fitted weights answer more that is wrong, on questions that they were not fitted on. More questions help; "
    "`careline bench answers` says what callers get, behind the limits of the pack."
)


@dataclass(frozen=True, slots=True)
class Calibration:
    """A fit on all hospitals; and how fits on all the others did on each, beside the weights of the shipped model."""

    fitted: RelevanceFit
    others: Judged
    shipped: Judged
    questions: int


@click.command(name="calibrate")
@click.option(
    "--on", "own", multiple=True, type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Documents and questions of your own, as for `careline bench answers`; may be repeated. The repository's "
    "invented hospitals when absent.",
)  # fmt: skip
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write; `relevance.yaml` in the home."
)
@cli.json_option
@click.pass_obj
@cli.command
def command(session: cli.CommandSession, own: tuple[Path, ...], out: Path | None, as_json: bool) -> None:
    """Measure the embedding model of `CARELINE_EMBEDDER`, with your key: until then it answers nothing. The pages and
    questions that it is measured on are sent to it."""
    settings, those = session.settings, list(own) or folders("open")
    check([one.expect == "answer" for folder in those for one in read_questions(folder).questions if asks_alone(one)])
    session.run(_answers(session))
    known = known_answers(session, those, quiet=as_json)
    found = calibrated(known, embedding_model(settings), _least_confidence(session))
    file = out or fit_file(settings)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(written(found.fitted, found.questions), encoding="utf-8")
    if as_json:
        session.print_json({"file": str(file), **asdict(found)})
    else:
        _show(session, found, file)


async def _answers(session: cli.CommandSession) -> None:
    """Whether model and reader are there, before anything is taken in. Raises: BadRequest, EmbedderUnavailable."""
    engines = bootstrap.engines(session.settings)
    if engines.reader is None:
        raise BadRequest("CARELINE_READER: what is fitted stands beside the reader; take `off` away")
    await engines.embedder.embed_query("?")


def known_answers(session: cli.CommandSession, those: Sequence[Path], *, quiet: bool) -> list[list[Asked]]:
    """What is found for the questions of each folder. Raises: BadRequest, EmbedderUnavailable."""
    # Which windows are found hangs on no weight.
    guess = json.dumps(asdict(guessed_fit(session.settings)))
    settings = session.settings.with_changes(engines={"relevance": guess})
    found = []
    for folder in those:
        with loaded(folder, settings, quiet=quiet) as hospital:
            if hospital.report.refused:
                session.note(f"{hospital.name}: {len(hospital.report.refused)} documents were not taken in")
            found.append(_asked(hospital, quiet))
    return found


def _asked(hospital: Hospital, quiet: bool) -> list[Asked]:
    session = cli.CommandSession(hospital.settings.home, given=hospital.settings)
    questions = hospital.questions.questions
    with progress_bar(session, quiet) as progress:
        bar = progress.add_task(f"asking {hospital.name}", total=len(questions))
        return session.run(ask_all(questions, session.installation, lambda: progress.advance(bar)))


def calibrated(known: Sequence[Sequence[Asked]], embedder: str, least_confidence: float) -> Calibration:
    """The fit on all questions, and how it does on those that it was not fitted on. Raises: BadRequest."""
    everything = [one for part in known for one in part]
    parts = list(known)
    if len(parts) == 1:
        # Of one hospital every second question stands for another.
        by_kind = sorted(everything, key=lambda one: one.is_answerable)
        parts = [by_kind[::2], by_kind[1::2]]
    fitted = fit(everything, embedder)
    others = []
    for number, part in enumerate(parts):
        rest = [one for other in (*parts[:number], *parts[number + 1 :]) for one in other]
        others.append(judged(part, fit(rest, embedder), least_confidence))
    return Calibration(fitted, _sum(others), judged(everything, shipped_fit(), least_confidence), len(everything))


def _sum(judgements: Sequence[Judged]) -> Judged:
    return Judged(*(sum(numbers) for numbers in zip(*(asdict(one).values() for one in judgements), strict=True)))


def _least_confidence(session: cli.CommandSession) -> float:
    return load_packs(session.settings.packs)[session.settings.pack].evidence.min_confidence


def written(fitted: RelevanceFit, questions: int) -> str:
    """A fit as `careline.search.relevance.read_fit` reads it."""
    head = HEAD.format(day=date.today().isoformat(), count=questions)
    return head + yaml.safe_dump(asdict(fitted), sort_keys=False)


def _show(session: cli.CommandSession, found: Calibration, file: Path) -> None:
    table = Table("", "shipped weights", "fitted weights")
    for name, guessed, measured in zip(asdict(found.others), *map(_values, (found.shipped, found.others)), strict=True):
        table.add_row(name.replace("_", " "), str(guessed), str(measured))
    session.console.print(table)
    if found.others.wrong > found.shipped.wrong:
        session.console.print(MORE_WRONG, soft_wrap=True)
    if session.settings.engines.embedder == "embedded":
        session.note("The embedding model in the package goes by the weights in it: the file is for comparison.")
    session.console.print(f"{found.fitted.embedder}: written to {file}", soft_wrap=True, markup=False)


def _values(judgement: Judged) -> list[int]:
    return list(asdict(judgement).values())
