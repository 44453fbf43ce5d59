"""Prints what `careline bench safety` measured: what is promised, which class was taken for which, and tricks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from careline.engines.embedded.embedder import E5Embedder
from careline.packs.packs import load_packs
from careline.privacy.detect import Detector
from careline.safety.terminal import Terminal
from careline_local.bench import safety
from careline_local.bench.measures import Measure
from careline_local.bench.speed import safety_speed
from careline_local.cli import session as cli


@dataclass(frozen=True, slots=True)
class Screened:
    """What was measured of one part of the lines."""

    part: str
    languages: Sequence[safety.Measured]
    speeds: list[Measure]

    def to_json(self) -> dict[str, Any]:
        """The shares for programs."""
        return {"part": self.part, "languages": [one.to_json() for one in self.languages]}


def measure(session: cli.CommandSession, part: str) -> Screened:
    """Measure one part of the lines with the public pack."""
    embedder = E5Embedder()
    meaning = (
        (lambda text: embedder.sentence_embedding([text])[0])
        if session.settings.engines.semantic_classifiers == "embedded"
        else None
    )
    pack = load_packs(session.settings.packs)["hospital_line"]
    screens = safety.Screens(pack, Detector(), meaning or (lambda _: None))
    return Screened(part, safety.run(screens, part), [*safety_speed.run(screens, part), *safety_speed.start_up()])


def show(session: cli.CommandSession, screened: Screened) -> None:
    """Print what was measured. The open part comes with what went wrong."""
    measured = screened.languages
    session.console.print(promises(measured))
    for one in measured:
        session.console.print(confusion(one))
    session.console.print(tricks(measured))
    if screened.part == "open":
        for one in measured:
            for line in one.wrong:
                session.console.print(Text(f"{one.language} {line}"))


def promises(measured: Sequence[safety.Measured]) -> Table:
    """Every share by language with its counts and its 95 % interval; those below what is promised stand out."""
    table = Table("what", "promised", *(one.language for one in measured), title="Share, count and 95 % interval")
    for row in zip(*(one.shares for one in measured), strict=True):
        cells = []
        for share, promised in row:
            low, high = share.interval
            value = share.right / share.of if share.of else 1.0
            text = f"{value:.3f}  {share.right}/{share.of}  {low:.2f}-{high:.2f}"
            cells.append(Text(text, style="" if promised is None or value >= promised else "yellow"))
        table.add_row(row[0][0].name, "" if row[0][1] is None else f"{row[0][1]:.2f}", *cells)
    counts = [one.personal for one in measured]
    table.add_row("characters of personal data leaked", "", *(_part(one.leaked, one.characters) for one in counts))
    table.add_row("of characters masked, needlessly", "", *(_part(one.needless, one.masked) for one in counts))
    return table


def _part(some: int, of: int) -> str:
    """Without an interval: the characters of a span leak or do not leak together, which Wilson's does not allow for."""
    return f"{some / of if of else 0.0:.3f}  {some}/{of}"


def confusion(one: safety.Measured) -> Table:
    """Rows: what a line is; columns: what it was taken for."""
    classes = [each.value for each in Terminal]
    table = Table(f"{one.language}: is", *(each.split("_")[0].lower() for each in classes))
    for was in classes:
        table.add_row(was, *(str(one.confusion[was, got] or "·") for got in classes))
    return table


def tricks(measured: Sequence[safety.Measured]) -> Table:
    """Of each trick, how many lines came out right, by language."""
    table = Table("trick", *(one.language for one in measured))
    held = [{share.name: share for share in one.tricks} for one in measured]
    for name in sorted({name for each in held for name in each}):
        cells = [f"{each[name].right}/{each[name].of}" if name in each else "·" for each in held]
        table.add_row(name, *cells)
    return table
