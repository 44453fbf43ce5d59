"""Says times of day and the hours between two of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from careline.speech import language_data
from careline.speech.spoken.number_words import cardinal
from careline.speech.spoken.written_number import AnswerAccumulator, agreeing, dash_at, join_range, word_before

_HOUR, _MINUTES, _UNIT = (
    r"([01]?[0-9]|2[0-4])",
    r"([0-5][0-9])",
    r"(?:uur|u|heures|heure|hrs|hours|h|Uhr)\b(?:\.(?=[;,)]|[ \u00a0][a-zà-ÿ(]))?",
)
_END = r"(?![0-9]|[.:,][0-9])"
_CLOCK = re.compile(rf"{_HOUR}(?::|[ \u00a0]?[hu][ \u00a0]?){_MINUTES}(?:[ \u00a0]?{_UNIT})?(?![0-9]|[.:,][0-9])")
_FULL = re.compile(rf"{_HOUR}[ \u00a0]?{_UNIT.replace('hrs|hours|', '')}(?!['’]|-[^\W\d])")
_HALF_DAY = re.compile(r"(1[0-2]|0?[1-9])(?:[:.]([0-5][0-9]))?[ \u00a0]?([apAP])(?:\.[ ]?[mM]\b\.?|[mM]\b\.?)")
_HALF_DAY_AFTER = re.compile(r"[ \u00a0]?[apAP]\.?[ ]?[mM]\b")
_DOTTED = re.compile(rf"{_HOUR}\.{_MINUTES}{_END}")
_STROKE_AND_TIME = re.compile(rf"[ \u00a0]?/[ \u00a0]?(?={_HOUR}\.{_MINUTES}{_END})")
"""Other hours of the same day: "9.00-12.00/13.00-17.00"."""
_DASH_OR_STROKE = re.compile(r"[ \u00a0]?[-–—][ \u00a0]?|/")
_UNIT_AFTER = re.compile(rf"[ \u00a0]?{_UNIT}")
_OTHER_AFTER = re.compile(
    rf"[ \u00a0]?(?:-|–|tot|en|à|et|to|and|e)[ \u00a0]?[0-9][0-9]?\.[0-9][0-9][ \u00a0]?(?:{_UNIT}|[apAP]\.?[mM]\b)"
)
_AMOUNT_AFTER = re.compile(
    r"[0-9]|[.:,][0-9]|[ \u00a0]?[€%°$£]"
    r"|[ \u00a0]?(?:[mµμ]?g|m?l|euro|EUR|CHF|francs?|franchi|frank|[mk]mol|mmHg|U[IE]|I[UE])(?![^\W\d_])"
)
_GOES_ON = re.compile(
    rf"(?:[ \u00a0](?:tot|to|until|till|à|and|en|et)[ \u00a0]{_HOUR}\.{_MINUTES})?"
    r"(?=$|[,;:)]|\.(?![0-9])|[ \u00a0](?:tot|en|op|elke|to|until|till|and|on|every|daily|à|et|le|jusqu)\b"
    r"(?![ \u00a0][0-9]))"
)
"""What stands behind a time or a range of two; behind a length or a number of tablets stands what they are of."""
_LISTED_BEFORE = re.compile(
    r"([0-9]{1,2}\.[0-9]{2})(?:[ \u00a0]?[-–][ \u00a0]?[0-9]{1,2}\.[0-9]{2})?"
    r"(?:,|;|[ \u00a0](?:en|et|and|e|of|ou|or|o))[ \u00a0]$"
)
_LONGEST_LIST = 6
"""Times of a list behind one opener."""
_QUARTERS = frozenset((0, 15, 30, 45))
_FIRST_HOUR = 6
"""From which two dotted numbers are hours in English too, where they may as well be values of a laboratory."""
_BARE = re.compile(r"([01]?[0-9]|2[0-4])(?=[ \u00a0]?[-–—][ \u00a0]?[0-9])")
_BARE_RANGE = re.compile(
    rf"{_HOUR}[ \u00a0]?[-–][ \u00a0]?{_HOUR}(?=$|[,;)]|\.(?![0-9])|[ \u00a0](?:$|[^\W\d_]{{2}}))"
)
"""Hours behind a day of the week, which need no unit: "Monday 9-5"."""
_NOON = 12
_SENTENCE = 120
"""Characters on each side in which a word of hours says what numbers are."""
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")
_NAMED_BEFORE = re.compile(r"[a-zà-ÿ][A-ZÀ-Þ][^\W_]{0,6}[:=]?[ \u00a0]$")
"""What is measured is written with a capital inside: "pH 7.35-7.45"."""


@dataclass(frozen=True, slots=True)
class _Time:
    end: int
    hour: int
    minute: int
    half: str = ""
    """ "a" or "p" where the text says which half of the day."""


def time(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """The time, or the range of two, that begins at `at`. A point stands in doses, prices and versions too: between
    hours and minutes only where what is around it says so."""
    if (range_ := _dotted_range(text, at, language)) is not None:
        return range_
    if (bare := _BARE_RANGE.match(text, at)) and word_before(text, at) in _days(language):
        first, last = (cardinal(int(hour), language) for hour in bare.groups())
        return bare.end(), join_range(first, last, text, at, language, "clock")
    low = _time(text, at, language)
    start = low.end if low is not None else _bare_end(text, at)
    dash = dash_at(text, start) if start is not None else None
    high = _time(text, dash, language) if dash is not None else None
    if high is None:
        return None if low is None else (low.end, _said(_before_joint(low, text, language), language))
    low = None if low is None else _in_the_morning(low, high, language)
    first = _said(low, language) if low is not None else cardinal(int(text[at:start]), language)
    return high.end, join_range(first, _said(high, language), text, at, language, "clock")


def _in_the_morning(low: _Time, high: _Time, language: str) -> _Time:
    """The clock of 24 hours: "9:00 to 17:00" begins in the morning."""
    is_morning = language == "en" and high.hour > _NOON and 0 < low.hour < _NOON and not high.half
    return replace(low, half=low.half or "a") if is_morning else low


def _before_joint(low: _Time, text: str, language: str) -> _Time:
    """The first of two times with a word between them, by the second: "10:00 to 19:30" begins in the morning."""
    joint = _joints(language).match(text, low.end)
    high = None if joint is None else _time(text, joint.end(), language)
    return low if high is None else _in_the_morning(low, high, language)


def _dotted_range(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """Two times with points, or one and a full hour behind it, and what is said of the hours between: "13.30-17.00"."""
    first = _DOTTED.match(text, at)
    joint = None if first is None else _joint(text, first.end(), language)
    if first is None or joint is None:
        return None
    last = _DOTTED.match(text, joint.end())
    if last is None:
        return _to_full_hour(text, at, first, joint, language)
    unit = _UNIT_AFTER.match(text, last.end())
    low, high = _of(first), replace(_of(last), end=unit.end() if unit else last.end())
    if not unit and not (_is_said_together(joint, high, text) and _are_hours(low, high, text, at, language)):
        return None
    said = _joined(_in_the_morning(low, high, language), high, joint[0], text, at, language)
    if stroke := _STROKE_AND_TIME.match(text, high.end):
        return stroke.end(), f"{said}, "
    return high.end, said


def _is_said_together(joint: re.Match[str], high: _Time, text: str) -> bool:
    """Whether the two end what is said of them; behind a word, lengths and doses go on with what they are of."""
    if _HALF_DAY_AFTER.match(text, high.end):
        return False
    return _DASH_OR_STROKE.fullmatch(joint[0]) is not None or _GOES_ON.match(text, high.end) is not None


def _to_full_hour(
    text: str, at: int, first: re.Match[str], joint: re.Match[str], language: str
) -> AnswerAccumulator | None:
    """ "13.30-17 uur": the unit says what both are."""
    full = _FULL.match(text, joint.end())
    if full is None or language == "it":
        return None
    high = _Time(full.end(), int(full[1]), 0)
    low = _in_the_morning(_of(first), high, language)
    return high.end, _joined(low, high, joint[0], text, at, language)


def _joined(low: _Time, high: _Time, joint: str, text: str, at: int, language: str) -> str:
    first, last = _said(low, language), _said(high, language)
    if _DASH_OR_STROKE.fullmatch(joint):
        return join_range(first, last, text, at, language, "clock")
    return f"{first}{joint}{last}"


def _joint(text: str, at: int, language: str) -> re.Match[str] | None:
    return _DASH_OR_STROKE.match(text, at) or _joints(language).match(text, at)


def _are_hours(low: _Time, high: _Time, text: str, at: int, language: str) -> bool:
    """Whether two dotted numbers are hours: no amount and no measure, and of work or of visits. In English a point is
    that of decimals as well: without a word of hours only whole quarters of a day's work are hours."""
    if _AMOUNT_AFTER.match(text, high.end) or _is_measured(text, at, language):
        return False
    if (low.hour, low.minute) == (high.hour, high.minute) or high.hour * 60 + high.minute > 24 * 60:
        return False
    if _near_word_of_hours(text, at, high.end, language):
        return True
    if language != "en":
        return word_before(text, at) in _words(language, "openers") or not _is_measurement_like(low, high)
    return low.hour >= _FIRST_HOUR and {low.minute, high.minute} <= _QUARTERS


