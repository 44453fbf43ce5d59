"""Holds an answer to its sources: a figure, a medicine or a denial that stands in none of them is not said.

A sentence copied from a source is always grounded; that comes first. Figures and medicines are compared across
languages, denials only within one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from careline.ports import Source
from careline.safety.grounding.denials import contradicts, statements
from careline.safety.grounding.headed_figures import HeadedFigures
from careline.safety.grounding.medicines import medicines
from careline.safety.grounding.passage import SourceText, as_said
from careline.safety.grounding.table_labels import TableLabels
from careline.safety.grounding.told_figures import ToldFigures
from careline.text.figure_words import words
from careline.text.figures import Figure, figures, readable
from careline.text.markers import is_interval, named

_MARKER = re.compile(r"\[(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,8})\]")
_THREE_DIGITS = re.compile(r"\d{3}")
_WORD = re.compile(r"[a-z]+")
_ITEM = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)])\s")
_HALF_A_DAY = 720.0


class Grounds:
    """The sources of one answer. Made once per answer; nothing is read before a sentence needs it."""

    __slots__ = ("_headed", "_language", "_numbers", "_question", "_sources", "_tables", "_told_figures")

    def __init__(self, sources: Sequence[Source], language: str, question: str = "") -> None:
        self._language = language
        self._question = question
        self._sources = tuple(SourceText(source, language) for source in sources)
        self._numbers = frozenset(source.number for source in sources)
        self._told_figures = ToldFigures(sources, language, question)
        self._tables = {
            source.number: TableLabels(source, table, question, language)
            for source in sources
            if (table := source.hit.passage.chunk.table) is not None
        }
        self._headed = {
            source.number: HeadedFigures(source, language) for source in sources if source.number not in self._tables
        }
        for one in self._headed.values():
            one.stand_beside(self._headed.values())

    def ungrounded(self, sentence: str, sources: tuple[int, ...] = (), before: str = "") -> tuple[str, ...]:
        """Why a sentence is not grounded: `claim/dose`, `claim/number`, `claim/label` (a figure of a table that is told
        without the labels of its row and column, or with others), `claim/heading` (a figure that stands under another
        sub-heading than it is told under), `claim/medicine`, `claim/negation`.

        Empty when it is. `sources` are the numbers of those it was drafted from; without them its markers count, and
        without markers every source of the answer. `before` is what the answer has said, which may lead in a list.
        """
        held = self._held(sentence, sources)
        if self._is_misplaced(sentence, held, before):
            return ("claim/heading",)
        if self._says(sentence, held):
            # What is shown in brackets was left out of what was compared.
            shown = " ".join(one for one in _MARKER.findall(sentence) if self._is_shown(one))
            return tuple(dict.fromkeys(self._unheld(readable(shown), held)))
        before, mark, quotation = sentence.rpartition("“")
        if before.strip() and self._says(f"{mark}{quotation}", held):
            # What announces a quotation is a claim of its own; the quotation is grounded.
            sentence = before
        text = readable(self._unmarked(sentence))
        return tuple(dict.fromkeys((*self._reasons(text, held), *self._unlabelled(sentence, text, held))))

    def grounding(self, sentence: str, before: str = "") -> tuple[int, ...]:
        """The numbers of the sources in which alone a sentence that names none is grounded, in their order.

        None where a figure of it is said of something else; not those that lack a name of it. `before` is what the
        answer has said.
        """
        told = self._unmarked(sentence)
        if self.tells_another(sentence):
            return ()
        return tuple(
            source.number
            for source in self._sources
            if not source.lacks_name_of(told, self._question)
            and not self.ungrounded(sentence, (source.number,), before)
        )

    def tells_another(self, sentence: str) -> bool:
        """Whether a figure of the sentence is said of something else by the sources: the price of soup of a lunch."""
        return self._told_figures.tells_another(self._unmarked(sentence))

    def denies(self, text: str, language: str) -> bool:
        """Whether a text denies something, in the words of its language for that."""
        return any(one.denies for one in statements(readable(text), language))

    def has_figures(self, sentence: str) -> bool:
        """Whether a sentence tells a figure."""
        return bool(figures(readable(self._unmarked(sentence)), (self._language,)))

    def quoted_from(self, sentence: str, least: int = 1) -> tuple[int, ...]:
        """The first source that says a sentence of at least so many words word for word, as a tuple; empty when none
        does."""
        said = as_said(readable(sentence))
        # The words stand between two marks.
        if said.count(" ") <= least:
            return ()
        tables = self._tables
        return next(
            (
                (source.number,)
                for source in self._sources
                if source.says(said) or (source.number in tables and tables[source.number].says(sentence))
            ),
            (),
        )

    def marked(self, sentence: str) -> tuple[int, ...]:
        """The numbers in the sentence's markers that are those of sources."""
        inside = (one for one in _MARKER.findall(sentence) if not is_interval(one, self._numbers))
        return tuple(dict.fromkeys(number for one in inside for number in named(one) if number in self._numbers))

    def _unmarked(self, sentence: str) -> str:
        """The sentence without its markers. What is shown in brackets though it is none, an interval or a number that
        is never one, stays in round ones, in which its figures are read."""
        return _MARKER.sub(lambda found: f"({found[1]})" if self._is_shown(found[1]) else " ", sentence)

    def _is_shown(self, inside: str) -> bool:
        return is_interval(inside, self._numbers) or _THREE_DIGITS.search(inside) is not None

    def _says(self, sentence: str, held: tuple[SourceText, ...]) -> bool:
        """Whether a source says a sentence word for word, or one of its tables or lists gives it."""
        said = as_said(readable(sentence))
        told = any(source.says(said) or source.may_be_quoted(said) or source.cuts(sentence) for source in held)
        return told or any(table.says(sentence) for table in self._told(held))

    def labelled(self, sentence: str, sources: tuple[int, ...] = ()) -> tuple[str, int] | None:
        """The cells of one row that hold the figures of a sentence, said with their labels in its place, and the number
        of their source. None when the figures stand in several rows, or the sentence names another."""
        found = figures(readable(sentence), (self._language,))
        for source in self._held(sentence, sources):
            table = self._tables.get(source.number)
            if table is not None and (said := table.labelled(found, sentence)) is not None:
                return said, source.number
        return None

    def _told(self, held: tuple[SourceText, ...]) -> list[TableLabels]:
        """The tables among sources."""
        return [table for source in held if (table := self._tables.get(source.number)) is not None]

    def _is_misplaced(self, sentence: str, held: tuple[SourceText, ...], before: str) -> bool:
        """Whether a figure of the sentence stands in these sources under other sub-headings alone than it is told
        under; in a list "For adults 5 mg; for children 2 mg" each item says its own."""
        headed = [(source, self._headed[source.number]) for source in held if source.number in self._headed]
        lead = _lead_of(sentence, before)
        for item in sentence.split(";"):
            # The number of an item is no figure, quoted or not.
            for figure in figures(readable(item.lstrip("“ ")), (self._language,)):
                holding = [one for source, one in headed if source.holds(figure)]
                if not holding or any(table.holds(figure) for table in self._told(held)):
                    continue
                if all(one.misplaces(figure, (item, sentence, lead), self._question) for one in holding):
                    return True
        return False

    def _unlabelled(self, sentence: str, text: str, held: tuple[SourceText, ...]) -> Iterator[str]:
        """Of the figures that stand in tables alone, those that are not told beside their labels."""
        tables = self._told(held)
        if not tables:
            return
        prose = [source for source in held if source.number not in self._tables]
        for figure in figures(text, (self._language,)):
            holding = [table for table in tables if table.holds(figure)]
            if not holding or any(source.holds(figure) for source in prose):
                continue
            if not any(table.names(figure, sentence) for table in holding):
                yield "claim/label"

    def sources_of(self, sentence: str, sources: tuple[int, ...] = ()) -> tuple[int, ...]:
        """The given sources and those that hold a dose of the sentence, so that a dose is always cited."""
        doses = [figure for figure in figures(readable(sentence), (self._language,)) if figure.is_dose]
        if not doses:
            return sources
        marked = self.marked(sentence)
        # The given ones come first, then those that the sentence itself cites.
        ordered = sorted(self._sources, key=lambda one: (one.number not in sources, one.number not in marked))
        holding = (next((one.number for one in ordered if one.holds(dose)), None) for dose in doses)
        return tuple(dict.fromkeys((*sources, *(number for number in holding if number is not None))))

    def holds(self, value: str) -> bool:
        """Whether the value stands in a source or its title, case and spaces apart; numbers also grouped otherwise."""
        return any(source.holds_text(value) for source in self._sources)

    def publishes(self, sentence: str) -> bool:
        """Whether the sentence stands word for word and whole in a source that is for everybody, or tells a row of its
        table with the labels."""
        public = tuple(source for source in self._sources if source.for_everybody)
        said = as_said(readable(_MARKER.sub("", sentence)))
        return any(source.says(said) or source.may_be_quoted(said) for source in public) or any(
            table.says(sentence) for table in self._told(public)
        )

    def _held(self, sentence: str, sources: tuple[int, ...]) -> tuple[SourceText, ...]:
        for numbers in (sources, self.marked(sentence)):
            held = tuple(source for source in self._sources if source.number in numbers)
            if held:
                return held
        return self._sources

    def _unheld(self, text: str, held: tuple[SourceText, ...]) -> Iterator[str]:
        """A reason for each figure of a text that none of the sources holds."""
        found = figures(text, (self._language,))
        late = bool(found) and not words().afternoon.isdisjoint(_WORD.findall(text))
        for figure in found:
            if not any(source.holds(each) for each in _readings(figure, late) for source in held):
                yield "claim/dose" if figure.is_dose else "claim/number"

    def _reasons(self, text: str, held: tuple[SourceText, ...]) -> Iterator[str]:
        yield from self._unheld(text, held)
        if any(not any(name in source.medicines for source in held) for name in medicines(text)):
            yield "claim/medicine"
        own = [source for source in held if source.language == self._language]
        if own and contradicts(text, self._language, (one for source in own for one in source.statements)):
            yield "claim/negation"


def _lead_of(sentence: str, before: str) -> str:
    """What leads in the list that a sentence is an item of; "" where it is none."""
    if not _ITEM.match(sentence):
        return ""
    lines = (line for line in reversed(before.splitlines()) if line.strip() and not _ITEM.match(line))
    lead = _MARKER.sub("", next(lines, "")).strip()
    return lead if lead.endswith(":") else ""


def _readings(figure: Figure, late: bool) -> Iterator[Figure]:
    """The figure, and twelve hours later where the sentence says "in the afternoon"."""
    yield figure
    if late and figure.sort in {"amount", "bare"}:
        clock = [worth for kind, worth in figure.amounts if kind == "clock"]
        clock += [number * 60 for number in figure.numbers if figure.sort == "bare"]
        later = tuple(("clock", worth + _HALF_A_DAY) for worth in clock if worth <= _HALF_A_DAY)
        if later:
            yield Figure("amount", (), later)
