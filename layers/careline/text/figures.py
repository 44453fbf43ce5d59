"""Reads the figures of a text: amounts with their units, times, dates, telephone numbers and what is numbered.

A figure is read the same way in a sentence and in the passage that it was copied from, because only the words beside
it are looked at. What the same figure may be called otherwise (1 g and 1000 mg, 14 uur and 14:00) is made one value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

from careline.text.figure_words import MeasureUnit, Words, plain, words
from careline.text.phone_numbers import WRITTEN_PHONE

Per = tuple[str, float] | None
"""What an amount is for ("per kg", "a day"): a kind and how much of it."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a text.

    `amounts` are what it may be, as kind and worth: one, or two where the text leaves open whether "8.30" is a time.
    `numbers` are the bare numbers it may stand for. `sort` is `amount` with a unit, `bare` without one, `label` for
    what is numbered ("route 22"; the kind is the label), `phone` (`digits`) or `date` (a month and a day).
    """

    sort: Literal["amount", "bare", "label", "phone", "date"]
    numbers: tuple[float, ...]
    amounts: tuple[tuple[str, float], ...] = ()
    per: Per = None
    digits: str = ""

    @property
    def is_dose(self) -> bool:
        """Whether it says how much of a medicine there is or is taken."""
        return self.sort == "amount" and any(kind in words().doses for kind, _ in self.amounts)


def is_same(one: Figure, other: Figure) -> bool:
    """Whether two figures may be one: the same amount, or the same number where one of them has no unit."""
    if one.sort == "phone" or other.sort == "phone":
        return one.digits == other.digits
    if set(one.amounts) & set(other.amounts):
        return True
    return bool(set(one.numbers) & set(other.numbers)) and ("bare" in (one.sort, other.sort))


_NOON = 720.0
"""Minutes since midnight."""
_LETTER = r"(?![a-z0-9])"
_NUMBER = r"\d{1,3}(?:[ '.,]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+[.,]\d+|\d+"
_HOURS = rf"\ ?(?:uur|u|h|hours|heures|ore){_LETTER}"
_FIGURE = re.compile(
    rf"""(?<![a-z0-9_])(?:
      (?P<phone>(?<![.,])(?-x:{WRITTEN_PHONE}))
    | (?P<iso>\d{{4}}-\d\d-\d\d)(?!\d)
    | (?P<date>\d{{1,2}}(?P<apart>[/.-])\d{{1,2}}(?P=apart)(?:\d{{4}}|\d\d))(?!\d)
    | (?P<clock>(?:[01]?\d|2[0-4])(?::|\ ?[hu]\ ?)[0-5]\d)(?![\d])(?P<clock_unit>{_HOURS})?
    | (?P<fraction>(?:\d+\ )?\d{{1,3}}/\d{{1,3}})(?![\d/])
    | (?P<number>{_NUMBER})
    )""",
    re.VERBOSE,
)
_ORDINAL = re.compile(rf"(?:ste|de|e|st|nd|rd|th|er|re|eme|ieme|º|o|a){_LETTER}")
_UNIT = re.compile(r"[ -]?(°c|[%€$£°]|[a-z]+)(?![a-z'])")
_ADJECTIVE = re.compile(r" ([a-z]{4,}) (?=[a-z])")
_AFTER_UNIT = re.compile(r" ?(?:(/) ?|([a-z]+)[ '])(\d+ ?)?([a-z]+)(?![a-z'])")
_DAILY = re.compile(r" ([a-z]+)(?![a-z])")
_CURRENCY_BEFORE = re.compile(r"(?:([€$£])|(?<![a-z])(eur|usd|gbp)) ?-?$")
_WORD_BEFORE = re.compile(r"(?<![a-z])([a-z]+)[ .:]{0,2}-?$")
_MONTH_BEFORE = re.compile(r"(?<![a-z])([a-z]+)\.? (?:the )?$")
_MONTH_AFTER = re.compile(r" (?:of |di |van )?([a-z]{3,})(?![a-z])")
_DOTTED_TIME = re.compile(r"([01]?\d|2[0-4])\.([0-5]\d)")
_BETWEEN = re.compile(r"\s?(?:-|/|tot|to|until|a|of|or|ou|o|en|and|et|e|&|al|alle|en met|jusqu'a)\s?(?:alle |a )?")
_HALF_OF_DAY = re.compile(rf" ?([ap])m{_LETTER}")
_MARKERS = re.compile(r"\[\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,8}\]|\[[A-Z_]+_\d+\]|[*_`~]+(?=\S)|(?<=\S)[*_`~]+")
_ENUMERATOR = re.compile(r"(?m)^([\s>#*-]*)\d{1,2}[.)](?=\s)")
_WRAPPED = re.compile(r"(?<=\S)[ \t]*\n[ \t]*(?=[a-z(])")
_WORDS = re.compile(r"[a-z]+(?:-[a-z]+)*")


def readable(text: str) -> str:
    """The text in plain letters without Markdown, citation markers and the numbers of list items."""
    return _WRAPPED.sub(" ", plain(_ENUMERATOR.sub(r"\1", _MARKERS.sub(" ", text))))


@dataclass(frozen=True, slots=True)
class PlacedFigure:
    """A figure and where it stands in the text, with its unit."""

    figure: Figure
    start: int
    end: int


def figures(text: str, languages: tuple[str, ...], *, articles: bool = False) -> list[Figure]:
    """The figures of a `readable` text, in order; number words are read in the given languages.

    With `articles`, "an hour" is a figure too: sources are read so, sentences are not.
    """
    known = words()
    text = _in_digits(text, languages, known)
    if articles:
        article = re.compile(rf"(?<![a-z])(?:{'|'.join(sorted(known.one))})[ '](?=([a-z]+)(?![a-z]))")
        text = article.sub(lambda found: "1 " if found[1] in known.units else found[0], text)
    return [one.figure for one in _Reading(text, known, articles).figures()]


def placed_figures(text: str, languages: tuple[str, ...]) -> tuple[str, list[PlacedFigure]]:
    """A `readable` text with its number words as digits, and the figures in it, in order."""
    text = _in_digits(text, languages, words())
    return text, list(_Reading(text, words(), source=False).figures())


def _in_digits(text: str, languages: tuple[str, ...], known: Words) -> str:
    """The text with its number words and turns of phrase as digits."""
    for pattern, said in known.phrases:
        text = pattern.sub(said, text)
    held = set(_WORDS.findall(text))
    for language in languages:
        numbers = known.numbers.get(language, {})
        there = sorted(held & numbers.keys(), key=len, reverse=True)
        if there:
            pattern = re.compile(rf"(?<![a-z-])({'|'.join(there)})(?![a-z]|-[a-z])(?: (?=([a-z]+)))?")
            text = pattern.sub(partial(_digits, numbers=numbers, known=known), text)
    for pattern, said in known.halves:
        text = pattern.sub(said, text)
    floors = sorted(held & known.ordinals.keys())
    if floors:
        pattern = re.compile(rf"(?<![a-z-])({'|'.join(floors)}) (?=(?:{'|'.join(known.labels)})(?![a-z]))")
        text = pattern.sub(lambda found: f"{known.ordinals[found[1]]}e ", text)
    return text


def _digits(found: re.Match[str], numbers: Mapping[str, str], known: Words) -> str:
    word, following = found[1], found[2]
    if word in known.only_before_unit and following not in known.units:
        return found[0]
    return f"{numbers[word]}{' ' if following else ''}"


@dataclass(slots=True)
class _Reading:
    """One text that is being read."""

    text: str
    known: Words
    source: bool
    """Whether "14 uur" is read both as a time and as a duration whatever stands before it."""

    def figures(self) -> Iterator[PlacedFigure]:
        pending: PlacedFigure | None = None
        for found in _FIGURE.finditer(self.text):
            figure, end = self._figure(found)
            if pending is not None:
                yield self._ranged(pending, figure, self.text[pending.end : found.start()])
            pending = PlacedFigure(figure, found.start(), end)
        if pending is not None:
            yield pending

    def _ranged(self, one: PlacedFigure, following: Figure, between: str) -> PlacedFigure:
        return PlacedFigure(self._range(one.figure, following, between), one.start, one.end)

    def _range(self, first: Figure, second: Figure, between: str) -> Figure:
        """The first figure, in the unit of the second where they are a range: "2 to 3 weeks"."""
        if first.sort == "bare" and second.sort == "amount" and _BETWEEN.fullmatch(between):
            worth = tuple(each for number in first.numbers for each in _in_unit_of(second, number))
            if worth:
                first = Figure("amount", first.numbers, worth + first.amounts, second.per)
        return first

    def _figure(self, found: re.Match[str]) -> tuple[Figure, int]:
        sort = found.lastgroup if found.lastgroup != "clock_unit" else "clock"
        if sort == "phone":
            return Figure("phone", (), digits=_phone(found["phone"])), found.end()
        if sort in {"iso", "date"}:
            return _written_date(found[0]), found.end()
        if sort == "clock":
            return self._clock(found)
        return self._number(found)

    def _clock(self, found: re.Match[str]) -> tuple[Figure, int]:
        hour, minute = (int(part) for part in re.findall(r"\d+", found["clock"]))
        half = _HALF_OF_DAY.match(self.text, found.end())
        worth = _time(hour, minute, half[1] if half else None)
        lasts = ":" not in found["clock"]
        times = (("clock", worth),) if half else self._either_half(worth)
        amounts = (*times, ("minutes", worth)) if lasts else times
        end = half.end() if half else found.end()
        return Figure("amount", () if minute else (float(hour),), amounts), end

    def _number(self, found: re.Match[str]) -> tuple[Figure, int]:
        numbers = _values(found[0])
        end = found.end()
        if ordinal := _ORDINAL.match(self.text, end):
            end = ordinal.end()
        if day := self._day(found.start(), end, numbers):
            return day
        if half := _HALF_OF_DAY.match(self.text, end):
            return self._half(found[0], half)
        before = self.text[max(0, found.start() - 24) : found.start()]
        if money := _CURRENCY_BEFORE.search(before):
            unit = self.known.units[money[1] or money[2]]
            return self._amount(numbers, unit, end)
        if unit_found := self._unit(end):
            unit, after = unit_found
            return self._amount(numbers, unit, after, self._times(found, after, before))
        label = self._label(before, end)
        if label:
            return Figure("label", numbers, tuple((label, number) for number in numbers)), end
        return Figure("bare", numbers, _dotted(found[0])), end

    def _times(self, found: re.Match[str], end: int, before: str) -> tuple[tuple[str, float], ...]:
        """The time of day that a number with "uur" or "h" behind it may be: "tot 14 uur", "8.30 uur"."""
        unit = _UNIT.match(self.text, found.end())
        if unit is None or unit.end() != end or unit[1] not in self.known.clock_units:
            return ()
        word = _WORD_BEFORE.search(before)
        if not self.source and word and word[1] not in self.known.clock_before:
            return ()
        hour = float(found[0]) if found[0].isdigit() else 25.0
        return self._either_half(hour * 60) if hour <= 24 else _dotted(found[0])

    def _either_half(self, worth: float) -> tuple[tuple[str, float], ...]:
        """A time that an answer says without its half of the day: "om acht uur" is said of what closes at 20 uur."""
        if self.source or worth >= _NOON:
            return (("clock", worth),)
        return ("clock", worth), ("clock", worth + _NOON)

    def _half(self, written: str, half: re.Match[str]) -> tuple[Figure, int]:
        hour, _, minute = written.partition(".")
        at = _time(int(re.sub(r"\D", "", hour)), int(minute or 0) if minute.isdigit() else 0, half[1])
        return Figure("amount", (float(int(re.sub(r"\D", "", hour))),), (("clock", at),)), half.end()

    def _day(self, start: int, end: int, numbers: tuple[float, ...]) -> tuple[Figure, int] | None:
        """A day of a month that is named after or before it."""
        if not numbers[0].is_integer() or not 1 <= numbers[0] <= 31:
            return None
        after = _MONTH_AFTER.match(self.text, end)
        if after and (month := self.known.months.get(after[1])):
            return Figure("date", numbers, ((f"month {month}", numbers[0]),)), after.end()
        before = _MONTH_BEFORE.search(self.text, max(0, start - 20), start)
        if before and (month := self.known.months.get(before[1])):
            return Figure("date", numbers, ((f"month {month}", numbers[0]),)), end
        return None

    def _unit(self, end: int) -> tuple[MeasureUnit, int] | None:
        """The unit after a number, also behind one adjective: "20 free minutes"."""
        found = _UNIT.match(self.text, end)
        if found and (unit := self.known.units.get(found[1])):
            return unit, found.end()
        adjective = _ADJECTIVE.match(self.text, end)
        if adjective and not self._joins(adjective[1]):
            found = _UNIT.match(self.text, adjective.end() - 1)
            if found and (unit := self.known.units.get(found[1])):
                return unit, found.end()
        return None

    def _joins(self, word: str) -> bool:
        return word in self.known.per or word in self.known.labels or word in _NO_ADJECTIVES

    def _amount(
        self, numbers: tuple[float, ...], unit: MeasureUnit, end: int, times: tuple[tuple[str, float], ...] = ()
    ) -> tuple[Figure, int]:
        worth = tuple((unit.kind, _rounded(number * unit.one)) for number in numbers)
        per, end = self._per(end)
        return Figure("amount", numbers, (*times, *worth) if times else worth, per), end

    def _per(self, end: int) -> tuple[Per, int]:
        found = _AFTER_UNIT.match(self.text, end)
        if found and (found[1] or found[2] in self.known.per) and (unit := self.known.units.get(found[4])):
            return (unit.kind, _rounded(float(found[3] or 1) * unit.one)), (end if found[3] else found.end())
        daily = _DAILY.match(self.text, end)
        if daily and daily[1] in self.known.daily:
            return ("minutes", 1440.0), daily.end()
        return None, end

    def _label(self, before: str, end: int) -> str | None:
        """What the number numbers: a label before it, or after an ordinal ("3e verdieping")."""
        word = _WORD_BEFORE.search(before)
        if word and word[1] in self.known.labels:
            return self.known.labels[word[1]]
        following = _DAILY.match(self.text, end)
        return self.known.labels.get(following[1]) if following and self.text[end - 1].isalpha() else None


_NO_ADJECTIVES = frozenset("after before until from with voor vanaf tussen avant apres depuis dopo prima dalle".split())


def _in_unit_of(second: Figure, number: float) -> Iterator[tuple[str, float]]:
    """What a number is worth as the first of a range of which `second` is the last."""
    for kind, worth in second.amounts:
        if kind == "clock":
            yield kind, number * 60
            yield kind, number * 60 + 720
        elif second.numbers and second.numbers[0]:
            yield kind, _rounded(number * worth / second.numbers[0])


def _values(written: str) -> tuple[float, ...]:
    """What a written number may be: "1.500" is one and a half in English and fifteen hundred in Dutch."""
    if "/" in written:
        whole, _, ratio = written.rpartition(" ")
        over, under = (float(part) for part in ratio.split("/"))
        return (_rounded(float(whole or 0) + over / under),) if under else (over,)
    digits = re.sub(r"[ ']", "", written)
    marks = re.findall(r"[.,]", digits)
    if not marks:
        return (float(digits),)
    decimal = float(
        re.sub(r"[.,]", "", digits[: digits.rindex(marks[-1])]) + "." + digits[digits.rindex(marks[-1]) + 1 :]
    )
    grouped = re.fullmatch(r"[1-9]\d{0,2}(?:[.,]\d{3})+", digits)
    whole_number = float(re.sub(r"[.,]", "", digits))
    if grouped:
        return (decimal, whole_number) if len(marks) == 1 else (whole_number,)
    return (decimal,)


def _dotted(written: str) -> tuple[tuple[str, float], ...]:
    """The time of day that "8.30" may be."""
    found = _DOTTED_TIME.fullmatch(written)
    return (("clock", _time(int(found[1]), int(found[2]), None)),) if found else ()


def _time(hour: int, minute: int, half: str | None) -> float:
    """Minutes since midnight; `half` is `a` or `p` where the clock has twelve hours."""
    if half is not None:
        hour = hour % 12 + (12 if half == "p" else 0)
    return float(hour * 60 + minute)


def _written_date(written: str) -> Figure:
    parts = [int(part) for part in re.findall(r"\d+", written)]
    year, month, day = parts if parts[0] > 31 else reversed(parts)
    return Figure("date", (float(day), float(year)), ((f"month {month}", float(day)),))


def _phone(written: str) -> str:
    """The digits of a telephone number without the zeros that only a caller at home dials."""
    return re.sub(r"\D", "", written.replace("(0)", "")).lstrip("0")


def _rounded(value: float) -> float:
    return round(value, 6)