def _is_measurement_like(low: _Time, high: _Time) -> bool:
    """Whether numbers are more likely values than hours: minutes that no timetable of visits has, in small numbers."""
    return high.hour < _FIRST_HOUR


def _is_measured(text: str, at: int, language: str) -> bool:
    """Whether what stands before is measured, costs or is numbered."""
    before = text[max(0, at - 24) : at]
    return word_before(text, at) in _words(language, "others") or _NAMED_BEFORE.search(before) is not None


def _near_word_of_hours(text: str, at: int, end: int, language: str) -> bool:
    """Whether the sentence has a word of hours or a day of the week."""
    before = _SENTENCE_END.split(text[max(0, at - _SENTENCE) : at])[-1]
    behind = _SENTENCE_END.split(text[end : end + _SENTENCE])[0]
    return _of_hours(language).search(f"{before} {behind}") is not None


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


def _of(match: re.Match[str]) -> _Time:
    return _Time(match.end(), int(match[1]), int(match[2]))


def _dotted(text: str, at: int, language: str) -> _Time | None:
    match = _DOTTED.match(text, at)
    if match is None:
        return None
    if unit := _UNIT_AFTER.match(text, match.end()):
        return replace(_of(match), end=unit.end())
    if _is_measured(text, at, language):
        return None
    return _of(match) if _is_told(match, text, at, language) or _OTHER_AFTER.match(text, match.end()) else None


