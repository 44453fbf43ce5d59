"""Telephone numbers, typed in any grouping or dictated digit by digit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from careline.model import Span, SpanType
from careline.privacy.dictation.runs import Run
from careline.privacy.normalised_text import NormalisedText
from careline.privacy.recognisers import cues
from careline.privacy.vocabulary import either, pattern, shared, words

_NATIONAL = range(9, 12)
"""Digits of a number with its leading zero in Belgium, the Netherlands, France, Italy, Ireland and Britain."""
_WORLD = range(7, 16)
_ANNOUNCED = range(6, 16)
_BELGIAN_MOBILE = re.compile(r"04[5-9]\d{7}")
_ITALIAN_MOBILE = re.compile(r"3[2-9]\d{8}")
_ITALIAN_LANDLINE = re.compile(r"0[1-9]\d{4,9}")
_AMERICAN = re.compile(rb"(?:\(\d{3}\) ?|\b\d{3}[-.])\d{3}[-.]\d{4}\b")
_ITALIAN_FREE = re.compile(rb"\b8(?:00|03|40|48)[ .-](?:[ .-]?\d){6}\b")
_NORTH_AMERICAN = re.compile(r"1?[2-9]\d{2}[2-9]\d{6}")
_OF_RUN = 90
"""Characters before the end of a number in which its area code is called one."""
_REACH = 24
"""Characters before a number in which its plus sign stands."""
_DATED = re.compile(rb"\d{1,2}([/.-])\d{1,2}\1(?:\d\d)?\d\d\b")


def find(reading: NormalisedText) -> Iterator[Span]:
    """Numbers with a country's code or a leading zero, and announced ones of six digits or more."""
    for run in reading.runs:
        for first in range(len(run.groups)):
            last = _last(reading, run, first)
            if last is not None:
                yield _span(reading, run, first, last, "phone/plan")
    for look in (_AMERICAN, _ITALIAN_FREE):
        for match in look.finditer(reading.figures):
            yield reading.span(match.start(), match.end(), SpanType.PHONE, "phone/plan")
    yield from _named(reading)
    for run in reading.runs:
        last = run.groups[-1].end
        digits = "".join(each.digits for each in run.groups)
        if _NORTH_AMERICAN.fullmatch(digits) and _area().search(_just_before(reading, last, _OF_RUN)):
            yield _span(reading, run, 0, len(run.groups) - 1, "phone/cue")


def _named(reading: NormalisedText) -> Iterator[Span]:
    """What is called a telephone number, and any long number that is merely called somebody's number."""
    for run, first in cues.runs_after(reading, "phone", "cues"):
        if not _DATED.match(reading.figures, run.groups[first].start):
            yield from _announced(reading, run, first)
    for run, first in cues.runs_after(reading, "phone", "vague"):
        for last, _ in list(run.spellings(first, _WORLD))[-1:]:
            if not _DATED.match(reading.figures, run.groups[first].start):
                yield _span(reading, run, first, last, "phone/vague")
    for match in _reached().finditer(reading.figures):
        found = reading.run_at.get(match.start(1))
        if found is not None and not _DATED.match(reading.figures, match.start(1)):
            yield from _announced(reading, *found)
    for run in cues.runs_before(reading, "phone", "cues"):
        yield from _announced(reading, run, 0)


def _announced(reading: NormalisedText, run: Run, first: int) -> Iterator[Span]:
    last = _last(reading, run, first)
    spelled = [last] if last is not None else [each for each, _ in run.spellings(first, _ANNOUNCED)][-1:]
    for each in spelled:
        yield _span(reading, run, first, each, "phone/cue")


def _last(reading: NormalisedText, run: Run, first: int) -> int | None:
    """Index of the group with which a telephone number ends that starts with another; None when none does."""
    group = run.groups[first]
    if _plus().search(_just_before(reading, group.start)):
        return _abroad(run, first, 0)
    if group.digits.startswith("00") or _zeros(run, first):
        return _abroad(run, first, 2)
    if group.digits[0] == "0":
        return _home(reading, run, first)
    if first == 0 and group.digits[0] == "3" and _ITALIAN_MOBILE.fullmatch("".join(each.digits for each in run.groups)):
        return len(run.groups) - 1
    return None


def _zeros(run: Run, first: int) -> bool:
    return [each.digits for each in run.groups[first : first + 2]] == ["0", "0"] and len(run.groups) > first + 2


def _home(reading: NormalisedText, run: Run, first: int) -> int | None:
    spelled = list(run.spellings(first, _NATIONAL))
    for last, digits in spelled:
        if _BELGIAN_MOBILE.fullmatch(digits):
            return last
    if spelled:
        return spelled[-1][0] if spelled[-1][1][1] != "0" else None
    if reading.language in (None, "it") and first == 0:
        digits = "".join(each.digits for each in run.groups)
        if len(digits) > 7 and _ITALIAN_LANDLINE.fullmatch(digits) and not _timetable(run):
            return len(run.groups) - 1
    return None


def _timetable(run: Run) -> bool:
    """Whether a run could be dates or opening hours: nothing but pairs."""
    return all(len(group.digits) <= 2 for group in run.groups)


def _abroad(run: Run, first: int, prefix: int) -> int | None:
    """Where a number ends that starts with a country's code after `prefix` digits."""
    best = None
    for last, digits in run.spellings(first, range(_WORLD.start, _WORLD.stop + 3)):
        number = digits[prefix:]
        for length in (1, 2, 3):
            fewest, most = shared("country_codes").get(number[:length], (99, 0))
            rest = number[length:]
            if fewest <= len(rest.removeprefix("0")) and len(rest) - rest.startswith("0") <= most:
                best = last
    if best is None and not prefix:
        unknown = [last for last, _ in run.spellings(first, _WORLD)]
        best = unknown[-1] if unknown else None
    return best


def _span(reading: NormalisedText, run: Run, first: int, last: int, rule: str) -> Span:
    start = run.groups[first].start
    opening = _opening().search(_just_before(reading, start))
    begin = start - len(opening.group()) if opening else start
    return reading.span(begin, run.groups[last].end, SpanType.PHONE, rule)


def _just_before(reading: NormalisedText, position: int, reach: int = _REACH) -> bytes:
    return reading.figures[max(0, position - reach) : position]


@cache
def _reached() -> Any:
    """`call my eldest son at 617`. Group 1 is the first digit."""
    verbs, at = either(words("phone", "reach")), either(words("phone", "reached_at"))
    return pattern(rf"\b{verbs} (?:[a-z~']{{1,12}} ){{1,3}}{at} (\d)")


@cache
def _area() -> Any:
    return pattern(rf"\b{either(words('phone', 'area'))}\b")


@cache
def _plus() -> Any:
    return pattern(rf"(?:\+|\b{either(words('phone', 'plus'))} )[ (]*$")


@cache
def _opening() -> Any:
    return pattern(rf"(?:(?:\+|\b{either(words('phone', 'plus'))} )[ (]*|\()$")
