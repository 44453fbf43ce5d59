"""Calendar dates and dates of birth, typed and said in every order the four languages use."""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from careline.model import Span, SpanType
from careline.privacy.normalised_text import NormalisedText
from careline.privacy.recognisers import address_patterns as street
from careline.privacy.recognisers import date_patterns as look
from careline.privacy.recognisers.birth import birth_rule, is_corrected
from careline.privacy.vocabulary import either, pattern, words

_REACH = 48
"""Characters on either side that say what a number is."""
_FRACTIONS = frozenset({(1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 5)})
_ALWAYS = (24, 7)
_OUT_OF_TEN = 10
_SURE_DAY = 13
"""From this ordinal on it is rather a day of the month than a floor, a door or a turn."""
_THIS_CENTURY = 30
"""A year of two digits below this is one of the present century."""


@dataclass(frozen=True, slots=True)
class _Date:
    start: int
    end: int
    rule: str
    year: int | None = None
    only_of_birth: bool = False


def find(reading: NormalisedText) -> Iterator[Span]:
    """Dates, partial ones too; never weekdays, times of day, years or months alone."""
    born: list[int] = []
    for date in _dates(reading):
        if _names_a_street(reading, date.start):
            continue
        rule = birth_rule(reading, date.start, date.end, date.year)
        if rule is None and is_corrected(reading, born, date.start):
            rule = "cue"
        if rule is not None:
            insort(born, date.end)
            yield reading.span(date.start, date.end, SpanType.DATE_OF_BIRTH, f"birth/{rule}")
        elif not date.only_of_birth:
            yield reading.span(date.start, date.end, SpanType.DATE, f"date/{date.rule}")


def _dates(reading: NormalisedText) -> Iterator[_Date]:
    yield from _in_words(reading)
    yield from _month_first(reading)
    yield from _numeric(reading)
    yield from _spaced(reading)
    yield from _partial(reading)
    yield from _weekday(reading)
    yield from _day_alone(reading)
    yield from _said_pair(reading)
    yield from _said_twice(reading)
    yield from _of_birth(reading)


def _names_a_street(reading: NormalisedText, start: int) -> bool:
    before = reading.figures[max(0, start - _REACH) : start]
    return bool(street.before_day().search(before)) and not street.instead().search(before)


def _in_words(reading: NormalisedText) -> Iterator[_Date]:
    for match in look.day_then_month(reading.language).finditer(reading.figures):
        end, year = _year_behind(reading, match.end())
        if year is None and _ends_sentence().search(match.group()):
            end -= 1
        if year is not None or not _may_verb().match(reading.figures[match.end() - 3 : match.end() + 10]):
            yield _Date(match.start(), end, "month", year)
    for match in look.month_then_year(reading.language).finditer(reading.figures):
        if not _counted(reading, match.end()):
            yield _Date(match.start(), match.end(), "month-year", _year(match.group(1)))
    for match in look.both_ordinal().finditer(reading.figures):
        if reading.language == "nl" and b" of " in match.group():
            # In Dutch that is "the first or the second".
            continue
        yield _Date(match.start(), match.end(), "ordinals")


def _month_first(reading: NormalisedText) -> Iterator[_Date]:
    for match in look.month_then_day().finditer(reading.figures):
        end, year = _year_behind(reading, match.end())
        plain_number = match.group(2) is not None and match.group(2).isdigit()
        word = match.group(1) in (b"may", b"march", b"mar")
        if plain_number and year is None and (_counted(reading, end) or (word and not _stands_alone(reading, match))):
            continue
        yield _Date(match.start(), end, "month-first", year)


def _stands_alone(reading: NormalisedText, match: Any) -> bool:
    """Whether `may 3` is no verb with a number: nobody is named before it, and nothing is counted after it."""
    return not _pronoun().search(reading.figures[max(0, match.start() - _REACH) : match.start()])


def _numeric(reading: NormalisedText) -> Iterator[_Date]:
    for match in look.numeric().finditer(reading.figures):
        first, second, year = int(match.group(1)), int(match.group(2)), _year(match.group(3))
        if _is_day(first, second) and _unjoined(reading, match.start(), match.end()):
            yield _Date(match.start(), match.end(), "numeric", year)
    for match in look.year_first().finditer(reading.figures):
        if _is_day(int(match.group(3)), int(match.group(2))) and _unjoined(reading, match.start(), match.end()):
            yield _Date(match.start(), match.end(), "numeric", int(match.group(1)))