def _is_told(match: re.Match[str], text: str, at: int, language: str) -> bool:
    """Whether an opener or a word of hours before a dotted number, or before the list it is of, says that it is one."""
    if _AMOUNT_AFTER.match(text, match.end()) or not (language == "it" or _GOES_ON.match(text, match.end())):
        return False
    for _ in range(_LONGEST_LIST):
        before = word_before(text, at)
        if before in _words(language, "openers") or before in _words(language, "hours"):
            return True
        listed = _LISTED_BEFORE.search(text[max(0, at - 24) : at])
        if listed is None:
            return False
        at = max(0, at - 24) + listed.start()
    return False


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


@cache
def _words(language: str, key: str) -> frozenset[str]:
    return frozenset(language_data.texts(language, "clock_words", key))


@cache
def _days(language: str) -> frozenset[str]:
    return frozenset(name.lower() for name in language_data.table(language, "menu", "days").values())


@cache
def _joints(language: str) -> re.Pattern[str]:
    joining = "|".join(language_data.texts(language, "clock_words", "joints"))
    return re.compile(rf"[ \u00a0](?:{joining})[ \u00a0]")


@cache
def _of_hours(language: str) -> re.Pattern[str]:
    days = language_data.table(language, "menu", "days").values()
    words = {*language_data.texts(language, "clock_words", "hours"), *days}
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, sorted(words)))})(?![^\W_])", re.IGNORECASE)
