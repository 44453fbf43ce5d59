"""`careline bench answers --without GROUPS`, `--only GROUPS` and `--limit NAME=VALUES`: what a group of an answer's
parts is worth, and what a limit would be at other values."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from careline_local.bench.hospital.ablation import GROUPS, Variant, changed
from careline_local.bench.hospital.figures import Part
from careline_local.bench.hospital.hospitals import asked, loaded
from careline_local.bench.hospital.outcomes import HospitalOutcome
from careline_local.bench.measures import machine
from careline_local.bench.worth import Worth, worth
from careline_local.cli import session as cli

COLUMNS = (
    "questions", "variant", "facts", "right document", "wrongly declined", "wrong figures", "admitted", "follow-ups",
    "beside", "characters", "wrong, not hedged", "right, hedged",
)  # fmt: skip


def listed() -> str:
    """The groups, each in a line."""
    return "\n".join(f"{name}: {group.does}; without: {group.without}" for name, group in GROUPS.items())


def run(session: cli.CommandSession, parts: dict[Part, list[Path]], chosen: Sequence[Variant], *, quiet: bool) -> None:
    """Ask everything once in each variant and print a line of each. Raises: BadRequest, SettingsInvalid."""
    measured = [line for part, those in parts.items() for line in _of_part(session, part, those, chosen, quiet)]
    if quiet:
        session.print_json({"machine": machine(), "ablation": [one.to_json() for one in measured]})
        return
    table = Table(*COLUMNS, title=machine(), title_justify="left")
    for one in measured:
        table.add_row(one.part, one.variant, *_cells(one))
    session.console.print(table)


def _of_part(
    session: cli.CommandSession, part: Part, those: Sequence[Path], chosen: Sequence[Variant], quiet: bool
) -> list[Worth]:
    outcomes: dict[str, list[HospitalOutcome]] = {one.name: [] for one in chosen}
    for folder in those:
        with loaded(folder, session.settings, quiet=quiet) as hospital:
            for one in chosen:
                with changed(one):
                    outcomes[one.name] += asked(hospital, hospital.settings, quiet=quiet)
    return [worth(part, name, found) for name, found in outcomes.items()]


def _cells(one: Worth) -> tuple[str, ...]:
    return (
        f"{one.facts}/{one.answerable}", str(one.right_document), str(one.declined), str(one.wrong_figures),
        f"{one.admitted}/{one.unanswerable}", f"{one.follow_ups}/{one.asked_on}", str(one.beside), str(one.characters),
        f"{one.unhedged}/{one.not_right}", str(one.hedged),
    )  # fmt: skip
