"""Says cells of a table as a person would, and recognises what is said.

What a reader of passages reads is `row_sentence.row_sentence`; this is what callers read and hear. Every label of
row and column is said, or the words that `row_wording.yaml` has for it; no figure is changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from careline.model import Table, TableRow
from careline.tables.row_sentence import ended, is_missing, notes_of, row_labels, row_sentence
from careline.tables.row_wording import RowWording, row_wording
from careline.text.label_words import folded
from careline.text.note_signs import signs_of

LONGEST_ABOUT = 70
"""Characters of a caption or heading that is said before a row."""


def said_row(table: Table, row: TableRow, columns: Sequence[int], language: str, about: str = "") -> str:
    """Cells of one row as a person would say them: "Parking East, visitors: the first hour costs € 1.50."

    `columns` are numbers of value columns, those without a value are left out; `language` is the table's, `about` what
    it tells of (`about_of`). In a language without wording it is `row_sentence`.
    """
    wording = row_wording(language)
    if wording is None:
        return row_sentence(table, row, columns)
    there = [column for column in columns if not is_missing(row.values[column])]
    return _Row(table, row, wording, about).said(there)


def is_said_row(table: Table, sentence: str, language: str, about: str = "") -> bool:
    """Whether a sentence is what `said_row` says of a row and some of its columns, with or without `about`."""
    wording = row_wording(language)
    if wording is None:
        return False
    for row in table.rows:
        for before in dict.fromkeys((about, "")):
            whole = _Row(table, row, wording, before)
            if any(whole.said(columns) == sentence for columns in whole.candidates(sentence)):
                return True
    return False


def about_of(table: Table, headings: Sequence[str], language: str) -> str:
    """What a table tells of: its caption without its number, else the innermost heading that says something; "" where
    none does. `headings` are outermost first."""
    wording = row_wording(language)
    if wording is None:
        return ""
    for text in (table.caption, *reversed(headings)):
        words = signs_of(text)[0].strip(" .:").split()
        if words and folded(words[0]).strip(".") in wording.table:
            words = words[2:] if len(words) > 1 and words[1].strip(".:-–").isalnum() else words[1:]
        said = " ".join(words).lstrip("-–:. ")
        is_name = said and len(said) <= LONGEST_ABOUT and not any(mark in said for mark in "?!:;|\n[]“”")
        if is_name and ". " not in said and wording.says_something(said):
            return said
    return ""


@dataclass(frozen=True, slots=True)
class _Part:
    """One cell among others: its words beside its label, its words as a clause where there are any, and the signs of
    notes."""

    plain: str
    clause: str | None
    is_named: bool
    signs: tuple[str, ...]

    def text(self, clauses: bool) -> str:
        """The words of the cell, in a row whose cells are all said as clauses or all beside their labels."""
        return self.clause if clauses and self.clause is not None else self.plain


class _Row:
    """One row of a table, as it may be said. Everything is worked out when first needed."""

    def __init__(self, table: Table, row: TableRow, wording: RowWording, about: str) -> None:
        self._table, self._row, self._wording = table, row, wording
        self._labels, self._signs = row_labels(table, row)
        self._label = ", ".join(self._labels)
        self._about = about

    def said(self, columns: Sequence[int]) -> str:
        """The cells of some columns, all of which have a value."""
        if len(columns) == 1:
            return self._alone(columns[0])
        parts = [self._part(column) for column in columns]
        # One manner for the whole row: clauses among plain values read badly.
        clauses = bool(parts) and all(part.clause is not None for part in parts)
        told = "; ".join(part.text(clauses) for part in parts)
        joint = _joint(self._label, clauses, any(part.is_named for part in parts))
        said = f"{self._label}{joint}{told}" if self._label else _capital(told) if clauses else told
        return self._finished(said, [sign for part in parts for sign in part.signs])

    def candidates(self, sentence: str) -> Iterator[Sequence[int]]:
        """Columns that a sentence may tell; those that it does tell are among them."""
        held = [n for n, value in enumerate(self._row.values) if not is_missing(value) and _core(value) in sentence]
        for column in held:
            yield [column]
        if len(held) > 1:
            yield from self._runs(held, sentence)

    def _alone(self, column: int) -> str:
        """The only cell that is told: its labels are the subject, but for the one that has words of its own."""
        path, signs = self._path(column)
        value, mark = signs_of(self._row.values[column])
        for at in (len(self._labels) + len(path) - 1, len(self._labels) - 1):
            labels = [*self._labels, *path]
            if not 0 <= at < len(labels):
                continue
            label = labels.pop(at)
            clause = self._clause(label, value, labels, is_column=at >= len(self._labels))
            if clause is not None:
                subject = ", ".join(labels)
                said = f"{subject}{_joint(subject, True, True)}{clause}" if subject else clause
                return self._finished(said if subject or self._about else _capital(said), [*signs, mark])
        hours = self._hours(column, value)
        subject = ", ".join([*self._labels, *path])
        if hours != value and subject and not hours.startswith(value[:1]):
            return self._finished(f"{subject}{_joint(subject, True, True)}{hours}", [*signs, mark])
        part = self._part(column)
        joint = _joint(self._label, False, part.is_named)
        return self._finished(f"{self._label}{joint}{part.plain}" if self._label else part.plain, part.signs)

    def _part(self, column: int) -> _Part:
        path, signs = self._path(column)
        value, mark = signs_of(self._row.values[column])
        name = ", ".join(path)
        clause = self._clause(name, value, self._labels, is_column=True) if len(path) == 1 else None
        hours = self._hours(column, value)
        plain = f"{name.rstrip(':')}: {hours}" if name else hours
        return _Part(plain, clause, bool(path), tuple(sign for sign in (*signs, mark) if sign))

    def _clause(self, label: str, value: str, others: Sequence[str], *, is_column: bool) -> str | None:
        """The value as a clause in place of its label; None where another column or row would be called the same."""
        clause = self._wording.clause(label, value, [*others, self._about])
        if clause is None:
            return None
        paths = self._table.columns if is_column else [row.labels for row in self._table.rows]
        return None if any(self._wording.same(label, signs_of(path[-1])[0]) for path in paths if path) else clause

    def _hours(self, column: int, value: str) -> str:
        certain = self._wording.tells_hours((*self._labels, *self._table.columns[column], self._table.caption))
        return self._wording.hours(value, certain=certain)

    def _path(self, column: int) -> tuple[list[str], list[str]]:
        """The labels of a column, each once, and the signs of notes behind them."""
        names = [signs_of(name) for name in self._table.columns[column]]
        is_only = len(self._table.columns) == 1 and bool(self._labels)
        named = [text for text, _ in names if text and not (is_only and not self._wording.says_something(text))]
        return list(dict.fromkeys(named)), [mark for _, mark in names if mark]

    def _finished(self, said: str, signs: Sequence[str]) -> str:
        """The sentence with what the table tells of before it, and the notes and a stop behind it."""
        marks = [*self._signs, *(sign for sign in signs if sign)]
        return ended(f"{self._before()}{said}{notes_of(self._table, marks)}")

    def _before(self) -> str:
        """What the table tells of, where no label says so already. A row that is called by a figure ("40 to 59") says
        of nothing what it is: beside one the name of a column does not stand for the whole ("dose")."""
        about = folded(self._about)
        labels, columns = map(folded, self._labels), (folded(each) for path in self._table.columns for each in path)
        is_figure = any(any(map(str.isdecimal, label)) for label in self._labels)
        if not about or any(name and (name in about or about in name) for name in labels):
            return ""
        if any(name and (about in name or (name in about and not is_figure)) for name in columns):
            return ""
        return f"{self._about}, " if any(self._labels) else f"{self._about}: "

    def _runs(self, held: Sequence[int], sentence: str) -> Iterator[Sequence[int]]:
        """Columns whose parts, in their order, fill a sentence from some beginning on.

        Each place of the sentence is kept once for each set of signs, so that the work grows with the sentence.
        """
        parts = {column: self._part(column) for column in held}
        starts = {len(f"{self._before()}{self._label}{joint}") for joint in ((": ", " – ") if self._label else ("",))}
        for clauses in (True, False):
            found: dict[tuple[int, bool, frozenset[str]], tuple[int, ...]] = {
                (start, False, frozenset()): () for start in starts
            }
            for column, part in parts.items():
                text = part.text(clauses)
                for (at, named, signs), told in list(found.items()):
                    ways = (f"; {text}",) if told else (text, _capital(text))
                    end = next((at + len(way) for way in ways if sentence.startswith(way, at)), None)
                    if end is not None:
                        found.setdefault((end, named or part.is_named, signs | set(part.signs)), (*told, column))
            yield from (told for told in found.values() if len(told) > 1)


def _joint(label: str, is_clause: bool, is_named: bool) -> str:
    """What stands between the labels of a row and what is told of it."""
    return " – " if ":" in label or (is_named and not is_clause) else ": "


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _core(value: str) -> str:
    """The longest run of digits of a value, or of letters, which is said as it is written."""
    # The sign of a note is a digit to `isdigit`, and is said behind the row.
    runs = "".join(c if c.isdecimal() else " " for c in value).split()
    return max(runs or "".join(c if c.isalpha() else " " for c in value).split() or [""], key=len)
