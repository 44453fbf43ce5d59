"""The windows that were read, and what is quoted of those of prose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from careline.engines.embedded.asked_case import AskedCase
from careline.model import ReadWindow
from careline.phone_numbers import may_be_phone
from careline.ports import Source
from careline.search.answer_kind import (
    BOOKING,
    BRING,
    EARLY,
    PEOPLE,
    PREPARATION,
    TEMPERATURE,
    WHERE,
    answer_kinds,
    asks_for_yes_or_no,
    holds,
    is_about_itself,
    is_open_question,
    leans_back,
    special_amounts,
    tells_of_cost,
    tells_of_people,
)
from careline.search.asked_cells import WholeTable
from careline.search.distinctions import places_of, words_of
from careline.search.label_days import days_of
from careline.search.passage_windows import PassageWindow
from careline.search.quotable import Quotable
from careline.search.row_wording import row_wording
from careline.search.select_windows import cut

AS_GOOD = 3.0
"""How far below the best part of a window another part may lie to be said too, in logits."""
AMOUNT = frozenset(("amount",))
_PEOPLE = frozenset((PEOPLE,))
_STRICT = frozenset((TEMPERATURE, BOOKING))
"""Kinds of which nothing else is an answer."""
_PHONE = frozenset(("phone",))
_LENGTHS = frozenset(("duration", EARLY))
TOLD_BY_FORM = AMOUNT | frozenset(("time", "duration", EARLY, PEOPLE, BRING, WHERE, TEMPERATURE, BOOKING, "contact"))
"""Kinds of answers that are told by their form; a telephone number may be as short as 112."""
OTHER_KIND, NOT_BEFORE, SPECIAL, YES_OR_NO, EXCEPTION = 2.0, 4.0, 3.0, 1.0, 2.0
"""What a window counts less that holds nothing of the kind that is asked for, or not how long before, no price but that
of something special, begins by answering another kind of question, or says what there is not at one campus where none
is asked about, in logits."""
MOST_DIRECTIONS = 4
"""Windows with directions that are quoted where preparation is asked for."""
FEWEST_DIRECTIONS = 2
"""Windows with directions by which a page tells how to prepare."""
DIRECTIONS_FROM = 0.0
"""Relevance from which a page in the question's language tells how to prepare, whatever others do."""


@dataclass(frozen=True, slots=True)
class EvidenceQuote:
    """What is quoted of one source, in its order. `relevance` is that of its window."""

    source: Source
    quotables: tuple[Quotable, ...]
    relevance: float
    whole: WholeTable | None = None
    """The table of which cells are told."""
    is_chosen: bool = False
    """Whether the words of the question choose these cells."""

    def says_what(self, other: EvidenceQuote) -> bool:
        """Whether another quote says the same already."""
        return set(self.quotables) <= set(other.quotables)


@dataclass(frozen=True, slots=True)
class WindowRead:
    """A window with what the reader made of it."""

    source: Source
    window: PassageWindow
    read: ReadWindow


def windows_read(sources: Sequence[Source]) -> Iterator[WindowRead]:
    """Every window of the sources that the reader has read."""
    for source in sources:
        windows = cut(source.hit.passage.chunk, source.hit.passage.facts.language)
        for read in source.read:
            if read.number < len(windows):
                yield WindowRead(source, windows[read.number], read)


