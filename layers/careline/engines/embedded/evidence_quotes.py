"""Quotes what the reader found: sentences of the best window that answer, or the cells of a row, with their labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from careline.engines.embedded.table_quotes import TableQuote, table_quotes
from careline.model import ReadWindow, Table, TableRow
from careline.ports import PromptInput, Source
from careline.search.distinctions import is_of_another_case, names_of, words_of
from careline.search.label_days import days_of
from careline.search.passage_windows import PassageWindow, cells_of
from careline.search.quotable import Quotable
from careline.search.said_row import about_of, said_row
from careline.search.select_windows import cut
from careline.search.split_question import asks_twice

AS_GOOD = 3.0
"""How far below the best part of a window another part may lie to be said too, in logits."""
NEXT_BEST = 3.0
"""How far below the best window another may lie to be quoted in its place, where that one cannot be."""
BESIDE = 1.5
"""How far below the quoted window another of its document may lie to be quoted too: a fact often stands next to what
introduces it."""
WHOLE_ROW = 5
"""Values of a row that are told where the question does not choose among its columns."""


@dataclass(frozen=True, slots=True)
class EvidenceQuote:
    """What is quoted of one source, in its order. `relevance` is that of its window."""

    source: Source
    quotables: tuple[Quotable, ...]
    relevance: float

    def says_what(self, other: EvidenceQuote) -> bool:
        """Whether another quote says the same already."""
        return set(self.quotables) <= set(other.quotables)


@dataclass(frozen=True, slots=True)
class _Read:
    source: Source
    window: PassageWindow
    read: ReadWindow


def evidence_quotes(prompt_input: PromptInput, most: int, characters: int) -> list[EvidenceQuote]:
    """What answers each question that was asked, the best of what was read that can be said; empty where nothing can.

    Of one window `most` sentences are said at most, and `characters` in all but for the first quote.
    """
    ranked = sorted(_windows(prompt_input.sources), key=lambda one: -one.read.relevance)
    tables = _Tables(prompt_input)
    found: list[EvidenceQuote] = []
    for number in sorted({one.read.question for one in ranked}):
        own = [one for one in ranked if one.read.question == number]
        for quote in _of_question(own, prompt_input, tables, most):
            length = sum(len(one.text(prompt_input.voice)) for each in (*found, quote) for one in each.quotables)
            if not found or (length <= characters and not any(quote.says_what(other) for other in found)):
                found.append(quote)
    return found


def _of_question(
    ranked: Sequence[_Read], prompt_input: PromptInput, tables: _Tables, most: int
) -> Iterator[EvidenceQuote]:
    """The best window that can be said, if it is nearly as good as the best of all, and one beside it."""
    wanted = _Wanted(prompt_input)
    first: EvidenceQuote | None = None
    for one in ranked:
        if first is None and one.read.relevance < ranked[0].read.relevance - NEXT_BEST:
            return
        if first is not None and not _is_beside(one, first):
            continue
        quote = _of_prose(one, wanted, most) if one.window.row is None else _of_table(one, wanted, tables.quotes())
        if quote is not None:
            yield quote
            if first is not None:
                return
            first = quote


def _is_beside(one: _Read, first: EvidenceQuote) -> bool:
    same = one.source.hit.passage.document_id == first.source.hit.passage.document_id
    return same and one.read.relevance >= first.relevance - BESIDE


class _Wanted:
    """The case that the question asks about: a campus, a day, who it is for."""

    def __init__(self, prompt_input: PromptInput) -> None:
        self._question, self._language = prompt_input.asked, prompt_input.language
        titles = {one.hit.passage.document_id: one.title for one in prompt_input.sources}
        texts = [one.hit.passage.chunk.text for one in prompt_input.sources]
        names = names_of(titles.values(), (*titles.values(), *texts))
        self._titles = {name: words_of(title) & names for name, title in titles.items()}
        self._words = words_of(self._question)
        self.is_double = asks_twice(self._question, self._language)
        """Whether two things are asked, of which one row may tell both."""

    def is_other(self, source: Source, texts: Sequence[str], *, numbers: bool = False, in_prose: bool = False) -> bool:
        """Whether texts of a source are of another case. People tell of `numbers` that are not what they ask about."""
        passage = source.hit.passage
        about = passage.facts.title, *passage.chunk.heading_path
        asked = self._question, self._language
        if is_of_another_case(*asked, texts, about, source.language, numbers=numbers, in_prose=in_prose):
            return True
        own = source.hit.passage.document_id
        elsewhere = frozenset().union(*(words for name, words in self._titles.items() if name != own))
        return bool(self._words & (elsewhere - self._titles[own]) - words_of(" ".join((*about, *texts))))


class _Tables:
    """What the words of the question choose of the tables; looked for once, when first needed."""

    def __init__(self, prompt_input: PromptInput) -> None:
        self._prompt_input = prompt_input
        self._quotes: Sequence[TableQuote] | None = None

    def quotes(self) -> Sequence[TableQuote]:
        if self._quotes is None:
            self._quotes = table_quotes(self._prompt_input)[0]
        return self._quotes


def _windows(sources: Sequence[Source]) -> Iterator[_Read]:
    for source in sources:
        windows = cut(source.hit.passage.chunk, source.hit.passage.facts.language)
        for read in source.read:
            if read.number < len(windows):
                yield _Read(source, windows[read.number], read)


def _of_prose(one: _Read, wanted: _Wanted, most: int) -> EvidenceQuote | None:
    """The parts of a window that answer, at most `most`. A part with a figure is of the case that is asked about."""
    parts = one.read.parts or (0.0,) * len(one.window.quotables)
    best = max(parts)
    near = [n for n in sorted(range(len(parts)), key=lambda n: -parts[n]) if parts[n] >= best - AS_GOOD][:most]
    chosen = tuple(one.window.quotables[n] for n in sorted(near) if not one.window.quotables[n].is_orphan)
    said = " ".join(quotable.text(False) for quotable in chosen)
    if not chosen or (any(map(str.isdigit, said)) and wanted.is_other(one.source, (said,), in_prose=True)):
        return None
    return EvidenceQuote(one.source, chosen, one.read.relevance)


def _of_table(one: _Read, wanted: _Wanted, tables: Sequence[TableQuote]) -> EvidenceQuote | None:
    """The cells that the words of the question choose; where they choose none, the row that was read, if it
    is not of another case."""
    table = one.source.hit.passage.chunk.table
    assert table is not None
    assert one.window.row is not None
    row = table.rows[one.window.row]
    columns = _columns(table, one.window.row, one.read.parts)
    chosen = next((quote for quote in tables if row in quote.rows), None)
    if chosen is not None:
        if not wanted.is_double or len(chosen.rows) > 1 or len(columns) > WHOLE_ROW:
            return EvidenceQuote(chosen.source, (chosen.quotable,), one.read.relevance)
        # What else is asked for stands in the same row; other days than those that were chosen do not answer it.
        columns = [n for n in columns if n in chosen.found.columns or not _tells_days(table, n, one.source.language)]
    elif wanted.is_other(
        one.source, (*_labels(table, row), *row.values), numbers=any(map(str.isdigit, "".join(row.labels)))
    ):
        return None
    language = one.source.language
    about = about_of(table, one.source.hit.passage.chunk.heading_path, language)
    said = said_row(table, row, columns, language, about)
    return EvidenceQuote(one.source, (Quotable(one.window.heading, said),), one.read.relevance)


def _tells_days(table: Table, column: int, language: str) -> bool:
    return any(days_of(label, language) for label in table.columns[column])


def _labels(table: Table, row: TableRow) -> tuple[str, ...]:
    return table.caption, *row.labels, *table.stub, *(label for path in table.columns for label in path)


def _columns(table: Table, row: int, parts: Sequence[float]) -> list[int]:
    """The columns that are told: all of a short row, else those that were read to answer."""
    cells = [column for column, _ in cells_of(table, row)]
    if len(cells) <= WHOLE_ROW or len(parts) != len(cells):
        return cells
    best = max(parts)
    return [column for column, part in zip(cells, parts, strict=True) if part >= best - AS_GOOD]
