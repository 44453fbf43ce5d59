"""Says times of day and the hours between two of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from careline.speech import language_data
from careline.speech.spoken.number_words import cardinal
from careline.speech.spoken.written_number import AnswerAccumulator, agreeing, dash_at, join_range, word_before

_HOUR, _MINUTES, _UNIT = (
    r"([01]?[0-9]|2[0-4])",
    r"([0-5][0-9])",
    r"(?:uur|u|heures|heure|h|Uhr)\b(?:\.(?=[;,)]|[ \u00a0][a-zà-ÿ(]))?",
)
_END = r"(?![0-9]|[.:,][0-9])"
_CLOCK = re.compile(rf"{_HOUR}(?::|[ \u00a0]?[hu][ \u00a0]?){_MINUTES}(?:[ \u00a0]?{_UNIT})?{_END}")
_FULL = re.compile(rf"{_HOUR}[ \u00a0]?{_UNIT}(?!['’]|-[^\W\d])")
_HALF_DAY = re.compile(r"(1[0-2]|0?[1-9])(?:[:.]([0-5][0-9]))?[ \u00a0]?([apAP])(?:\.[ ]?[mM]\b\.?|[mM]\b\.?)")
_DOTTED = re.compile(rf"{_HOUR}\.{_MINUTES}")
_DOTTED_RANGE = re.compile(
    rf"{_HOUR}\.{_MINUTES}[ \u00a0]?[-–][ \u00a0]?{_HOUR}\.{_MINUTES}(?![0-9]|[.:,][0-9])(?:[ \u00a0]?{_UNIT})?"
)
_UNIT_AFTER = re.compile(rf"[ \u00a0]?{_UNIT}")
_OTHER_AFTER = re.compile(
    rf"[ \u00a0]?(?:-|–|tot|en|à|et|to|and|e)[ \u00a0]?[0-9][0-9]?\.[0-9][0-9][ \u00a0]?(?:{_UNIT}|[apAP]\.?[mM]\b)"
)
_AMOUNT_AFTER = re.compile(
    r"[0-9]|[.:,][0-9]|[ \u00a0]?(?:[mµμ]?g|m?l|€|%|euro|EUR|CHF|francs?|franchi|frank)(?![^\W\d_])"
)
_GOES_ON = re.compile(
    rf"(?:[ \u00a0](?:tot|to|until|till|à|and|en|et)[ \u00a0]{_HOUR}\.{_MINUTES})?"
    r"(?=$|[,;:)]|\.(?![0-9])|[ \u00a0](?:tot|en|op|elke|to|until|till|and|on|every|daily|à|et|le|jusqu)\b"
    r"(?![ \u00a0][0-9]))"
)
"""What stands behind a time or a range of two; behind a length or a number of tablets stands what they are of."""
_QUARTERS = frozenset((0, 15, 30, 45))
_FIRST_HOUR = 6
"""From which two dotted numbers are hours in English too, where they may as well be values of a laboratory."""
_BARE = re.compile(r"([01]?[0-9]|2[0-4])(?=[ \u00a0]?[-–—][ \u00a0]?[0-9])")
_OPENERS = {
    "nl": frozenset({"van", "tot", "om", "vanaf", "tussen"}),
    "en": frozenset({"from", "until", "till", "at", "between"}),
    "fr": frozenset({"à", "de", "dès", "entre", "vers"}),
    "it": frozenset({"ore", "alle", "dalle", "tra", "le"}),
}
"""A point also stands in doses, prices and versions; between hours and minutes only where its neighbours say so."""


_NOON = 12


@dataclass(frozen=True, slots=True)
class _Time:
    end: int
    hour: int
    minute: int
    half: str = ""
    """ "a" or "p" where the text says which half of the day."""


def time(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """The time, or the range of two, that begins at `at`."""
    if (match := _DOTTED_RANGE.match(text, at)) and _is_of_hours(match, text, language):
        hours = (_Time(0, int(match[1]), int(match[2])), _Time(0, int(match[3]), int(match[4])))
        first, last = (_said(hour, language) for hour in hours)
        return match.end(), join_range(first, last, text, at, language, "clock")
    low = _time(text, at, language)
    start = low.end if low is not None else _bare_end(text, at)
    dash = dash_at(text, start) if start is not None else None
    high = _time(text, dash, language) if dash is not None else None
    if high is None:
        return (low.end, _said(low, language)) if low is not None else None
    if low is not None and language == "en" and high.hour > _NOON and 0 < low.hour < _NOON:
        # The clock of 24 hours: "9:00 to 17:00" begins in the morning.
        low = replace(low, half=low.half or "a")
    first = _said(low, language) if low is not None else cardinal(int(text[at:start]), language)
    return high.end, join_range(first, _said(high, language), text, at, language, "clock")


def _is_of_hours(found: re.Match[str], text: str, language: str) -> bool:
    """Whether two dotted numbers are hours: no amount, and in English whole quarters of a day's work."""
    if _AMOUNT_AFTER.match(text, found.end()):
        return False
    minutes = {int(found[2]), int(found[4])}
    return language != "en" or (int(found[1]) >= _FIRST_HOUR and minutes <= _QUARTERS)


