"""Writes everything that holds figures, and abbreviations, the way it is said; commas make the voice pause.

Speech engines guess at figures, in the wrong language at times, so none is left to them. One walk over the text asks
each reading in turn at each figure; what no reading knows is a number by itself, so no digit is left over or lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from careline.model import LANGUAGES
from careline.speech import language_data
from careline.speech.spoken.abbreviations import spoken_abbreviations, spoken_mail
from careline.speech.spoken.codes import code
from careline.speech.spoken.dates import date
from careline.speech.spoken.fractions import fraction
from careline.speech.spoken.phones import phone
from careline.speech.spoken.prices import SIGNS, price
from careline.speech.spoken.quantities import counted, measured, ranked
from careline.speech.spoken.signs import spoken_signs
from careline.speech.spoken.times import time
from careline.speech.spoken.weekdays import spoken_weekdays
from careline.speech.spoken.written_number import VULGAR_FRACTIONS, AnswerAccumulator, Sign, signs

NumberReading = Callable[[str, int, str], AnswerAccumulator | None]

READINGS: tuple[NumberReading, ...] = (date, price, time, phone, fraction, ranked, code, measured, counted)
"""Asked in this order. Each gives where the text goes on and what is said, or None."""

_VULGAR = "".join(VULGAR_FRACTIONS)
_START = re.compile(rf"(?:{SIGNS})(?=[ \u00a0]?[0-9])|\((?=[+0]?[0-9])|[+−-](?=[0-9])|[0-9{_VULGAR}]")
_BETWEEN: Mapping[str, Sign] = {"/": "over", ":": "ratio", ".": "point", "x": "times", "×": "times", "+": "plus"}
_JOINT = re.compile(r"([/:.+])(?=[0-9])|[ \u00a0]?([x×])[ \u00a0]?(?=[0-9])|([,-])(?=[0-9])")
_REACHED, _HIGHEST = re.compile(r"(?<![0-9/.,])([0-9]{1,3})$"), re.compile(r"/(5|10|20|100)(?![0-9/]|[.,][0-9])")
_PER_FIGURE = re.compile(r"/(?=[0-9])")
"""Behind a unit that is counted by another: "30 ml/min/1,73 m²"."""
_PER = re.compile(r"[ \u00a0]?/[ \u00a0]?([^\W\d_]{1,9})(?![^\W_])")


def spoken_numbers(text: str, language: str) -> str:
    """The text with figures, units and abbreviations in words; in a language that has no data it stays as it is.

    Covers telephone numbers, times, prices, dates, ranges, quantities with units, ordinals, postal codes, rooms and
    what is left of numbers. Two numbers in a row get a pause, or "2 1000" would be "deux mille". Takes time in
    proportion to the length of the text.
    """
    if language not in LANGUAGES:
        return text
    text = spoken_weekdays(spoken_signs(spoken_mail(text, language), language), language)
    text = spoken_abbreviations(text, language)
    parts: list[str] = []
    at = 0
    while (start := _START.search(text, at)) is not None:
        gap = text[at : start.start()]
        _add("," + gap if gap.isspace() and at else gap, parts)
        at = _say(text, start.start(), language, parts)
    return "".join([*parts, text[at:]])


def _say(text: str, at: int, language: str, parts: list[str]) -> int:
    """Adds what is said at one place, and gives where the text goes on."""
    said = next((said for reading in READINGS if (said := reading(text, at, language)) is not None), None)
    if said is None:
        _add(_sign(text, at, language), parts)
        return at + 1
    end, spoken = said
    if parts and parts[-1][-1].isalpha():
        _add(" ", parts)
    _add(spoken, parts)
    if spoken.endswith(".") and text[end : end + 1] == ".":
        return end + 1
    end, joint = _joint(text, end, language)
    _add(joint or (" " if text[end : end + 1].isalpha() else ""), parts)
    return end


def _add(piece: str, parts: list[str]) -> None:
    if piece:
        parts.append(piece)


def _sign(text: str, at: int, language: str) -> str:
    """A sign before a figure that no reading took: said where it belongs to a number, else as it was."""
    alone = at == 0 or not text[at - 1].isalnum()
    if alone and text[at] in "+−-":
        return f"{signs(language)['plus' if text[at] == '+' else 'minus']} "
    return text[at]


def _joint(text: str, at: int, language: str) -> tuple[int, str]:
    """What is said between a figure and the next, or between a figure and what it is counted by ("/uur")."""
    if match := _JOINT.match(text, at):
        sign = match[1] or match[2]
        named = "out_of" if sign == "/" and _is_score(text, at) else _BETWEEN.get(sign or "")
        return match.end(), ", " if named is None else f" {signs(language)[named]} "
    said = ""
    while (match := _PER.match(text, at)) is not None:
        name = _per(language).get(match[1]) or _per(language).get(match[1].lower())
        if name is None:
            break
        at, said = match.end(), f"{said} {language_data.text(language, 'per_word')} {name}"
    if said and _PER_FIGURE.match(text, at):
        at, said = at + 1, f"{said} {language_data.text(language, 'per_word')} "
    return at, said


def _is_score(text: str, at: int) -> bool:
    """Whether a stroke stands between a score and the highest one: "7/10"; a blood pressure has the greater before."""
    reached, highest = _REACHED.search(text[max(0, at - 4) : at]), _HIGHEST.match(text, at)
    return reached is not None and highest is not None and int(reached[1]) <= int(highest[1])


@cache
def _per(language: str) -> Mapping[str, str]:
    return language_data.table(language, "per")
