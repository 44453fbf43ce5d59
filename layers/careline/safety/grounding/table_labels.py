"""Holds a figure of a table to its labels: it is told beside those of its own row and column, or not at all.

A label is told when its words are: in the table's language as they are written, up to their endings; in another
language as they are written, or by what they mean in a hospital. Nothing is guessed from what was asked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from careline.model import Table
from careline.ports import Source
from careline.safety.grounding.text_words import TextWords
from careline.tables.caller_forms import without_forms
from careline.tables.row_sentence import is_missing, is_row_sentence
from careline.tables.said_row import about_of, is_said_row, said_row
from careline.text.figures import Figure, figures, is_same, readable
from careline.text.label_words import LabelWord, folded, label_words
from careline.text.note_signs import signs_of

_MARK = re.compile(r"[ \t]?\[[0-9]{1,3}\]")
_BRACKETED = re.compile(r"\([^()]*\)")
"""What a label has in brackets is a unit or an explanation, which need not be repeated."""


class TableLabels:
    """The table of one source, as an answer to a question may tell of it."""

    def __init__(self, source: Source, table: Table, question: str, language: str) -> None:
        self.number = source.number
        self._table = table
        self._written_in = source.language
        self._question = question
        self._language = language
        self._about = about_of(table, source.hit.passage.chunk.heading_path, source.language)

    def says(self, sentence: str) -> bool:
        """Whether a sentence is one of the table's rows, told with its labels."""
        said = self._without_forms(sentence)
        return is_row_sentence(self._table, said) or is_said_row(self._table, said, self._written_in, self._about)

    def holds(self, figure: Figure) -> bool:
        """Whether a cell of the table has the figure."""
        return any(True for _ in self._cells(figure))

    def names(self, figure: Figure, sentence: str) -> bool:
        """Whether a sentence names the row and the column of a cell with the figure.

        In a list ("East: € 1; West: € 2") the labels are those of the same item, where it names any. What the sentence
        does not name may be what was asked for; what it names, it means. A row or column that is the only one, or that
        has no label, need not be named, nor does a row where all of the column have the figure.
        """
        items = [item for item in sentence.split(";") if figure in figures(readable(item), (self._language,))]
        return all(self._names(figure, sentence, item) for item in items or [sentence])

    def labelled(self, wanted: Sequence[Figure], sentence: str) -> str | None:
        """The cells that the figures of a sentence stand in, said with their labels; None where they stand in several
        rows or in none, or where the sentence, else the question, names another row or column."""
        cells = {cell for figure in wanted for cell in self._cells(figure)}
        rows, columns = {row for row, _ in cells}, {column for _, column in cells}
        if len(rows) != 1:
            return None
        texts = [TextWords(text, self._language) for text in (sentence, self._question)]
        is_row, is_column = self._row_labels.first_told(texts), self._column_labels.first_told(texts)
        if (is_row and rows.isdisjoint(is_row)) or (is_column and columns.isdisjoint(is_column)):
            return None
        told = sorted(columns & is_column or columns)
        return said_row(self._table, self._table.rows[rows.pop()], told, self._written_in, self._about)

    def _without_forms(self, sentence: str) -> str:
        """A sentence or item of a list without markers and what stands beside it for the caller."""
        said = _MARK.sub("", sentence).strip().removeprefix("- ")
        return without_forms(said, self._written_in, self._language)

    def _names(self, figure: Figure, sentence: str, item: str) -> bool:
        texts = [TextWords(text, self._language, figure) for text in dict.fromkeys((item, sentence))]
        texts.append(TextWords(self._question, self._language))
        is_row, is_column = self._row_labels.named(texts), self._column_labels.named(texts)
        cells = set(self._cells(figure))
        everywhere = {column for _, column in cells if self._is_whole and self._all_have(column, cells)}
        return any(column in is_column and (row in is_row or column in everywhere) for row, column in cells)

    @property
    def _is_whole(self) -> bool:
        """Whether this is all of a table, and no piece of a longer one."""
        return self._table.total <= len(self._table.rows)

    def _all_have(self, column: int, cells: set[tuple[int, int]]) -> bool:
        rows = (n for n, row in enumerate(self._table.rows) if not is_missing(row.values[column]))
        return all((row, column) in cells for row in rows)

    @cached_property
    def _row_labels(self) -> _Labels:
        paths = [row.labels for row in self._table.rows]
        return _Labels(paths, self._written_in, is_only=len(paths) == 1 and self._is_whole)

    @cached_property
    def _column_labels(self) -> _Labels:
        return _Labels(self._table.columns, self._written_in, is_only=len(self._table.columns) == 1)

    def _cells(self, figure: Figure) -> Iterator[tuple[int, int]]:
        for number, row in enumerate(self._table.rows):
            for column, value in enumerate(row.values):
                if not is_missing(value) and self._is_in(figure, value):
                    yield number, column

    def _is_in(self, figure: Figure, value: str) -> bool:
        languages = tuple(dict.fromkeys((self._written_in, self._language)))
        held = figures(readable(f"{value} "), languages, articles=True)
        return any(is_same(figure, one) for one in held)


class _Labels:
    """The labels of the rows, or of the columns, of one table, and the words by which each is told."""

    def __init__(self, paths: Sequence[Sequence[str]], written_in: str, *, is_only: bool) -> None:
        self._written_in = written_in
        self._words = _telling(paths, written_in)
        # Nobody can name what has no label.
        self._unnamed = frozenset(
            range(len(paths)) if is_only else (n for n, path in enumerate(paths) if not any(path))
        )

    def named(self, texts: Sequence[TextWords]) -> frozenset[int]:
        """Those that the first text names which names any, and those that need not be named."""
        return self.first_told(texts) | self._unnamed

    def first_told(self, texts: Sequence[TextWords]) -> frozenset[int]:
        """Those that the first text names which names any."""
        return next((found for text in texts if (found := self._told(text))), frozenset())

    def _told(self, text: TextWords) -> frozenset[int]:
        """Those of which a text says every word, but for those of which another one that it names has more words."""
        found = {
            n: words
            for n, words in enumerate(self._words)
            if words and all(text.say(word, self._written_in) for word in words)
        }
        forms = {n: {(word.text, word.is_denied) for word in words} for n, words in found.items()}
        return frozenset(n for n in found if not any(forms[n] < other for other in forms.values()))


def _telling(paths: Sequence[Sequence[str]], language: str) -> list[tuple[LabelWord, ...]]:
    """The words by which each path of labels is told: those of its innermost label where no other path has that label,
    else those of all its labels; without what stands in brackets, words that say nothing, and words that all have."""
    last = Counter(folded(path[-1]) if path else "" for path in paths)
    whole = [" ".join(path if path and last[folded(path[-1])] > 1 else path[-1:]) for path in paths]
    all_words = [label_words(signs_of(_BRACKETED.sub(" ", text))[0], language) for text in whole]
    found = [tuple(word for word in words if not word.is_talk) for words in all_words]
    shared = set.intersection(*({word.text for word in words} for words in found)) if len(paths) > 1 else set()
    found = [tuple(word for word in words if word.text not in shared) for words in found]
    alike = Counter(frozenset((word.text, word.is_denied) for word in words) for words in found)
    return [
        words if words and alike[frozenset((word.text, word.is_denied) for word in words)] == 1 else whole_words
        for words, whole_words in zip(found, all_words, strict=True)
    ]