@dataclass(frozen=True, slots=True)
class AskedKind:
    """What a question asks for, told from its words once: kinds that are told by their form, no yes or no, and what
    special amounts."""

    kinds: frozenset[str]
    is_open: bool
    special: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    asks_number: bool = False
    """Whether a telephone number is asked for, which may be as short as 112."""
    asks_yes_or_no: bool = False
    """Whether a yes or no is asked for, and nothing of what is paid."""
    is_of_cost: bool = False
    """Whether anything is said of what is paid."""
    speaks_of_calls: bool = False
    """Whether a number is asked for or when to call it."""

    @classmethod
    def of(cls, question: str) -> AskedKind:
        """That of a question."""
        kinds, special = answer_kinds(question) & TOLD_BY_FORM, special_amounts(question)
        speaks_of_calls = "phone" in answer_kinds(question)
        asks_number = speaks_of_calls and kinds <= AMOUNT
        is_of_cost = AMOUNT <= kinds or tells_of_cost(question)
        is_yes_or_no = not kinds and not is_of_cost and asks_for_yes_or_no(question)
        return cls(
            kinds,
            is_open_question(question),
            special,
            words_of(question),
            asks_number=asks_number,
            asks_yes_or_no=is_yes_or_no,
            is_of_cost=is_of_cost,
            speaks_of_calls=speaks_of_calls,
        )

    def lacked(self, one: WindowRead) -> float:
        """What a window counts less, in logits, that holds no price but a special one, as a deposit; and one of prose
        that does not hold the kind of thing that is asked for, answers "may I?" where "where?" is asked, or only tells
        an exception."""
        special = SPECIAL * (self._is_special(one) or self._is_unasked(one)) + OTHER_KIND * self._has_no_number(one)
        if one.window.row is not None:
            return special
        answers_another = bool(one.window.quotables[0].asked) and (bool(self.kinds) or self.is_open)
        other_kind = bool(self.kinds) and not holds(" ".join(self._said(one)), self.kinds)
        special += EXCEPTION * self._is_exception(one)
        return special + YES_OR_NO * answers_another + (NOT_BEFORE if EARLY in self.kinds else OTHER_KIND) * other_kind

    def is_only_priced(self, one: WindowRead) -> bool:
        """Whether nothing but amounts is told, where hours or a telephone number are asked for and no price."""
        kinds = self.kinds | _PHONE if self.speaks_of_calls else self.kinds
        if not kinds or self.is_of_cost or kinds <= _LENGTHS:
            return False
        if one.window.row is None and not self.speaks_of_calls:
            return False
        text = one.window.text if one.window.row is not None else " ".join(self._said(one))
        tells_days = "time" in kinds and bool(days_of(text, one.source.language))
        return holds(text, AMOUNT) and not holds(text, kinds | _LENGTHS) and not tells_days

    def _is_special(self, one: WindowRead) -> bool:
        if not AMOUNT <= self.kinds:
            return False
        priced = [text for text in self._said(one) if holds(text, AMOUNT)]
        above = special_amounts(one.window.heading)
        return bool(priced) and all((above | special_amounts(text)) - self.special for text in priced)

    def _is_unasked(self, one: WindowRead) -> bool:
        """Whether nothing but what is paid is told to who asks for a yes or no, and not whether something is paid."""
        return self.asks_yes_or_no and all(holds(text, AMOUNT) for text in self._said(one))

    def _has_no_number(self, one: WindowRead) -> bool:
        return self.asks_number and not any(may_be_phone(text) for text in self._said(one))

    def _is_exception(self, one: WindowRead) -> bool:
        """Whether a window says nothing but what there is not at a campus or building that the question does not name:
        that there is no Wi-Fi in one garden does not tell whether there is any."""
        said, wording = self._said(one), row_wording(one.source.language)
        if len(said) != 1 or wording is None or not wording.has_denial(said[0]):
            return False
        places = places_of(said[0])
        return bool(places) and places.isdisjoint(self.words)

    def _said(self, one: WindowRead) -> list[str]:
        """What would be quoted of a window, whatever else stands in it; the parts of a row are its cells."""
        said = one.window.quotables
        places = range(len(said)) if one.window.row is not None else _best_parts(one, self.kinds, len(said))
        return [said[n].text(False) for n in places]


def _best_parts(one: WindowRead, kinds: frozenset[str], most: int) -> list[int]:
    """The places of the parts of a window that answer about as well as its best, at most `most`, in order; where an
    amount is asked for and none of them holds one, of those that do before them."""
    texts = [quotable.text(False) for quotable in one.window.quotables]
    parts = one.read.parts or (0.0,) * len(texts)
    best_first = sorted(range(len(parts)), key=lambda n: -parts[n])
    near = [n for n in best_first if parts[n] >= max(parts) - AS_GOOD]
    if AMOUNT <= kinds and not any(holds(texts[n], AMOUNT) for n in near):
        near = [*(n for n in best_first if holds(texts[n], AMOUNT)), *near]
    return sorted(near[:most])


