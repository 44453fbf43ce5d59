"""Says numbers with what they count: units, percentages, ranges, ordinals, and numbers alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from careline.speech import language_data
from careline.speech.spoken.number_words import ordinal
from careline.speech.spoken.written_number import AnswerAccumulator, WrittenNumber, dash_at, join_range, read_number

_UNIT = re.compile(
    r"[ \u00a0\u202f]?(?!x[ \u00a0]?[0-9])"
    r"(°[CF]?|[%‰€]|m[23]|[^\W\d_]{1,6}(?:/[^\W\d_]{1,4})?[²³]?)(?![^\W_]|['’][^\W_])"
)
_FULL_STOP = re.compile(r"\.(?=[;,)]|[ \u00a0][a-zà-ÿ(])")
_ORDINAL = re.compile(r"([1-9][0-9]{0,2})(°(?=[ \u00a0][a-zà-ÿ])|º|ª|[^\W\d_]{1,4})(?![^\W_]|['’][^\W_])")


def ranked(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """The ordinal that begins at `at`: "1e", "2nd", "3ème", "4°"."""
    match = _ORDINAL.match(text, at)
    gender = _ordinal_suffixes(language).get(match[2]) if match else None
    if match is None or gender is None or (match[2] == "°" and language != "it"):
        return None
    return match.end(), ordinal(int(match[1]), language, gender == "f")


def measured(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """The number or range with a unit that begins at `at`, or the range without one."""
    number = read_number(text, at, language)
    if number is None:
        return None
    other = _upper_end(text, number, language)
    last = other or number
    unit_end, unit = unit_at(text, last.end, language)
    if other is None:
        return (unit_end, number.with_unit(unit, language)) if unit else None
    high = other.with_unit(unit, language) if unit else other.said(language)
    return unit_end, join_range(number.said(language), high, text, at, language)


def counted(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """The number that begins at `at`, by itself."""
    number = read_number(text, at, language)
    return None if number is None else (number.end, number.said(language))


def _upper_end(text: str, low: WrittenNumber, language: str) -> WrittenNumber | None:
    """The number behind a dash, if the two are a range: the second is greater, and no third follows."""
    dash = dash_at(text, low.end)
    high = read_number(text, dash, language) if dash is not None else None
    if high is None or dash_at(text, high.end) is not None or max(len(low.digits), len(high.digits)) > 9:
        return None
    if (low.digits[0] == "0" and len(low.digits) > 1) or (high.digits[0] == "0" and len(high.digits) > 1):
        return None
    whole = int(low.digits), int(high.digits)
    return high if whole[0] < whole[1] or (whole[0] == whole[1] and low.decimals < high.decimals) else None


def unit_at(text: str, at: int, language: str) -> tuple[int, tuple[str, ...]]:
    """Where the unit at `at` ends and its names after one and after several, "f" behind them where these are feminine;
    `at` itself and no names where there is none."""
    match = _UNIT.match(text, at)
    if match is None:
        return at, ()
    end, names = match.end(), _names(match[1], language)
    counted, _, by = match[1].partition("/")
    if names is None and by and by.lower() in language_data.table(language, "per"):
        # "3x/dag": what it is counted by stands behind the unit.
        end, names = match.start(1) + len(counted), _names(counted, language)
    if names is None:
        return at, ()
    stop = _FULL_STOP.match(text, end)
    return (stop.end() if stop else end), names


def _names(unit: str, language: str) -> tuple[str, ...] | None:
    """What a unit is called; a litre is written with either letter."""
    return _units(language).get(unit) or _units(language).get(unit.replace("L", "l"))


@cache
def _units(language: str) -> Mapping[str, tuple[str, ...]]:
    return language_data.lists(language, "units")


@cache
def _ordinal_suffixes(language: str) -> Mapping[str, str]:
    return language_data.table(language, "numbers", "ordinal_suffixes")
