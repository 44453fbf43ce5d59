"""Says numbers that name something: emergency numbers, rooms and routes, postal codes."""

from __future__ import annotations

import re
from functools import cache

from careline.speech import language_data
from careline.speech.spoken.number_words import one_by_one, pair
from careline.speech.spoken.quantities import unit_at
from careline.speech.spoken.written_number import AnswerAccumulator, say_digits, word_before

_ALONE = 20
"""Characters of a text that may be a number and nothing else."""
_WHOLE = re.compile(r"[0-9]{2,5}(?![0-9]|[.,:/-][0-9])")
_POSTAL = re.compile(r"[1-9][0-9]{3,4}(?=[ \u00a0][A-ZÀ-Þ]{1,2}[a-zà-ÿ '’]|[ \u00a0]?[A-Z]{2}\b)")
_BEFORE_POSTAL = re.compile(r"(?:^|[,\n–] ?|\b[A-Z]{1,2}-)$")


def code(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """The number that begins at `at`, where its neighbours show that it names something."""
    whole = _WHOLE.match(text, at)
    before = word_before(text, at)
    if whole and (said := _short_number(text, at, whole, before, language)):
        return said
    if whole and len(whole[0]) > 3 and _is_dialled(text, at, whole, language):
        return whole.end(), _as_dialled(whole[0], language)
    if whole and len(whole[0]) == 4 and before in _words(language, "codes_after"):
        return whole.end(), _in_pairs(whole[0], language)
    postal = _POSTAL.match(text, at)
    is_measured = postal is not None and bool(unit_at(text, postal.end(), language)[1])
    if postal and not is_measured and _BEFORE_POSTAL.search(text[max(0, at - 4) : at]):
        if postal[0].endswith("00"):
            return postal.end(), say_digits(postal[0], language)
        short = len(postal[0]) == 4 and language_data.text(language, "numbers", "phone") == "pairs"
        return postal.end(), _in_pairs(postal[0], language) if short else one_by_one(postal[0], language)
    return None


def _short_number(text: str, at: int, whole: re.Match[str], before: str, language: str) -> AnswerAccumulator | None:
    """A number of three or four figures that everybody knows by its sound, where it is dialled."""
    said = language_data.table(language, "numbers", "short").get(whole[0])
    dialled = before in _words(language, "short_after") or (len(text) < _ALONE and whole[0] == text.strip())
    return (whole.end(), said) if said and dialled else None


def _is_dialled(text: str, at: int, whole: re.Match[str], language: str) -> bool:
    """Whether a number is told as one to dial, and counts nothing: "appelez le 3624"."""
    if unit_at(text, whole.end(), language)[1]:
        return False
    return _dialled(language).search(text[max(0, at - 40) : at]) is not None


def _as_dialled(digits: str, language: str) -> str:
    """Four digits in pairs where telephone numbers are, any others one by one."""
    in_pairs = len(digits) == 4 and language_data.text(language, "numbers", "phone") == "pairs"
    return _in_pairs(digits, language) if in_pairs else one_by_one(digits, language)


@cache
def _dialled(language: str) -> re.Pattern[str]:
    words = "|".join(language_data.texts(language, "numbers", "dialled_after"))
    beside = "|".join(language_data.texts(language, "numbers", "dialled_beside"))
    return re.compile(rf"(?<![^\W_])(?:{words})\.?[ \u00a0]?:?[ \u00a0](?:(?:{beside})[ \u00a0])?$", re.IGNORECASE)


def _in_pairs(digits: str, language: str) -> str:
    return " ".join(pair(digits[start : start + 2], language) for start in range(0, len(digits), 2))


@cache
def _words(language: str, key: str) -> frozenset[str]:
    return frozenset(language_data.texts(language, "numbers", key))
