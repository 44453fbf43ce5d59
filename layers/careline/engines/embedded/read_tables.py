"""Quotes cells of the tables among the sources: those that the question names, else the row that was read to answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from careline.engines.embedded.asked_case import AskedCase
from careline.engines.embedded.new_words import lacks_what_is_new
from careline.engines.embedded.prose_quotes import (
    AMOUNT,
    AS_GOOD,
    TOLD_BY_FORM,
    EvidenceQuote,
    WindowRead,
    windows_read,
)
from careline.engines.embedded.row_cells import (
    IN_A_CELL,
    both_columns,
    columns_told,
    is_empty,
    is_numbered,
    labels_of,
    tells_kind,
)
from careline.engines.embedded.table_quotes import TableQuote, TableQuotes, quote_of, table_quotes
from careline.model import TableRow
from careline.ports import PromptInput
from careline.search.answer_kind import answer_kinds
from careline.search.asked_bound import is_beyond, is_outside
from careline.search.asked_cells import AskedCells, WholeTable
from careline.search.asked_length import is_for_another_length
from careline.search.distinctions import words_of
from careline.search.label_choice import is_missing
from careline.search.label_ranges import UNITS_OF_TIME, ranges
from careline.search.label_words import LabelWord, asked_kinds, label_words, question_words, same
from careline.search.named_labels import NamedLabels, content_words
from careline.search.quotable import Quotable
from careline.search.said_row import about_of, said_row
from careline.search.table_answer import MOST_ROWS, NamedPart, named_part
from careline.search.with_or_without import PREPOSITIONS

FOR_SURE = 4.0
"""How far above the other rows of its table one must lie to be told though words choose another, in logits."""
FEWEST_WORDS = 2
"""Words of the question that a table's labels account for which is told though another one was read."""
MOST_NAMED = 2
"""Rows that are told in the place of one that was read, where the question names these."""