def _spaced(reading: NormalisedText) -> Iterator[_Date]:
    """Day, month and year with nothing but spaces between; of two digits the year counts only after a word of birth."""
    for match in look.spaced().finditer(reading.figures):
        if _spaced_alone(reading, match.start(), match.end()):
            year = match.group(3).replace(b" ", b"")
            short = len(year) < 4
            only = short and not look.dated().search(reading.figures[max(0, match.start() - _REACH) : match.start()])
            yield _Date(match.start(), match.end(), "spaced", None if short else int(year), only_of_birth=only)


def _partial(reading: NormalisedText) -> Iterator[_Date]:
    for match in look.slashed().finditer(reading.figures):
        pair = int(match.group(1)), int(match.group(2))
        padded = b"0" in (match.group(1)[:1], match.group(2)[:1])
        fraction = pair in _FRACTIONS and not padded
        if not _is_day(*pair) or pair == _ALWAYS or not _unjoined(reading, match.start(), match.end()):
            continue
        if _measured(reading, match, out_of_ten=pair[1] == _OUT_OF_TEN) or (fraction and not _led(reading, match)):
            continue
        yield _Date(match.start(), match.end(), "partial")
    for match in look.dashed().finditer(reading.figures):
        if int(match.group(1)) <= 31 and not _counted(reading, match.end()):
            yield _Date(match.start(1), match.end(), "partial")


def _weekday(reading: NormalisedText) -> Iterator[_Date]:
    for match in look.weekday().finditer(reading.figures):
        if not _counted(reading, match.end()) and not _clock().match(reading.figures[match.end() : match.end() + 8]):
            yield _Date(match.start(1), match.end(), "weekday")


def _day_alone(reading: NormalisedText) -> Iterator[_Date]:
    """A day of the month alone: `on the 22nd`, `jusqu'au trente`."""
    for match in look.day_alone().finditer(reading.figures):
        group = next(each for each in (1, 3, 5) if match.group(each))
        start, end = match.span(group)
        if _is_free(reading, start, end, hinted=int(match.group(group + 1)) >= _SURE_DAY):
            yield _Date(start, end, "day")
    if reading.language not in (None, "fr", "it"):
        return
    for match in look.plain_pair().finditer(reading.figures):
        if not _counted(reading, match.end()):
            yield _Date(match.start(1), match.end(), "pair")
    for match in look.plain_day(reading.language).finditer(reading.figures):
        if _is_free(reading, match.start(1), match.end(1), hinted=False):
            yield _Date(match.start(1), match.end(1), "day")


def _said_pair(reading: NormalisedText) -> Iterator[_Date]:
    """Day and month in words with nothing between, beside a word of an appointment or a stay."""
    for match in look.said_pair(reading.language).finditer(reading.figures):
        start, end = match.start(1), match.end()
        first, last = reading.origin(start, end)
        typed = any(character.isdigit() for character in reading.text[first:last])
        if typed or not _spaced_alone(reading, start, end) or _counted(reading, end):
            continue
        around = reading.figures[max(0, start - _REACH) : start] + b" . " + reading.figures[end : end + _REACH]
        storey = look.storey(reading.language).search(around)
        if not storey and (match.group(1) == match.group(2) or look.hint(reading.language).search(around)):
            yield _Date(start, end, "pair")


def _said_twice(reading: NormalisedText) -> Iterator[_Date]:
    """Day and month alike, said before a time of the day."""
    for match in look.said_twice(reading.language).finditer(reading.figures):
        start, end = match.span(1)
        first, last = reading.origin(start, end)
        if any(character.isdigit() for character in reading.text[first:last]):
            continue
        before = reading.figures[max(0, start - _REACH) : start]
        if _spaced_alone(reading, start, end) and not look.storey(reading.language).search(before):
            yield _Date(start, end, "pair")


def _is_free(reading: NormalisedText, start: int, end: int, *, hinted: bool) -> bool:
    """Whether a number is a day of the month by the words around it; `hinted` when it is one by itself."""
    if _counted(reading, end):
        return False
    if look.week().search(reading.figures[max(0, start - _REACH) : start]):
        return True
    if not look.follower().match(reading.figures[end : end + _REACH]):
        return False
    before, after = reading.figures[max(0, start - _REACH) : start], reading.figures[end : end + _REACH]
    around = before + b" . " + after
    hinted = hinted or bool(look.hint(reading.language).search(around))
    return hinted and not look.storey(reading.language).search(around)