def quote_of_prose(
    one: WindowRead, wanted: AskedCase, most: int, kinds: frozenset[str] = frozenset()
) -> EvidenceQuote | None:
    """The parts of a window that answer, at most `most`, where `kinds` of answers are asked for.

    A part with a figure is of the case that is asked about.
    """
    chosen = tuple(_with_leaned_on(one, _best_parts(one, kinds, most)))
    text = " ".join(quotable.text(False) for quotable in chosen)
    has_figures = any(map(str.isdigit, text))
    if not chosen or wanted.stands_elsewhere(one.window.heading, text):
        return None
    if has_figures and wanted.is_other(one.source, (text,), heading=one.window.heading, in_prose=True):
        return None
    if not has_figures and any(is_about_itself(quotable.lead) for quotable in chosen):
        # "This leaflet tells you what to bring" does not tell it.
        return None
    if has_figures and (place := wanted.place_above(one.source, chosen[0].heading, text)):
        chosen = (replace(chosen[0], lead=f"{place}: {chosen[0].lead}"), *chosen[1:])
    return EvidenceQuote(one.source, chosen, one.read.relevance)


def answers_in_kind(question: str, quotes: Sequence[EvidenceQuote]) -> bool:
    """Whether something that is quoted tells of cost, where a price is asked for and nothing else, or of people, where
    these are: that a hairdresser comes to the room is no answer to what that costs, nor are visiting hours to who works
    there. Cells whose words the question chooses are of what is asked."""
    kinds = answer_kinds(question) & TOLD_BY_FORM
    if kinds and kinds <= _STRICT:
        return any(holds(each.text(False), kinds) for one in quotes for each in one.quotables)
    if kinds not in (AMOUNT, _PEOPLE):
        return True
    if kinds == _PEOPLE:
        return any(tells_of_people(each.text(False)) for one in quotes for each in one.quotables)
    return any(one.is_chosen or tells_of_cost(_whole_text(one)) for one in quotes)


def _whole_text(quote: EvidenceQuote) -> str:
    return " ".join((quote.source.title, *(f"{one.heading} {one.text(False)}" for one in quote.quotables)))


def _with_leaned_on(one: WindowRead, places: Sequence[int]) -> Iterator[Quotable]:
    """The parts of a window at some places, each with the one before it where it says too little without."""
    said = one.window.quotables
    for n in places:
        if said[n].is_orphan:
            continue
        before = said[n - 1] if n else _last_before(one)
        if before is not None and n - 1 not in places and not before.items and leans_back(said[n].lead):
            yield before
        yield said[n]


def _last_before(one: WindowRead) -> Quotable | None:
    """What stands right before a window under the same heading."""
    if not one.read.number:
        return None
    window = cut(one.source.hit.passage.chunk, one.source.hit.passage.facts.language)[one.read.number - 1]
    return window.quotables[-1] if window.row is None and window.heading == one.window.heading else None


def directions(ranked: Sequence[WindowRead], wanted: AskedCase, language: str, most: int) -> list[EvidenceQuote]:
    """What one page tells who prepares to do, in its order; empty where no page does.

    The page is the best, one in the question's language first.
    """
    asked = frozenset((PREPARATION,))
    pages: dict[str, list[WindowRead]] = {}
    for one in ranked:
        if one.window.row is None and holds(one.window.text, asked):
            pages.setdefault(one.source.hit.passage.document_id, []).append(one)
    tell = [page for page in pages.values() if len(page) >= FEWEST_DIRECTIONS]
    own = [page for page in tell if page[0].source.language == language and _best(page) >= DIRECTIONS_FROM]
    page = max(own or tell, key=_best, default=[])
    chosen = sorted(page[:MOST_DIRECTIONS], key=lambda one: (one.source.hit.passage.chunk.ordinal, one.read.number))
    quotes = (quote_of_prose(_with_directions(one, asked, most), wanted, most) for one in chosen)
    return [quote for quote in quotes if quote is not None]


def _best(page: Sequence[WindowRead]) -> float:
    return max(one.read.relevance for one in page)


def _with_directions(one: WindowRead, asked: frozenset[str], most: int) -> WindowRead:
    """A window of its directions alone, each with what stands before it, which says when it holds: "from 3 days
    before"."""
    directs = [holds(quotable.text(False), asked) for quotable in one.window.quotables]
    kept = [n for n, _ in enumerate(directs) if any(directs[n : n + 2])][:most]
    if kept and not directs[kept[-1]]:
        kept.pop()
    window = replace(one.window, quotables=tuple(one.window.quotables[n] for n in kept))
    # What stood before the first one kept is not what ends the window before, unless nothing was left out.
    number = one.read.number if kept[:1] == [0] else 0
    return replace(one, window=window, read=replace(one.read, number=number, parts=()))
