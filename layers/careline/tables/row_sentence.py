"""Says cells of a table with the labels of their row and column, and the notes that their signs stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from careline.model import Table, TableRow
from careline.text.note_signs import each_sign, signs_of

MISSING = frozenset(("", "-", "–", "—", "/", "x", "n/a", "n.a.", "nvt", "n.v.t.", "s.o.", "n.d.", "?", "..."))
"""What a cell says that has no value."""
_GENERIC = frozenset(("", "nr", "nr.", "no", "n°", "#"))


def is_missing(value: str) -> bool:
    """Whether a cell says nothing, the signs of notes apart."""
    return signs_of(value.strip())[0].casefold() in MISSING


def row_sentence(table: Table, row: TableRow, columns: Sequence[int]) -> str:
    """One row as a sentence: "Campus Dok – first hour: € 1.20; day: € 8 (without a referral)." Empty cells are
    left out.

    `columns` are numbers of value columns. A label in figures is told with the name of its column ("Age: 6").
    """
    parts: list[str] = []
    signs: list[str] = []
    for column in columns:
        value, marks = signs_of(row.values[column])
        if is_missing(value):
            continue
        names = [signs_of(name) for name in table.columns[column]]
        signs += [mark for _, mark in (*names, (value, marks)) if mark]
        name = ", ".join(dict.fromkeys(text for text, _ in names if text))
        parts.append(f"{name.rstrip(':')}: {value}" if name else value)
    labels, marks_of_labels = row_labels(table, row)
    signs += marks_of_labels
    label = ", ".join(labels)
    said = f"{label}{_joint(table, columns, label)}{'; '.join(parts)}" if label else "; ".join(parts)
    return ended(said + notes_of(table, signs))


def notes_of(table: Table, signs: Iterable[str]) -> str:
    """What the signs of labels and values stand for, in brackets; empty where they stand for nothing."""
    wanted = {each for mark in signs for each in each_sign(mark)}
    notes = [said for sign, said in table.notes if sign in wanted]
    return f" ({'; '.join(note.rstrip('. ') for note in notes)})" if notes else ""


def ended(said: str) -> str:
    """A sentence with a stop at its end."""
    return said if said.endswith((".", "!", "?")) else f"{said}."


def is_row_sentence(table: Table, sentence: str) -> bool:
    """Whether a sentence is what `row_sentence` says of a row and some of its columns."""
    said = sentence.strip()
    for row in table.rows:
        columns = [n for n, value in enumerate(row.values) if not is_missing(value) and signs_of(value)[0] in said]
        if columns and any(row_sentence(table, row, some) == said for some in _choices(table, columns, said)):
            return True
    return False


def _choices(table: Table, columns: Sequence[int], said: str) -> Iterator[Sequence[int]]:
    """The columns whose values a sentence has; and of these those whose names it has too, or one alone."""
    yield columns
    yield [n for n in columns if all(signs_of(name)[0] in said for name in table.columns[n])]
    yield from ([n] for n in columns)


def row_labels(table: Table, row: TableRow) -> tuple[list[str], list[str]]:
    """The labels of a row, outermost first, a figure with the name of its column ("Age: 6"); and the signs of notes
    behind them."""
    found: list[str] = []
    signs: list[str] = []
    own = len(row.labels) - len(table.stub) if len(row.labels) > len(table.stub) else 0
    for n, label in enumerate(row.labels):
        text, mark = signs_of(label)
        signs += [mark] if mark else []
        name = table.stub[n - own] if 0 <= n - own < len(table.stub) else ""
        is_figure = not any(map(str.isalpha, text))
        named = is_figure and name.casefold() not in _GENERIC
        found.append(f"{signs_of(name)[0].rstrip(':')}: {text}" if named else text.rstrip(":"))
    return list(filter(None, found)), signs


def _joint(table: Table, columns: Sequence[int], label: str) -> str:
    """A dash before named values, a colon before a value that the row's label alone names."""
    return " – " if any(any(table.columns[column]) for column in columns) or ":" in label else ": "