def _of_birth(reading: NormalisedText) -> Iterator[_Date]:
    """Years, months and rows of digits that are a date beside a word of birth alone."""
    for find in (look.born_year(), look.descended_year()):
        for match in find.finditer(reading.figures):
            yield _Date(match.start(1), match.end(1), "year", _year(match.group(1)), only_of_birth=True)
    for match in look.born_month().finditer(reading.figures):
        yield _Date(match.start(1), match.end(1), "month-year", only_of_birth=True)
    if reading.language in (None, "fr"):
        for match in look.said_day_in_one().finditer(reading.figures):
            if _spaced_alone(reading, match.start(1), match.end(1)):
                yield _Date(match.start(1), match.end(1), "spaced", only_of_birth=True)
    for match in look.born_in_figures().finditer(reading.figures):
        if _is_day(int(match.group(2)), int(match.group(3))):
            yield _Date(match.start(1), match.end(1), "figures", only_of_birth=True)


def _year_behind(reading: NormalisedText, end: int) -> tuple[int, int | None]:
    """Where a date ends when the year behind it is counted in, and the year."""
    match = look.year_behind().match(reading.figures, end)
    if match is None or _counted(reading, match.end()):
        return end, None
    short = len(match.group(1)) < 4
    if short and re.match(rb"[ ]?[\d:.,/-]+\d|[ ]\d", reading.figures[match.end() : match.end() + 4]):
        return end, None
    return match.end(), _year(match.group(1))


def _year(written: bytes) -> int:
    digits = re.sub(rb"\D", b"", written)
    year = int(digits)
    if len(digits) > 2:
        return year
    return year + (2000 if year < _THIS_CENTURY else 1900)


def _is_day(day: int, month: int) -> bool:
    """Whether two numbers are a day and a month, in either order."""
    return 1 <= min(day, month) <= 12 and max(day, month) <= 31


def _unjoined(reading: NormalisedText, start: int, end: int) -> bool:
    """Whether no further digits are joined on either side, as in a telephone number."""
    before, after = reading.figures[max(0, start - 2) : start], reading.figures[end : end + 2]
    return not re.search(rb"\d[./-]$", before) and not re.match(rb"[./-]\d", after)


def _spaced_alone(reading: NormalisedText, start: int, end: int) -> bool:
    before, after = reading.figures[max(0, start - 3) : start], reading.figures[end : end + 3]
    return not re.search(rb"\d[ ,./+-]{1,2}$", before) and not re.match(rb"[ ,./-]{0,2}[\d%]", after)


def _counted(reading: NormalisedText, end: int) -> bool:
    """Whether something is counted or timed right after a number: `3 people`, `14 uur`, `14:30`."""
    return bool(_unit().match(reading.figures[end : end + 20]))


def _measured(reading: NormalisedText, match: Any, *, out_of_ten: bool) -> bool:
    """Whether two numbers with a slash are a blood pressure, a score, a room or a part of something."""
    before = reading.figures[max(0, match.start() - _REACH) : match.start()]
    after = reading.figures[match.end() : match.end() + _REACH]
    if (_no_date().search(before) and not _dated().search(before)) or _counted(reading, match.end()):
        return True
    if _scored().search(before) and not _led(reading, match):
        return True
    return out_of_ten and bool(_score().search(before + b" . " + after))


def _led(reading: NormalisedText, match: Any) -> bool:
    return bool(_lead().search(reading.figures[max(0, match.start() - _REACH) : match.start()]))


@cache
def _unit() -> Any:
    return pattern(rf"^(?: ?{either(words('dates', 'units'))}\b|:\d| ?[%$])")


@cache
def _clock() -> Any:
    return pattern(rf"^(?: ?-| ?/|[:.,]\d| {either(words('dates', 'to'))} | \d)")


@cache
def _no_date() -> Any:
    return pattern(rf"\b{either(words('dates', 'not_before'))}\b[ :]*(?:[a-z~'-]+ ){{0,3}}$")


@cache
def _dated() -> Any:
    """What a day stands right after, and no score ("the pain began on")."""
    return pattern(r"\b(?:on|il|dal|fino al|le|depuis le|op|sinds|since)\b ?$")


@cache
def _scored() -> Any:
    """A scale, and up to some words and scores on it."""
    more = r"(?:[a-z~']{1,12},? |\d{1,2}/\d{1,2},? )"
    return pattern(rf"\b{either(words('dates', 'scores'))}\b[ :]*{more}{{0,7}}$")


@cache
def _score() -> Any:
    return pattern(rf"\b{either((*words('dates', 'not_before'), *words('dates', 'scores')))}\b")


@cache
def _lead() -> Any:
    return pattern(rf"\b{either(words('dates', 'lead'))} ?$")


@cache
def _ends_sentence() -> Any:
    """The full stop behind a month that is written in full."""
    return pattern(r"[a-z]{5,}\.$")


@cache
def _may_verb() -> Any:
    """`only two may come`."""
    return pattern(rf"^may {either(words('dates', 'verbs'))}\b")


@cache
def _pronoun() -> Any:
    return pattern(rf"\b{either(words('dates', 'pronouns'))} $")
