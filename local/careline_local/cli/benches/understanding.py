"""`careline bench understand`: labelled turns, by language; `careline bench directory`: what workbooks answer;
`careline bench calls`: whole conversations, turn by turn."""

from __future__ import annotations

import asyncio

from rich.table import Table
from rich.text import Text

from careline_local.bench.measures import Share, machine
from careline_local.bench.understanding import calls, directories, turns
from careline_local.cli import session as cli

COLUMNS = ("call", "caller", "read as", "decided by", "ms", "cited", "answer")


def run(session: cli.CommandSession, part: str, as_json: bool) -> None:
    """Measure one half of the turns, and print it. The open half comes with what went wrong."""
    outcomes = asyncio.run(turns.run(part))
    shares, speed = turns.shares(outcomes), turns.speed(outcomes)
    if as_json:
        figures = [*(one.to_json() for one in shares), speed.to_json()]
        session.print_json({"machine": machine(), "part": part, "figures": figures})
        return
    session.console.print(_table(shares))
    session.console.print(f"{speed.name}: p50 {speed.p50:.1f} ms, p95 {speed.p95:.1f} ms, {speed.samples} turns")
    for line in turns.wrong(outcomes):
        session.console.print(Text(line))


def run_directories(session: cli.CommandSession, part: str, as_json: bool) -> None:
    """Ask everyday questions of hospitals that are a workbook alone, and print what was told."""
    found = {folder.name: asyncio.run(directories.run(folder, part)) for folder in directories.folders()}
    shares = [share for name, told in found.items() for share in directories.shares(name, told)]
    if as_json:
        session.print_json({"machine": machine(), "part": part, "figures": [one.to_json() for one in shares]})
        return
    session.console.print(_table(shares, "questions of hospitals that are a workbook"))
    for told in found.values():
        for line in directories.not_right(told):
            session.console.print(Text(line))


def run_calls(session: cli.CommandSession, as_json: bool) -> None:
    """Hold the calls of the demo hospital and of the two workbooks, and print each turn as it went."""
    told = list(calls.rows(asyncio.run(calls.run())))
    if as_json:
        session.print_json({"machine": machine(), "turns": [dict(zip(COLUMNS, one, strict=True)) for one in told]})
        return
    table = Table(*COLUMNS, title=machine(), title_justify="left")
    for one in told:
        table.add_row(*map(Text, one))
    session.console.print(table)


def _table(shares: list[Share], title: str = "turns of the demo hospital") -> Table:
    table = Table(title, "right", "of", "share", "95 %")
    for one in shares:
        low, high = one.interval
        part = one.right / one.of if one.of else 0.0
        table.add_row(one.name, str(one.right), str(one.of), f"{part:.3f}", f"{low:.2f} to {high:.2f}")
    return table
