"""Reads one number as it is written in a language, and says it.

What a reading gives (`AnswerAccumulator`) is where the text goes on and what is spoken for the part before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from careline.speech import language_data
from careline.speech.spoken.number_words import cardinal, one_by_one, pair

AnswerAccumulator = tuple[int, str]
Sign = Literal["minus", "plus", "over", "out_of", "ratio", "point", "comma", "times", "decimal", "thousand"]

LONGEST_CARDINAL = 9
"""Digits up to which a number is said as one; longer ones are codes, said digit by digit in threes."""
VULGAR_FRACTIONS: Mapping[str, tuple[int, int]] = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5),
    "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
}  # fmt: skip
"""Signs of Unicode that are a fraction each: what is above the line and what is below."""
_POINT_GROUPS = re.compile(r"([1-9][0-9]{0,2}(?:[.\u00a0\u202f][0-9]{3}){1,2}(?![0-9])|[0-9]+)(?:([.,])([0-9]+))?")
_SPACE_GROUPS = re.compile(r"([1-9][0-9]{0,2}(?:[. \u00a0\u202f][0-9]{3}){1,2}(?![0-9])|[0-9]+)(?:([.,])([0-9]+))?")
_COMMA_GROUPS = re.compile(r"([1-9][0-9]{0,2}(?:[,\u00a0\u202f][0-9]{3}){1,2}(?![0-9])|[0-9]+)(?:([.,])([0-9]+))?")
_PATTERNS = {"nl": _POINT_GROUPS, "en": _COMMA_GROUPS, "fr": _SPACE_GROUPS, "it": _POINT_GROUPS}
"""Thousands stand in groups of three, parted by a point, by a comma in English, by a space as well in French."""
_DASH = re.compile(rf"[ \u00a0]?[-–—][ \u00a0]?(?=[0-9€$£{''.join(VULGAR_FRACTIONS)}])")
_LAST_WORD = re.compile(r"([^\W\d_]{1,24})(?:['’.]|[ \u00a0]?:)?\s?$")


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A number and where it ends. `digits` are those of its whole part, `decimals` of the other, with its sign."""

    end: int
    digits: str
    separator: str = ""
    decimals: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether there are no decimals."""
        return not self.decimals

    def said(self, language: str) -> str:
        """The number in words."""
        whole = say_digits(self.digits, language)
        if self.is_whole:
            return whole
        sign = signs(language)["point" if self.separator == "." else "comma"]
        return f"{whole} {sign} {_say_decimals(self.separator, self.decimals, language)}"

    def with_unit(self, unit: tuple[str, ...], language: str) -> str:
        """The number and its unit: `unit` is its name after one, after several, and "f" where that is feminine."""
        one = self.is_whole and self.digits == "1"
        single = one or (language == "fr" and self.digits in {"0", "1"})
        said = agreeing(self.said(language), one, "f" in unit[2:], language)
        if said == "una" and unit[0][0] in "aeiou":
            return f"un'{unit[0]}"
        return f"{said} {unit[0] if single else unit[1]}"


def agreeing(said: str, one: bool, feminine: bool, language: str) -> str:
    """A number before a noun: "une heure", "vingt et une heures", "un euro", "una volta"."""
    if language == "fr" and feminine and said.endswith("un"):
        return f"{said}e"
    if language == "it" and one:
        return "una" if feminine else "un"
    return said


def read_number(text: str, at: int, language: str) -> WrittenNumber | None:
    """The number that begins at `at`, None where none does."""
    match = _PATTERNS[language].match(text, at)
    if match is None:
        return None
    digits = "".join(c for c in match[1] if c.isdigit())
    return WrittenNumber(match.end(), digits, match[2] or "", match[3] or "")


def say_digits(digits: str, language: str) -> str:
    """A whole number of any length. Zeros in front are said, so digit by digit."""
    if len(digits) > LONGEST_CARDINAL:
        return ", ".join(one_by_one(digits[start : start + 3], language) for start in range(0, len(digits), 3))
    if digits[0] == "0" and len(digits) > 1:
        return one_by_one(digits, language)
    return cardinal(int(digits), language)


def _say_decimals(separator: str, decimals: str, language: str) -> str:
    in_digits = language_data.text(language, "numbers", "decimals") == "digits"
    if len(decimals) > 2 or (in_digits and separator == signs(language)["decimal"]):
        return say_digits(decimals, language) if len(decimals) > LONGEST_CARDINAL else one_by_one(decimals, language)
    return pair(decimals, language)


def join_range(
    low: str, high: str, text: str, at: int, language: str, kind: Literal["plain", "clock"] = "plain"
) -> str:
    """ "Acht tot twintig uur". What stands before `at` in the text may have opened the range ("dalle 8-20")."""
    forms = language_data.table(language, "numbers", "range")
    before = word_before(text, at)
    opened = before in _openers(language, "range_openers")
    if before in _openers(language, "clock_openers"):
        kind = "clock"
    form = {"plain": "opened", "clock": "clock_opened"}[kind] if opened else kind
    return forms[form].format(low=low, high=high)


def dash_at(text: str, at: int) -> int | None:
    """Where a dash between two figures ends, None where there is none at `at`."""
    match = _DASH.match(text, at)
    return match.end() if match else None


def word_before(text: str, at: int) -> str:
    """The word just before a place, in small letters, at most 24 characters of it."""
    match = _LAST_WORD.search(text[max(0, at - 24) : at])
    return match[1].lower() if match else ""


@cache
def signs(language: str) -> Mapping[str, str]:
    """What signs between figures are called, and which mark parts decimals."""
    return language_data.table(language, "numbers", "signs")


@cache
def _openers(language: str, key: str) -> frozenset[str]:
    return frozenset(language_data.texts(language, "numbers", key))
