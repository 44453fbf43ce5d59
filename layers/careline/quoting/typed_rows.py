"""Puts the row whose label holds the typed value of a question before the others of its table: the ages that hold seven
years, the stay that holds three hours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from careline.model import ReadWindow, Table
from careline.passages.windows import PassageWindow
from careline.quoting.told_dose import DoseGate
from careline.quoting.window_read import WindowRead
from careline.search.select_windows import cut
from careline.text.values import fits, values


def typed_row_first(ranked: Sequence[WindowRead], question: str, language: str, *, voice: bool) -> list[WindowRead]:
    """The windows, best first; where the best is a row of a table that does not hold the question's value and one other
    row does, that row leads. Aloud nothing else of the table is told: its other rows hold other values."""
    if not ranked or ranked[0].window.row is None:
        return list(ranked)
    best = ranked[0]
    table = best.source.hit.passage.chunk.table
    assert table is not None
    chosen = _row(table, best, question, language)
    led = None if chosen is None else _window(best, chosen, ranked)
    if led is None:
        return list(ranked)
    place = led.source.number, led.window.row
    beside = (one for one in ranked if (one.source.number, one.window.row) != place)
    return [led, *(one for one in beside if not voice or one.source is not led.source or one.window.row is None)]


def dose_row_first(ranked: Sequence[WindowRead], gate: DoseGate) -> list[WindowRead]:
    """The windows, best first; where some rows of a table that was read, and not all, are under the age or the kidneys
    that a dose is asked for, they lead, whatever was read, and nothing else of their document is told."""
    numbers = dict.fromkeys(one.source.number for one in ranked)
    for best in (next(one for one in ranked if one.source.number == number) for number in numbers):
        windows = cut(best.source.hit.passage.chunk, best.source.hit.passage.facts.language)
        rows = [one.row for one in windows if one.row is not None and gate.is_under_condition(best.source, one.row)]
        told = [row for row in rows if gate.lets_through(best.source, _of_row(windows, row))]
        if not told or len(told) == sum(one.row is not None for one in windows):
            continue
        led = [_window(replace(ranked[0], source=best.source), row, ranked) for row in told]
        leading = [one for one in led if one is not None]
        if leading:
            return [*leading, *(one for one in ranked if one.document != leading[0].document)]
    return list(ranked)


def _of_row(windows: Sequence[PassageWindow], row: int) -> PassageWindow:
    return next(one for one in windows if one.row == row)


def _row(table: Table, best: WindowRead, question: str, language: str) -> int | None:
    """The other row that holds what is asked for; None where the best one does, or not exactly one other."""
    languages = tuple(dict.fromkeys((best.source.language, language)))
    asked = values(question, languages)
    if not asked or best.window.row is None:
        return None
    labels = [values(" ".join(row.labels), languages) for row in table.rows]
    if fits(asked, labels[best.window.row]) is not False:
        return None
    held = [n for n, label in enumerate(labels) if fits(asked, label)]
    return held[0] if len(held) == 1 else None


def _window(best: WindowRead, row: int, ranked: Sequence[WindowRead]) -> WindowRead | None:
    """The window of another row of the same table, as relevant as the best; None where it has none."""
    passage = best.source.hit.passage
    for one in ranked:
        if one.source is best.source and one.window.row == row:
            return replace(one, read=replace(one.read, relevance=best.read.relevance, confidence=best.read.confidence))
    windows = cut(passage.chunk, passage.facts.language)
    at = next((n for n, window in enumerate(windows) if window.row == row), None)
    if at is None:
        return None
    read = ReadWindow(at, best.read.relevance, question=best.read.question, confidence=best.read.confidence)
    return WindowRead(best.source, windows[at], read)
