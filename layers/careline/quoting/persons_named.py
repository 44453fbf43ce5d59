"""Keeps the rows of other people from who asks for one: a table of consultations has a row for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from careline.model import Table
from careline.passages.windows import PassageWindow
from careline.ports import Source
from careline.quoting.window_read import WindowRead
from careline.search.select_windows import cut
from careline.search.split_question import parts_of
from careline.text.asked_words import words_of
from careline.text.spelling.misspelt import is_one_slip

SHORTEST_SPELT = 5
"""Letters from which a name may be written with a slip."""


@dataclass(frozen=True, slots=True)
class AskedPersons:
    """What tells people in a question and in tables: the words that they are addressed with (`titles`), those within
    names that tell nobody (`small`), and whether the question asks for a doctor whom nobody knows."""

    titles: frozenset[str] = frozenset()
    small: frozenset[str] = frozenset()
    is_unknown: bool = False


@dataclass(frozen=True, slots=True)
class PersonGate:
    """Whom a question names of those whose rows were found: `called` are the words that it says, `named` the documents
    in which somebody is called so."""

    persons: AskedPersons
    called: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()

    @classmethod
    def of(cls, ranked: Sequence[WindowRead], asked: str, language: str, persons: AskedPersons) -> PersonGate:
        """What a question names in the tables that were read. Of several questions the last that names somebody counts:
        "and Dr Claes?" is of nobody who was named before."""
        sources = {one.source.number: one.source for one in ranked}.values()
        for part in reversed([part for one in asked.split("?") for part in parts_of(one, language)]):
            gate = cls(persons, frozenset(word.plain for word in words_of(part)))
            found = frozenset(one.hit.passage.document_id for one in sources if any(gate._rows_of_called(one)))
            if found:
                return replace(gate, named=found)
        return cls(persons)

    def lets_through(self, source: Source, window: PassageWindow) -> bool:
        """Whether a window is of nobody else than who is asked for."""
        if not (self.persons.is_unknown or self.named) or window.row is None:
            return True
        if self._is_of_called(source, window.row) or not self._names(source, window.row):
            return True
        return not self.persons.is_unknown and source.hit.passage.document_id not in self.named

    def led(self, ranked: Sequence[WindowRead]) -> list[WindowRead]:
        """The windows, best first, without those of other people; the rows of who is asked for stand where the best of
        these stood."""
        kept = [one for one in ranked if self.lets_through(one.source, one.window)]
        if not ranked or self.lets_through(ranked[0].source, ranked[0].window) or not self.named:
            return kept
        best = ranked[0]
        own = list(self._own(best))
        places = {(one.source.number, one.window.row) for one in own}
        return [*own, *(one for one in kept if (one.source.number, one.window.row) not in places)]

    def _own(self, best: WindowRead) -> Iterator[WindowRead]:
        """The rows of who is asked for in the table of the best window, as relevant as that."""
        for number, window in enumerate(cut(best.source.hit.passage.chunk, best.source.hit.passage.facts.language)):
            if window.row is not None and self._is_of_called(best.source, window.row):
                yield replace(best, window=window, read=replace(best.read, number=number, parts=()))

    def _rows_of_called(self, source: Source) -> Iterator[bool]:
        table = source.hit.passage.chunk.table
        yield from (self._is_of_called(source, row) for row in range(len(table.rows) if table is not None else 0))

    def _is_of_called(self, source: Source, row: int) -> bool:
        names = self._names(source, row)
        return any(
            said == name or (len(said) >= SHORTEST_SPELT and is_one_slip(said, name))
            for name in names
            for said in self.called
        )

    def _names(self, source: Source, row: int) -> frozenset[str]:
        """What the person is called whose row it is; nothing where it is of nobody."""
        table = source.hit.passage.chunk.table
        label = next(self._of_somebody(table, row), "") if table is not None else ""
        beside = self.persons.titles | self.persons.small
        return frozenset(word.plain for word in words_of(label) if len(word.plain) > 1 and word.plain not in beside)

    def _of_somebody(self, table: Table, row: int) -> Iterator[str]:
        """The labels of a row that name somebody: with a title, or under one."""
        for n, label in enumerate(table.rows[row].labels):
            above = table.stub[n] if n < len(table.stub) else ""
            if any(word.plain in self.persons.titles for text in (label, above) for word in words_of(text)):
                yield label