class Tables:
    """The tables among the sources and what the words of the question choose of them; looked at when first needed."""

    def __init__(self, prompt_input: PromptInput) -> None:
        self._prompt_input = prompt_input
        self._quotes: TableQuotes | None = None
        self._named: NamedLabels | None = None
        self._is_passed_over = False
        words = question_words(prompt_input.asked, prompt_input.language)
        self._names_number = any(word.number not in (None, 1) for word in words)
        self._kinds = answer_kinds(prompt_input.asked) & IN_A_CELL

    def instead(self) -> EvidenceQuote | None:
        """The cells that the question chooses in any table, where only rows of other things were read."""
        if self._quotes is None or not self._is_passed_over or self._quotes.asked.empty:
            return None
        return self._best_chosen()

    def named(self) -> EvidenceQuote | None:
        """The cells that hold what the question asks for and that it names, in the one table that has the most of its
        words; None where these are empty, or several tables have as many."""
        asks = asked_kinds(self._prompt_input.asked, self._prompt_input.language)
        quote = self._best_chosen(alone=True) if asks and not self._all().asked.empty else None
        if quote is None or quote.whole is None or not self._kinds:
            return quote
        told = [one.text(False) for one in quote.quotables]
        return quote if tells_kind(told, self._kinds, quote.whole.language) else None

    def _best_chosen(self, *, alone: bool = False) -> EvidenceQuote | None:
        fitting = [quote for quote in self._all().quotes if not self._is_other_quote(quote)]
        most = max((quote.found.matched for quote in fitting), default=0)
        best = [quote for quote in fitting if quote.found.matched == most and quote.found.is_chosen]
        if most < FEWEST_WORDS or not best or (alone and len(best) > 1):
            return None
        return EvidenceQuote(best[0].source, (best[0].quotable,), -math.inf, best[0].whole, is_chosen=True)

    def named_beside(self, prose: EvidenceQuote, heading: str) -> EvidenceQuote | None:
        """The cell of a table of the same document that the question names by row and by column, where what is quoted
        says nothing of the row: the price of coffee, and not of the menu below the same heading."""
        if self._all().asked.empty:
            return None
        lines = heading, *(line for one in prose.quotables for line in one.text(False).splitlines())
        said = [word for line in lines for word in label_words(line, prose.source.language)]
        found = [one for one in self._all().quotes if self._is_named_beside(one, prose, said)]
        if len(found) != 1 or self._is_other_quote(found[0]):
            return None
        (quote,) = found
        return EvidenceQuote(quote.source, (quote.quotable,), prose.relevance, quote.whole, is_chosen=True)

    def _is_named_beside(self, quote: TableQuote, prose: EvidenceQuote, said: Sequence[LabelWord]) -> bool:
        found, whole = quote.found, quote.whole
        if whole.language != self._prompt_input.language or not found.is_chosen or found.matched < FEWEST_WORDS:
            return False
        if len(found.rows) != 1 or len(found.columns) != 1 or len(whole.table.columns) < 2:
            return False
        if quote.source.hit.passage.document_id != prose.source.hit.passage.document_id:
            return False
        label = whole.table.rows[found.rows[0]].labels[-1]
        names = content_words(label, whole.language)
        if not names:
            return self._is_of_a_number(label, said) or self._is_of_a_length(label, said)
        return not any(same(name, word) for name in names for word in said)

    def _is_of_a_number(self, label: str, said: Sequence[LabelWord]) -> bool:
        """Whether a label has the number that the question names ("4 hours"), and what is said has not."""
        words = question_words(self._prompt_input.asked, self._prompt_input.language)
        asked = {word.number for word in words if word.number not in (None, 1)} - {word.number for word in said}
        return any(number is not None and one.holds(number) for number in asked for one in ranges(label))

    def _is_of_a_length(self, label: str, said: Sequence[LabelWord]) -> bool:
        """Whether a label has the length of time that the question names ("all day"), and what is said has not."""
        words = question_words(self._prompt_input.asked, self._prompt_input.language)
        asked = frozenset().union(*(word.concepts for word in words)) & UNITS_OF_TIME
        held = frozenset().union(*(word.concepts for word in label_words(label, self._prompt_input.language)))
        return bool(asked & held) and asked.isdisjoint(frozenset().union(*(word.concepts for word in said)))

    def _all(self) -> TableQuotes:
        if self._quotes is None:
            found = table_quotes(self._prompt_input)
            renamed = map(self._renamed, found.quotes)
            self._quotes = replace(found, quotes=tuple(one for one in renamed if one is not None))
        return self._quotes

    def _renamed(self, quote: TableQuote) -> TableQuote | None:
        """The cells in the row that a follow-up names anew; None where it has no value there."""
        named, table = self._named_anew(quote.whole), quote.whole.table
        if not named or named.issuperset(quote.found.rows):
            return quote
        columns = quote.found.columns
        rows = tuple(
            n for n in sorted(named) if not all(is_missing(table.rows[n].values[column]) for column in columns)
        )
        found = replace(quote.found, rows=rows)
        return quote_of(AskedCells(quote.whole, found), self._prompt_input.sources) if rows else None

    def _is_other_quote(self, quote: TableQuote) -> bool:
        rows = [quote.whole.table.rows[n] for n in quote.found.rows]
        if len(rows) == 1 and self._is_priced_for_another_length(quote.whole, rows[0]):
            return True
        return self._are_others(quote.whole, rows)

    def _are_others(self, whole: WholeTable, rows: Sequence[TableRow]) -> bool:
        """Whether rows are of other things than the question names."""
        if self._named is None:
            assert self._quotes is not None
            self._named = NamedLabels(self._prompt_input.asked, self._prompt_input.language, self._quotes.asked.wholes)
        asked = self._prompt_input.asked
        is_other = any(
            self._named.pass_over(whole, row)
            or is_beyond(asked, " ".join(row.labels))
            or is_outside(f"{self._prompt_input.question} {asked}", " ".join(row.labels))
            for row in rows
        )
        self._is_passed_over = self._is_passed_over or is_other
        return is_other

    def quote(self, one: WindowRead, wanted: AskedCase, first: EvidenceQuote | None) -> EvidenceQuote | None:
        """What is told where a row was read to answer: the cells of its table that the question chooses, else that row
        or the one that the question names; None where these are empty, of another case, or told by `first` already."""
        assert one.window.row is not None
        if self._all().asked.empty:
            # Where the cell that is asked for is empty, no other one answers.
            return None
        for quote in self._all().quotes:
            row = quote.whole.row_of(one.source.hit, one.window.row)
            if row not in quote.found.rows and self._is_sure(one, quote.whole, FOR_SURE):
                # The florist is read where words alone choose the newspaper shop.
                continue
            if row not in quote.found.rows and self._is_only_read(one, quote.whole, quote.found.rows):
                continue
            if row is not None and (quote.found.is_chosen or row in quote.found.rows):
                if self._is_of_others(quote, wanted):
                    continue
                if first is not None and first.is_chosen and first.quotables == (quote.quotable,):
                    return None
                said = quote.quotable
                if wanted.is_double:
                    said = self._both(quote, row, one)
                return EvidenceQuote(quote.source, (said,), one.read.relevance, quote.whole, quote.found.is_chosen)
        if first is not None and first.is_chosen:
            return None
        whole = next(
            each for each in self._all().asked.wholes if each.row_of(one.source.hit, one.window.row) is not None
        )
        return self._read_row(one, wanted, whole, first)

    def _is_of_others(self, quote: TableQuote, wanted: AskedCase) -> bool:
        """Whether cells that words choose are of another thing than is asked about, or for others."""
        whole, rows = quote.whole, quote.found.rows
        if self._is_other_quote(quote) or wanted.are_for_entitled(whole, rows):
            return True
        return lacks_what_is_new(self._prompt_input, whole, rows)

    def _both(self, quote: TableQuote, row: int | None, one: WindowRead) -> Quotable:
        """What else is told where two things are asked: the other columns of the row that tells both, or the row that
        was read beside the one that words choose."""
        if quote.found.rows == (row,):
            return both_columns(quote, one.read.parts)
        table = quote.whole.table
        if row is None or len(quote.found.rows) != 1 or row in quote.found.rows:
            return quote.quotable
        if self._are_others(quote.whole, [table.rows[row]]) or all(
            is_missing(table.rows[row].values[column]) for column in quote.found.columns
        ):
            return quote.quotable
        found = replace(quote.found, rows=tuple(sorted((row, *quote.found.rows))))
        return quote_of(AskedCells(quote.whole, found), self._prompt_input.sources).quotable

    def _is_only_read(self, one: WindowRead, whole: WholeTable, rows: Sequence[int]) -> bool:
        """Whether the row that was read holds what is asked for, a time or a telephone number, and these rows do not:
        "when is the records office open" is not answered by where that is."""
        language = whole.language
        texts = [value for row in rows for value in whole.table.rows[row].values]
        return tells_kind((one.window.text,), self._kinds, language) and not tells_kind(texts, self._kinds, language)

    def _read_row(
        self, one: WindowRead, wanted: AskedCase, whole: WholeTable, first: EvidenceQuote | None
    ) -> EvidenceQuote | None:
        """The row that was read, or those that the question names in its place."""
        assert one.window.row is not None
        read = whole.row_of(one.source.hit, one.window.row)
        assert read is not None
        asked = self._prompt_input.asked, self._prompt_input.language
        part = named_part(*asked, whole.table, whole.language, whole.stands)
        if (listed := self._whole_column(one, wanted, whole, part)) is not None:
            return None if first is not None else listed
        named = self._named_anew(whole)
        rows = tuple(sorted(named)) or ((read,) if self._is_sure(one, whole, FOR_SURE) else part.meant(read))
        if rows != (read,) and any(self._is_only_read(one, whole, (row,)) for row in rows):
            rows = (read,)
        is_told = first is not None and first.whole == whole
        if len(rows) > MOST_NAMED or (is_told and part.rows and read not in part.rows):
            return None
        if any(is_empty(whole.table, row, part) for row in rows):
            return None
        if self._are_others(whole, [whole.table.rows[row] for row in rows]):
            return None
        own = whole.language == self._prompt_input.language
        if own and part.is_unnamed(read) and not self._is_sure(one, whole):
            # A thing is asked for that no row is called, and the reader tells none of them from the others.
            return None
        if lacks_what_is_new(self._prompt_input, whole, rows):
            return None
        said = [self._said(one, wanted, whole, row, part) for row in rows]
        told = tuple(each for each in said if each is not None)
        if not told:
            return None
        return EvidenceQuote(one.source, told, one.read.relevance, whole)

    def _named_anew(self, whole: WholeTable) -> frozenset[int]:
        """The rows that a follow-up names by their own words and by nothing else: "and the soup?", where coffee was
        asked about before."""
        question, language = self._prompt_input.question, self._prompt_input.language
        if words_of(self._prompt_input.asked) <= words_of(question) or language != whole.language:
            return frozenset()
        labels = [label_words(" ".join(row.labels), language) for row in whole.table.rows]
        said = [
            word
            for word in question_words(question, language)
            if not word.is_talk
            and word.text not in PREPOSITIONS
            and any(_is_itself(word, one) for own in labels for one in own)
        ]
        named = [
            n
            for n, own in enumerate(labels)
            if said and all(any(_is_itself(word, one) for one in own) for word in said)
        ]
        return frozenset(named) if len(named) <= MOST_NAMED else frozenset()

    def _whole_column(
        self, one: WindowRead, wanted: AskedCase, whole: WholeTable, part: NamedPart
    ) -> EvidenceQuote | None:
        """Every row for the columns that the question names, where it names none of the rows and the reader does not
        tell one from another for sure; None else, or where there are too many."""
        if part.rows or self._is_price_of_unknown(part) or self._is_sure(one, whole):
            return None
        if not 0 < len(part.columns) < len(whole.table.columns):
            return None
        if self._names_number and all(map(is_numbered, whole.table.rows)):
            # A weight or an age that none of the rows is for.
            return None
        held = [row for row in whole.table.rows if any(not is_missing(row.values[column]) for column in part.columns)]
        texts = [text for row in held for text in labels_of(whole.table, row)]
        if not 1 < len(held) <= MOST_ROWS or wanted.is_other(one.source, texts) or self._are_others(whole, held):
            return None
        lead = (about_of(whole.table, whole.headings, whole.language) or one.window.heading).rstrip("?:. ") + ":"
        said = tuple(said_row(whole.table, row, part.columns, whole.language) for row in held)
        quotable = Quotable(one.window.heading, lead, said)
        return EvidenceQuote(one.source, (quotable,), one.read.relevance, whole, is_chosen=True)

    def _is_price_of_unknown(self, part: NamedPart) -> bool:
        """Whether a price is asked of a thing that the table does not name, for which no column of prices stands."""
        return bool(part.unknown) and answer_kinds(self._prompt_input.asked) & TOLD_BY_FORM == AMOUNT

    def _is_sure(self, one: WindowRead, whole: WholeTable, least: float = AS_GOOD) -> bool:
        """Whether a row answers by at least so much better than the others of its table that were read; by `FOR_SURE`,
        whether it answers at all besides, and others were read."""
        others = [
            other.read.answers
            for other in windows_read(self._prompt_input.sources)
            if other.window.row is not None
            and other.read.question == one.read.question
            and whole.row_of(other.source.hit, other.window.row) is not None
            and (other.source.number, other.read.number) != (one.source.number, one.read.number)
        ]
        may_be = least < FOR_SURE or (bool(others) and one.read.answers > 0)
        return may_be and one.read.answers >= max(others, default=-math.inf) + least

    def _is_priced_for_another_length(self, whole: WholeTable, row: TableRow) -> bool:
        """Whether a price is asked for, and a row is for a week where the question is of a day."""
        asked, language = self._prompt_input.asked, self._prompt_input.language
        label = " ".join(row.labels)
        return answer_kinds(asked) & TOLD_BY_FORM == AMOUNT and is_for_another_length(
            asked, language, label, whole.language
        )

    def _said(
        self, one: WindowRead, wanted: AskedCase, whole: WholeTable, number: int, part: NamedPart
    ) -> Quotable | None:
        """A row with its labels, if it is not of another case."""
        row = whole.table.rows[number]
        if wanted.is_other(one.source, (*labels_of(whole.table, row), *row.values), numbers=is_numbered(row)):
            return None
        if wanted.are_for_entitled(whole, (number,)) or self._is_priced_for_another_length(whole, row):
            return None
        assert one.window.row is not None
        is_read = whole.row_of(one.source.hit, one.window.row) == number
        columns = columns_told(whole.table, number, one.read.parts if is_read else (), part.columns)
        if all(is_missing(row.values[column]) for column in columns):
            return None
        about = about_of(whole.table, whole.headings, whole.language)
        return Quotable(one.window.heading, said_row(whole.table, row, columns, whole.language, about))


def _is_itself(word: LabelWord, label: LabelWord) -> bool:
    return word.number is None and word.stem == label.stem
