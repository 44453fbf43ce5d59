"""Says abbreviated days of the week: "ma 8-12u, wo 13-16u", "Mon-Fri", "lun., mer. et ven.", "dom chiuso".

Many of them are words of their own ("zo", "Sun", "mer", "dom"), so one counts only where it is plain that it is a day:
hours, a date or "closed" stand behind it, or it stands among other days.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from careline.speech import language_data
from careline.speech.spoken.written_number import word_before

_SPACE = r"[ \u00a0\u202f]"
_HOUR_UNIT = r"(?:u|h|uur|am|pm|a\.m|p\.m|heures?|ore)(?![^\W\d_])"
_DASH_JOINT = re.compile(rf"{_SPACE}?[-–—]{_SPACE}?")
_LIST_JOINT = re.compile(rf"{_SPACE}?[/+]{_SPACE}?")
_COMPOUND_BEFORE = re.compile(r"[^\W_][-–/]$")
_COMPOUND_BEHIND = re.compile(r"[-–/][^\W\d_]")
_NUMBER_BEFORE = re.compile(r"[0-9]\.?[ \u00a0]$")
_STOP_ENDS = re.compile(r"\s+[A-ZÀ-Þ\"“«(]|\s*$")


@dataclass(frozen=True, slots=True)
class _Day:
    """A day as it is written, from `start` to `end` in the text with its full stop. `letters`: 0 for a full name,
    1 for one letter, 2 for an abbreviation that is a common word, 3 for any other."""

    start: int
    end: int
    said: str
    letters: int
    has_stop: bool


@dataclass(frozen=True, slots=True)
class _Words:
    """What days are called in one language, and what stands around them."""

    day: re.Pattern[str]
    said: Mapping[str, tuple[str, int]]
    months: frozenset[str]
    joint: re.Pattern[str]
    evidence: re.Pattern[str]


def spoken_weekdays(text: str, language: str) -> str:
    """The text with the abbreviations of days in full; everything else, and what may be no day, stays as it is."""
    words = _words(language)
    parts: list[str] = []
    at = 0
    runs = [run for run in _runs(text, words) if not _is_of_compound(run, text)]
    for run in runs:
        if not _are_days(run, text, words, among_others=len(runs) > 1):
            continue
        parts += [text[at : run[0].start], _said(run, text, language)]
        at = run[-1].end
    return "".join([*parts, text[at:]])


def _runs(text: str, words: _Words) -> list[list[_Day]]:
    """Days with nothing but joints between them."""
    runs: list[list[_Day]] = []
    for match in words.day.finditer(text):
        said, letters = words.said[match[1].lower()]
        if match[1].lower() in words.months and _NUMBER_BEFORE.search(text[: match.start()][-3:]):
            continue
        found = _Day(match.start(), match.end(), _cased(said, match[1]), letters, match[2] == ".")
        before = runs[-1][-1] if runs else None
        if before is not None and words.joint.fullmatch(text, before.end, found.start):
            runs[-1].append(found)
        else:
            runs.append([found])
    return runs


def _joints(run: list[_Day], text: str) -> list[str]:
    return [text[one.end : other.start] for one, other in pairwise(run)]


def _is_of_compound(run: list[_Day], text: str) -> bool:
    """Whether the words are parts of a longer one: "di-ester", "extra-mar"."""
    return _COMPOUND_BEFORE.search(text[: run[0].start][-2:]) is not None or (
        _COMPOUND_BEHIND.match(text, run[-1].end) is not None
    )


def _are_days(run: list[_Day], text: str, words: _Words, *, among_others: bool) -> bool:
    """Whether it is plain that the words of a run are days, and one of them is abbreviated."""
    joints = _joints(run, text)
    is_range = bool(joints) and all(_DASH_JOINT.fullmatch(joint) for joint in joints)
    if all(one.letters == 0 for one in run):
        return is_range
    if len({one.said.lower() for one in run}) < len(run):
        return False
    has_evidence = words.evidence.match(text, run[-1].end) is not None
    fewest = min(one.letters for one in run if one.letters)
    if fewest == 1:
        return is_range and has_evidence
    if fewest == 2:
        return is_range or (has_evidence and (len(run) > 1 or (among_others and _opens_part(text, run[0].start))))
    return has_evidence or (bool(joints) and not any(joint.isspace() for joint in joints))


def _opens_part(text: str, at: int) -> bool:
    """Whether a part of a sentence begins here, as a day does before its hours."""
    before = text[max(0, at - 2) : at].rstrip()
    return not before or before[-1] in ",;:(|–"


def _said(run: list[_Day], text: str, language: str) -> str:
    joints = _joints(run, text)
    is_dash = [_DASH_JOINT.fullmatch(joint) is not None for joint in joints]
    parts: list[str] = []
    at = 0
    while at < len(run):
        alone = at < len(joints) and is_dash[at] and not (at and is_dash[at - 1]) and not any(is_dash[at + 1 : at + 2])
        if alone:
            parts.append(_through(run[at].said, run[at + 1].said, text, run[at].start, language))
            at += 1
        else:
            parts.append(run[at].said)
        if at < len(joints):
            is_sign = is_dash[at] or _LIST_JOINT.fullmatch(joints[at])
            parts.append(", " if is_sign else joints[at])
        at += 1
    ends = run[-1].has_stop and _STOP_ENDS.match(text, run[-1].end)
    return "".join(parts) + ("." if ends else "")


def _through(first: str, last: str, text: str, at: int, language: str) -> str:
    """ "Lundi" and "vendredi" as "du lundi au vendredi"; a preposition that the text has is not said twice."""
    said = language_data.text(language, "menu", "through").format(first=first, last=last)
    opener, _, rest = said.partition(" ")
    return rest if opener.lower() == word_before(text, at) else said


def _cased(said: str, written: str) -> str:
    return said[:1].upper() + said[1:] if written[:1].isupper() else said


@cache
def _words(language: str) -> _Words:
    short = language_data.table(language, "dates", "weekdays_short")
    said = {name.lower(): (name, 0) for name in language_data.table(language, "menu", "days").values()}
    said.update((short_name.lower(), (name, min(len(short_name), 2))) for short_name, name in short.items())
    weekdays = language_data.table(language, "dates", "weekdays")
    said.update((short_name.lower(), (name, 3)) for short_name, name in weekdays.items())
    spelled = {form for name in said for form in _spellings(name, language)}
    names = "|".join(sorted(map(re.escape, spelled), key=lambda name: (-len(name), name)))
    joining = "|".join(map(re.escape, language_data.texts(language, "dates", "weekday_joints")))
    whole_months = language_data.texts(language, "dates", "months")
    months = {*whole_months, *language_data.table(language, "dates", "short_months")}
    openers = "|".join(map(re.escape, language_data.texts(language, "clock_words", "openers")))
    until = rf"{_SPACE}(?:{joining}){_SPACE}[0-9]"
    hours = rf"[0-9]{{1,2}}(?:[.:hu][0-9]|{_SPACE}?[-–—]|{_SPACE}?{_HOUR_UNIT}|{until}|/[0-9])"
    day_of_month = rf"[0-9]{{1,2}}(?:er|e|st|nd|rd|th)?{_SPACE}(?:{'|'.join(sorted(months))})"
    closed = re.escape(language_data.text(language, "menu", "closed"))
    return _Words(
        re.compile(rf"(?<![\w'’.@])({names})(\.?)(?![\w@])"),
        said,
        frozenset(name.lower() for name in months),
        re.compile(
            rf"{_SPACE}?[-–—/+]{_SPACE}?|,{_SPACE}?(?:(?:{joining}){_SPACE})?|{_SPACE}(?:{joining}){_SPACE}|{_SPACE}"
        ),
        re.compile(rf"[ \u00a0:,(]{{0,3}}(?:(?:{openers}){_SPACE})?(?:{hours}|{day_of_month}|{closed})"),
    )


def _spellings(name: str, language: str) -> tuple[str, ...]:
    """How a day may be written; in English a capital tells "Sun" and "Sat" from words."""
    capital = (name[:1].upper() + name[1:], name.upper())
    return capital if language == "en" else (name, *capital)
