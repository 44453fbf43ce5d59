"""Holds what one source says, figure by figure and statement by statement, read when it is first asked about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from careline.model import Table
from careline.passages.quotable import quotables
from careline.ports import Source
from careline.safety.grounding.denials import Statement, statements
from careline.safety.grounding.medicines import medicines
from careline.safety.grounding.names import lacks_name
from careline.tables.row_sentence import row_sentence
from careline.text.figure_words import plain, words
from careline.text.figures import Figure, Per, figures, readable

_SENTENCE_ENDS = re.compile(r"\n\s*\n|\n\s*(?=[-*•|#>\d])|(?<![.!?;:|])[.!?;:|]+(?=\s|$)")
_WORD = re.compile(r"[a-z0-9]+|\x00")
_BRACKETED = re.compile(r"[(\[]\s?([a-z%°€]+)\s?[)\]]")
_CELL_WORD = re.compile(r"[a-z%€]+")
_DIGIT = re.compile(r"\d")
_ITEM = re.compile(r"\s*(?:[-*•+]|\d{1,2}[.)])\s")
_GROUPING = re.compile(r"[\s./()-]+")
_SHORTEST_PHONE = 7
_BY_WEIGHT = frozenset({"mass", "volume"})
"""What an amount for each of is a rate of: 10 mg per kg is not 10 mg."""


def as_said(text: str) -> str:
    """The words of a `readable` text with one mark between sentences and around all."""
    marked = _SENTENCE_ENDS.sub(" \x00 ", text)
    said = " ".join(_WORD.findall(f"\x00 {marked} \x00"))
    while "\x00 \x00" in said:
        said = said.replace("\x00 \x00", "\x00")
    return said


def _rows(table: Table) -> Iterable[str]:
    """Every row as it is said, with its labels."""
    return (row_sentence(table, row, range(len(table.columns))) for row in table.rows)


class SourceText:
    """The title, headings and text of a source. Everything is worked out when first needed."""

    def __init__(self, source: Source, language: str) -> None:
        passage = source.hit.passage
        self.number = source.number
        self.language = source.language
        self.for_everybody = passage.facts.audience == "public"
        self._chunk = passage.chunk
        self._body = passage.chunk.text
        rows = _rows(passage.chunk.table) if passage.chunk.table is not None else ()
        self._text = "\n\n".join((source.title, passage.facts.title, *passage.chunk.heading_path, self._body, *rows))
        self._languages = tuple(dict.fromkeys((source.language, language)))
        self._is_foreign = source.language != language

    def says(self, said: str) -> bool:
        """Whether a sentence, made by `as_said`, stands here word for word, from the start of a sentence to its end."""
        return said in self._said

    def may_be_quoted(self, said: str) -> bool:
        """Whether a sentence, made by `as_said`, is one that a quotation may be made of: below a heading without a full
        stop it does not begin where `says` sees a sentence begin."""
        return said in self._quoted

    def cuts(self, sentence: str) -> bool:
        """Whether a sentence says how many items of a list of this source are left out, and no more."""
        said = sentence.strip()
        return said.startswith("- ") and said[2:] in self._cuts

    def holds(self, figure: Figure) -> bool:
        """Whether the figure stands here with the same unit."""
        if figure.sort == "phone":
            return any(_same_phone(figure.digits, held) for held in self._phones)
        if figure.sort == "date":
            years = {number for number in figure.numbers if number > 31}
            return any(each in self._dates for each in figure.amounts) and years <= self._numbers
        if figure.sort == "label":
            return any(each in self._labels for each in figure.amounts) or self._tabled(figure)
        if any(self._holds_amount(each, figure.per) for each in figure.amounts):
            return True
        if figure.sort == "bare":
            return not self._numbers.isdisjoint(figure.numbers) or not self._counts.isdisjoint(figure.numbers)
        return self._tabled(figure)

    def lacks_name_of(self, sentence: str, question: str) -> bool:
        """Whether the sentence names somebody or something that neither stands here nor was asked about."""
        return lacks_name(sentence, (self._text, question), self._languages[-1], is_foreign=self._is_foreign)

    def holds_text(self, value: str) -> bool:
        """Whether the value stands here, case, spaces and accents apart; a number also when it is grouped otherwise."""
        ungrouped = _GROUPING.sub("", plain(value))
        if not ungrouped:
            return True
        digits = re.sub(r"\D", "", ungrouped)
        if ungrouped in self._ungrouped:
            return True
        is_number = len(digits) >= _SHORTEST_PHONE and not re.search(r"[a-z]", ungrouped)
        return is_number and any(_same_phone(digits.lstrip("0"), held) for held in self._phones)

    @cached_property
    def medicines(self) -> frozenset[str]:
        """The medicines that are named here, as `grounding_medicines.medicines` writes them."""
        return medicines(self._readable)

    @cached_property
    def statements(self) -> Sequence[Statement]:
        """What is stated here, sentence by sentence and clause by clause; a sentence below a heading without a full
        stop also without that: "I do not agree" denies nothing of "you can object"."""
        return [*statements(self._readable, self.language), *statements(self._quotable, self.language)]

    def _holds_amount(self, worth: tuple[str, float], per: Per) -> bool:
        held = self._amounts.get(worth)
        if held is None:
            return False
        if per is None:
            return any(each is None or each[0] not in _BY_WEIGHT for each in held)
        return per in held or (None in held and per[0] not in _BY_WEIGHT)

    def _tabled(self, figure: Figure) -> bool:
        """Whether the number stands here alone, its unit or label in a table's cell or in brackets."""
        if self._alone.isdisjoint(figure.numbers):
            return False
        known = words()
        for word in self._cell_words:
            if figure.sort == "label":
                if known.labels.get(word) == figure.amounts[0][0]:
                    return True
            elif (unit := known.units.get(word)) and any(
                (unit.kind, round(number * unit.one, 6)) in figure.amounts for number in figure.numbers
            ):
                return True
        return False

    @cached_property
    def _cuts(self) -> frozenset[str]:
        return frozenset(filter(None, (one.more() for one in quotables(self._chunk, self.language))))

    @cached_property
    def _readable(self) -> str:
        return readable(self._text)

    @cached_property
    def _said(self) -> str:
        return as_said(self._readable)

    @cached_property
    def _quoted(self) -> str:
        """The sentences of everything that can be quoted."""
        return as_said(self._quotable)

    @cached_property
    def _quotable(self) -> str:
        told = (one.text(False) for one in quotables(self._chunk, self.language))
        return readable("\n\n".join(told))

    @cached_property
    def _ungrouped(self) -> str:
        return _GROUPING.sub("", plain(self._text))

    @cached_property
    def _figures(self) -> list[Figure]:
        return figures(self._readable, self._languages, articles=True)

    @cached_property
    def _amounts(self) -> dict[tuple[str, float], set[Per]]:
        held: dict[tuple[str, float], set[Per]] = {}
        for figure in self._figures:
            if figure.sort in {"amount", "bare"}:
                for worth in figure.amounts:
                    held.setdefault(worth, set()).add(figure.per)
        times = words().named_times
        for word in times.keys() & set(re.findall(r"[a-z]+", self._readable)):
            for minutes in (times[word], times[word] + 1440) if not times[word] else (times[word],):
                held.setdefault(("clock", float(minutes)), set()).add(None)
        return held

    @cached_property
    def _numbers(self) -> frozenset[float]:
        """Every number, whatever its unit, list numbers too."""
        written = re.findall(r"(?<!\d)\d{1,9}(?![\d])", self._text)
        return frozenset(number for figure in self._figures for number in figure.numbers) | set(map(float, written))

    @cached_property
    def _alone(self) -> frozenset[float]:
        return frozenset(number for figure in self._figures if figure.sort == "bare" for number in figure.numbers)

    @cached_property
    def _labels(self) -> frozenset[tuple[str, float]]:
        return frozenset(each for figure in self._figures if figure.sort == "label" for each in figure.amounts)

    @cached_property
    def _dates(self) -> frozenset[tuple[str, float]]:
        return frozenset(each for figure in self._figures if figure.sort == "date" for each in figure.amounts)

    @cached_property
    def _phones(self) -> frozenset[str]:
        return frozenset(figure.digits for figure in self._figures if figure.sort == "phone")

    @cached_property
    def _counts(self) -> frozenset[float]:
        """How many items the lists and tables have: "three ways to pay" is said of a list of three."""
        counts: set[float] = set()
        items = rows = 0
        for line in [*self._body.splitlines(), "", "", ""]:
            items, rows = _counted(items, bool(_ITEM.match(line)), counts), _counted(rows, line.startswith("|"), counts)
            if line.startswith("|"):
                counts.update((float(line.count("|") - 1), float(line.count("|") - 2)))
        counts.update([each - 2 for each in counts if each > 2])
        return frozenset(counts)

    @cached_property
    def _cell_words(self) -> frozenset[str]:
        rows = (line for line in self._readable.splitlines() if "|" in line)
        cells = " ".join(cell for row in rows for cell in row.split("|") if not _DIGIT.search(cell))
        return frozenset(_BRACKETED.findall(self._readable)) | frozenset(_CELL_WORD.findall(cells))


def _counted(so_far: int, another: bool, counts: set[float]) -> int:
    if another:
        return so_far + 1
    if so_far > 1:
        counts.add(float(so_far))
    return 0


def _same_phone(one: str, other: str) -> bool:
    shorter = min(len(one), len(other))
    return shorter >= _SHORTEST_PHONE and (one.endswith(other) or other.endswith(one))
