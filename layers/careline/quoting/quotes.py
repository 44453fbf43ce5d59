"""Chooses what is quoted: the window that answers best, and one beside it that answers nearly as well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from careline.model import Category
from careline.passages.quotable import Quotable
from careline.passages.windows import PassageWindow
from careline.ports import Source
from careline.quoting.asked_price import PriceGate, of_what_is_asked
from careline.quoting.persons_named import PersonGate
from careline.quoting.quoting_input import QuotingInput
from careline.quoting.said_cells import rows_within_reach, said_cells, said_table
from careline.quoting.told_dose import DoseGate
from careline.quoting.typed_rows import dose_row_first, typed_row_first
from careline.quoting.window_read import WindowRead, windows_read
from careline.value_framework.category import GENERAL, category_in, category_of

REACH = 3.0
"""How far below the best part of a window another part may lie to be said too, in logits of the reader."""
BESIDE = 1.5
"""How far below the best window another one of its document may lie to be quoted too, in logits: a fact often stands
next to what introduces it. On the open hospitals 0.5, 1.5 and 2.5 say 235, 245 and 248 facts of 321
(`careline bench answers --part open --limit beside=0.5,2.5`); with the last a dose for another case is said beside."""
Gates = tuple[DoseGate, PersonGate]
MOST_WINDOWS = 2
"""Windows that are quoted for one question."""


@dataclass(frozen=True, slots=True)
class Quote:
    """What is quoted of one window, in its order, with the window's `confidence`."""

    source: Source
    quotables: tuple[Quotable, ...]
    confidence: float
    is_cells: bool = False
    """Whether cells of a table are told."""

    def length(self, voice: bool) -> int:
        """Its characters."""
        return sum(len(one.text(voice)) for one in self.quotables)


def quotes(quoting_input: QuotingInput, most: int, characters: int) -> list[Quote]:
    """What answers each question that was asked, best first; empty where nothing that was read can be said.

    Of one window `most` sentences are said at most, and `characters` in all but for the first quote of each question;
    of two questions the first has half of them.
    """
    gate = DoseGate.of(quoting_input.asked, quoting_input.language)
    prices = PriceGate.of(quoting_input.question, quoting_input.language)
    ranked = sorted(windows_read(quoting_input.sources), key=lambda one: -one.read.relevance)
    numbers = sorted({one.read.question for one in ranked})
    found: list[Quote] = []
    for number in numbers:
        room = characters // (1 + (number != numbers[-1]))
        own = [one for one in ranked if one.read.question == number]
        persons = PersonGate.of(own, quoting_input.asked, quoting_input.language, quoting_input.persons)
        own = persons.led(of_what_is_asked(own, prices, quoting_input.sure_from))
        own = typed_row_first(own, quoting_input.asked, quoting_input.language, voice=quoting_input.voice)
        own = dose_row_first([one for one in own if gate.lets_through(one.source, one.window)], gate)
        for place, quote in enumerate(_of_question(own, quoting_input, (gate, persons), most)):
            quote = _with_news(quote, found)
            length = sum(one.length(quoting_input.voice) for one in (*found, quote))
            if quote.quotables and (place == 0 or length <= room):
                found.append(quote)
    return found


def _with_news(quote: Quote, told: Sequence[Quote]) -> Quote:
    """A quote without what is told already, word for word."""
    known = [one.text(False) for other in told for one in other.quotables]
    kept: list[Quotable] = []
    for one in quote.quotables:
        if not any(one.text(False) in each for each in known):
            kept.append(one)
            known.append(one.text(False))
    return replace(quote, quotables=tuple(kept))


def _of_question(
    ranked: Sequence[WindowRead], quoting_input: QuotingInput, gates: Gates, most: int
) -> Iterator[Quote]:
    """The best window that can be said, and those beside it; a table whole where the reader does not tell its rows
    apart and somebody reads the answer."""
    first: WindowRead | None = None
    told = 0
    doses, persons = gates

    def may_be_told(source: Source, window: PassageWindow) -> bool:
        return doses.may_be_listed(source, window) and persons.lets_through(source, window)

    for one in ranked:
        if first is not None and not (is_beside(one, first) and is_of_one_matter(one, first, quoting_input.primary)):
            continue
        quote = _quote(one, quoting_input, most)
        if quote is None:
            continue
        is_best = one is ranked[0] and not quoting_input.voice
        if is_best and (table := said_table(rows_within_reach(ranked), may_be_told)) is not None:
            yield replace(quote, quotables=(table,))
            return
        yield quote
        first, told = first or one, told + 1
        if told == MOST_WINDOWS:
            return


def is_beside(one: WindowRead, first: WindowRead) -> bool:
    """Whether a window of the same document answers nearly as well as the first one."""
    return one.document == first.document and one.read.relevance >= first.read.relevance - BESIDE


def is_of_one_matter(one: WindowRead, first: WindowRead, primary: Category | None) -> bool:
    """Whether a window may be quoted beside the first one: its passage, or what it says itself, is of the same category
    or of none, or of the one that what was found is mostly of where the first is of none."""
    pairs = ((category_of(each.source.hit.passage), _category(each)) for each in (first, one))
    ways = zip(*pairs, strict=True)
    return primary is None or any(
        beside in {led, GENERAL} or (led == GENERAL and beside == primary) for led, beside in ways
    )


def _category(one: WindowRead) -> Category:
    return category_in("", one.window.text, one.source.language)


def _quote(one: WindowRead, quoting_input: QuotingInput, most: int) -> Quote | None:
    """What is said of a window; None where that is nothing."""
    if one.window.row is not None:
        said = said_cells(one, quoting_input.voice)
        return None if said is None else Quote(one.source, (said,), one.read.confidence, is_cells=True)
    told = tuple(one.window.quotables[n] for n in best_parts(one, most))
    return Quote(one.source, told, one.read.confidence) if told else None


def best_parts(one: WindowRead, most: int) -> list[int]:
    """The places of the sentences and lists of a window that answer about as well as its best, in order."""
    count = len(one.window.quotables)
    parts = one.read.parts or (0.0,) * count
    sayable = [n for n in range(count) if not one.window.quotables[n].is_orphan]
    best = max((parts[n] for n in sayable), default=0.0)
    near = [n for n in sorted(sayable, key=lambda n: -parts[n]) if parts[n] >= best - REACH]
    return sorted(near[:most])
