"""Holds a figure of a table to its labels: it is told beside those of its own row and column, or not at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from careline.model import Table
from careline.ports import Source
from careline.safety.grounding.figures import Figure, figures, readable
from careline.search.caller_forms import without_forms
from careline.search.label_choice import is_missing
from careline.search.label_words import folded
from careline.search.said_row import about_of, is_said_row, said_row
from careline.search.table_answer import find, named_columns, named_rows
from careline.search.table_sentence import is_row_sentence
from careline.search.table_sight import CellPlace

_Named = Callable[[str, str, Table, str], Iterable[int]]
_MARK = re.compile(r"[ \t]?\[[0-9]{1,3}\]")


class TableLabels:
    """The table of one source, as an answer to a question may tell of it."""

    def __init__(self, source: Source, table: Table, question: str, language: str) -> None:
        self.number = source.number
        passage = source.hit.passage
        self._table = table
        self._place = CellPlace((passage.facts.title,), passage.chunk.heading_path)
        self._written_in = source.language
        self._question = question
        self._language = language
        self._about = about_of(table, passage.chunk.heading_path, source.language)

    def says(self, sentence: str) -> bool:
        """Whether a sentence is one of the table's rows, told with its labels."""
        said = self._without_forms(sentence)
        return is_row_sentence(self._table, said) or is_said_row(self._table, said, self._written_in, self._about)

    def _without_forms(self, sentence: str) -> str:
        """A sentence or item of a list without markers and what stands beside it for the caller."""
        said = _MARK.sub("", sentence).strip().removeprefix("- ")
        return without_forms(said, self._written_in, self._language)

    def holds(self, figure: Figure) -> bool:
        """Whether a cell of the table has the figure."""
        return any(True for _ in self._cells(figure))

    def names(self, figure: Figure, sentence: str) -> bool:
        """Whether a sentence, with the question it answers, names the row and the column of a cell with the figure.

        In a list ("East: € 1; West: € 2") the labels are those of the same item, where it names any.
        """
        items = [item for item in sentence.split(";") if figure in figures(readable(item), (self._language,))]
        return all(self._names(figure, sentence, item) for item in items or [sentence])

    def _names(self, figure: Figure, sentence: str, item: str) -> bool:
        is_row = self._named(named_rows, [row.labels for row in self._table.rows], sentence, item)
        is_column = self._named(named_columns, self._table.columns, sentence, item)
        return any(row in is_row and column in is_column for row, column in self._cells(figure))

    def _named(self, named: _Named, labels: Sequence[Sequence[str]], sentence: str, item: str) -> set[int]:
        """The rows or columns that an item of a sentence names, else the sentence, else the question."""
        # What the sentence does not name may be what was asked for; what it names, it means.
        for text in dict.fromkeys((item, sentence)):
            words = folded(text)
            standing = {n for n, path in enumerate(labels) if any(path) and self._stands(path, words)}
            if found := standing | set(named(text, self._language, self._table, self._written_in)):
                return found | self._unlabelled(labels)
        return set(named(self._question, self._language, self._table, self._written_in)) | self._unlabelled(labels)

    def _unlabelled(self, labels: Sequence[Sequence[str]]) -> set[int]:
        """Rows or columns without a label, which nobody can name."""
        return {n for n, path in enumerate(labels) if not any(path)}

    def labelled(self, wanted: Sequence[Figure]) -> str | None:
        """The rows that the question asks for, said with their labels, where they hold one of the figures wanted; None
        when the question asks for others, or the table does not tell."""
        found = find(self._question, self._language, self._table, self._written_in, self._place)
        if found is None or found.is_empty:
            return None
        asked = {(row, column) for row in found.rows for column in found.columns}
        if not any(cell in asked for figure in wanted for cell in self._cells(figure)):
            return None
        rows = (self._table.rows[row] for row in found.rows)
        about = self._about if len(found.rows) == 1 else ""
        return " ".join(said_row(self._table, row, found.columns, self._written_in, about) for row in rows)

    def _cells(self, figure: Figure) -> Iterator[tuple[int, int]]:
        for number, row in enumerate(self._table.rows):
            for column, value in enumerate(row.values):
                if not is_missing(value) and self._is_in(figure, value):
                    yield number, column

    def _is_in(self, figure: Figure, value: str) -> bool:
        languages = tuple(dict.fromkeys((self._written_in, self._language)))
        held = figures(readable(f"{value} "), languages, articles=True)
        return any(_same(figure, one) for one in held)

    def _stands(self, labels: Sequence[str], text: str) -> bool:
        return all(folded(label).strip(" :") in text for label in labels if label)


def _same(one: Figure, other: Figure) -> bool:
    if one.sort == "phone" or other.sort == "phone":
        return one.digits == other.digits
    if set(one.amounts) & set(other.amounts):
        return True
    return bool(set(one.numbers) & set(other.numbers)) and ("bare" in (one.sort, other.sort))