def _bare_end(text: str, at: int) -> int | None:
    match = _BARE.match(text, at)
    return match.end() if match else None


def _time(text: str, at: int, language: str) -> _Time | None:
    if match := _HALF_DAY.match(text, at):
        return _Time(match.end(), int(match[1]), int(match[2] or 0), match[3].lower())
    if match := _CLOCK.match(text, at):
        return _Time(match.end(), int(match[1]), int(match[2]), _half_of(match[1]) if language == "en" else "")
    if language in {"nl", "fr"} and (match := _FULL.match(text, at)):
        return _Time(match.end(), int(match[1]), 0)
    return _dotted(text, at, language)


def _half_of(hour: str) -> str:
    """The morning for an hour with a nought before it, as the clock of 24 hours is written; "" for any other."""
    return "a" if hour[0] == "0" and int(hour) else ""


def _dotted(text: str, at: int, language: str) -> _Time | None:
    match = _DOTTED.match(text, at)
    if match is None:
        return None
    if unit := _UNIT_AFTER.match(text, match.end()):
        return _Time(unit.end(), int(match[1]), int(match[2]))
    is_opened = word_before(text, at) in _OPENERS.get(language, frozenset())
    is_amount = bool(_AMOUNT_AFTER.match(text, match.end()))
    goes_on = language == "it" or bool(_GOES_ON.match(text, match.end()))
    if (is_opened and goes_on and not is_amount) or _OTHER_AFTER.match(text, match.end()):
        return _Time(match.end(), int(match[1]), int(match[2]))
    return None


def _said(time: _Time, language: str) -> str:
    if time.half or language == "en":
        return _twelve_hours(time, language)
    units = language_data.table(language, "clock")
    unit = units["one"] if time.hour in {0, 1} else units["many"]
    hour = agreeing(cardinal(time.hour, language), time.hour == 1, language in {"fr", "it"}, language)
    minutes = cardinal(time.minute, language)
    return units["with_minutes" if time.minute else "full"].format(hour=hour, unit=unit, minutes=minutes)


def _twelve_hours(time: _Time, language: str) -> str:
    """The twelve-hour clock: "two thirty p.m."; hours that are written up to twelve without a half stay without one."""
    if not time.half and not time.minute and time.hour in {0, 12, 24}:
        return language_data.text("en", "clock", "noon" if time.hour == 12 else "midnight")
    half = time.half or ("p" if 12 < time.hour < 24 else "a" if time.hour in {0, 24} else "")
    hour = cardinal(time.hour % 12 or 12, language)
    if not time.minute:
        return f"{hour} {half}.m." if half else language_data.text("en", "clock", "full").format(hour=hour)
    oh = "oh " if time.minute < 10 and language == "en" else ""
    return f"{hour} {oh}{cardinal(time.minute, language)}" + (f" {half}.m." if half else "")
