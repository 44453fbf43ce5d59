"""Writes numbers in words in Dutch, English, French and Italian.

The words are data (`data/numbers_<language>.yaml`); how they join is grammar and stands here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from careline.speech import language_data

MOST = 999_999_999
"""Beyond this digits are said one by one."""
_ENGLISH_CENTURIES = range(1100, 2100)
_ACCENTED_E = re.compile(r"[ée]$")


def cardinal(number: int, language: str) -> str:
    """The number in words: "tweeëntwintig", "twenty-two", "vingt-deux", "ventidue". `number` is 0 to `MOST`."""
    return _CARDINALS[language](number)


def ordinal(number: int, language: str, feminine: bool = False) -> str:
    """The ordinal in words: "tweeëntwintigste", "twenty-second", "vingt-deuxième", "ventiduesimo"."""
    return _ORDINALS[language](number, feminine)


def year(number: int, language: str) -> str:
    """A year as it is said: English parts 1985 into "nineteen eighty-five", the other languages count it."""
    century, rest = divmod(number, 100)
    if language != "en" or number not in _ENGLISH_CENTURIES or 2000 <= number < 2010:
        return cardinal(number, language)
    if not rest:
        return f"{cardinal(century, language)} hundred"
    return f"{cardinal(century, language)} {'oh ' if rest < 10 else ''}{cardinal(rest, language)}"


def one_by_one(digits: str, language: str) -> str:
    """Each digit by itself: "nul een zes"."""
    ones = _ones(language)
    return " ".join(ones[int(digit)] for digit in digits)


def pair(digits: str, language: str) -> str:
    """Two digits as one number; with a zero in front both are said: "nul vijf"."""
    return one_by_one(digits, language) if digits[0] == "0" else cardinal(int(digits), language)


@cache
def _ones(language: str) -> tuple[str, ...]:
    return language_data.texts(language, "numbers", "ones")


@cache
def _tens(language: str) -> tuple[str, ...]:
    return language_data.texts(language, "numbers", "tens")


def _dutch(number: int) -> str:
    if number == 1:
        return _ones("nl")[1]
    if number < 1000:
        return _dutch_below_thousand(number)
    if 1100 <= number < 2000:
        return f"{_dutch_below_thousand(number // 100)}honderd{_dutch_rest(number % 100)}"
    millions, rest = divmod(number, 1_000_000)
    thousands, rest = divmod(rest, 1000)
    parts = [f"{_dutch(millions)} miljoen"] if millions else []
    if thousands:
        parts.append(f"{'' if thousands == 1 else _dutch_below_thousand(thousands)}duizend")
    return " ".join([*parts, _dutch_below_thousand(rest)] if rest else parts)


def _dutch_below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return _dutch_rest(rest) or _ones("nl")[0]
    return f"{'' if hundreds == 1 else _ones('nl')[hundreds]}honderd{_dutch_rest(rest)}"


def _dutch_rest(number: int) -> str:
    """Below a hundred, nothing for zero; the accents of "één" are for the number that stands alone."""
    if number < 20:
        return "" if number == 0 else _ones("nl")[number].replace("é", "e")
    tens, unit = divmod(number, 10)
    if not unit:
        return _tens("nl")[tens]
    word = _ones("nl")[unit].replace("é", "e")
    return f"{word}{'ën' if word.endswith('e') else 'en'}{_tens('nl')[tens]}"


def _english(number: int) -> str:
    if number < 100:
        return _english_below_hundred(number)
    parts: list[str] = []
    for size, name in ((1_000_000, "million"), (1000, "thousand"), (100, "hundred")):
        count, number = divmod(number, size)
        if count:
            parts.append(f"{_english(count)} {name}")
    if number:
        parts.append(f"and {_english_below_hundred(number)}")
    return " ".join(parts)


def _english_below_hundred(number: int) -> str:
    if number < 20:
        return _ones("en")[number]
    tens, unit = divmod(number, 10)
    return _tens("en")[tens] if not unit else f"{_tens('en')[tens]}-{_ones('en')[unit]}"


def _french(number: int) -> str:
    millions, rest = divmod(number, 1_000_000)
    thousands, rest = divmod(rest, 1000)
    parts = [f"{_french_below_thousand(millions)} {'million' if millions == 1 else 'millions'}"] if millions else []
    if thousands:
        counted = _french_below_thousand(thousands).removesuffix("s") if thousands % 100 in {0, 80} else None
        parts.append("mille" if thousands == 1 else f"{counted or _french_below_thousand(thousands)} mille")
    return " ".join([*parts, _french_below_thousand(rest)] if rest or not parts else parts)


def _french_below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return _french_below_hundred(rest)
    said = "cent" if hundreds == 1 else f"{_ones('fr')[hundreds]} cent"
    if not rest:
        return said if hundreds == 1 else f"{said}s"
    return f"{said} {_french_below_hundred(rest)}"


def _french_below_hundred(number: int) -> str:
    if number < 20:
        return _ones("fr")[number]
    tens, unit = divmod(number, 10)
    word = _tens("fr")[tens]
    if not unit:
        return f"{word}s" if tens == 8 else word
    return f"{word} et un" if unit == 1 and tens != 8 else f"{word}-{_ones('fr')[unit]}"


def _italian(number: int) -> str:
    millions, rest = divmod(number, 1_000_000)
    parts = ["un milione" if millions == 1 else f"{_italian_below_million(millions)} milioni"] if millions else []
    return " ".join([*parts, _italian_below_million(rest)] if rest or not parts else parts)


def _italian_below_million(number: int) -> str:
    thousands, rest = divmod(number, 1000)
    if not thousands:
        return _italian_below_thousand(rest)
    counted = _italian_below_thousand(thousands)
    said = "mille" if thousands == 1 else f"{counted[:-1] if counted.endswith('uno') else counted}mila"
    return said + (_accented(_italian_below_thousand(rest)) if rest else "")


def _italian_below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return _italian_below_hundred(rest)
    said = "cento" if hundreds == 1 else f"{_ones('it')[hundreds]}cento"
    word = _italian_below_hundred(rest) if rest else ""
    return (said[:-1] if word.startswith("ott") else said) + _accented(word)


def _italian_below_hundred(number: int) -> str:
    if number < 20:
        return _ones("it")[number]
    tens, unit = divmod(number, 10)
    word = _tens("it")[tens]
    if not unit:
        return word
    return (word[:-1] if unit in {1, 8} else word) + _accented(_ones("it")[unit])


def _accented(word: str) -> str:
    """The last word of a compound: "tre" takes an accent there."""
    return f"{word[:-1]}é" if word == "tre" else word


def _dutch_ordinal(number: int, feminine: bool) -> str:
    rest = number % 100
    irregular = language_data.table("nl", "numbers", "ordinals")
    if 0 < rest < 20:
        word = cardinal(number, "nl").removesuffix("één").removesuffix(_dutch_rest(rest)) if number > 19 else ""
        return word + irregular[str(rest)]
    return f"{cardinal(number, 'nl')}{'de' if number == 0 else 'ste'}"


def _english_ordinal(number: int, feminine: bool) -> str:
    said = cardinal(number, "en")
    start = max(said.rfind(" "), said.rfind("-")) + 1
    last = said[start:]
    changed = language_data.table("en", "numbers", "ordinals").get(last)
    return said[:start] + (changed or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"))


def _french_ordinal(number: int, feminine: bool) -> str:
    if number == 1:
        return language_data.text("fr", "numbers", "ordinals", "1f" if feminine else "1")
    said = cardinal(number, "fr")
    if number % 100 in {0, 80}:
        said = said.removesuffix("s")
    said = f"{said[:-1]}v" if said.endswith("neuf") else f"{said}u" if said.endswith("cinq") else said.removesuffix("e")
    return f"{said}ième"


def _italian_ordinal(number: int, feminine: bool) -> str:
    irregular = language_data.table("it", "numbers", "ordinals").get(str(number))
    if irregular is None:
        said = cardinal(number, "it")
        stem = (
            _ACCENTED_E.sub("e", said) if said.endswith(("tré", "tre")) else said if said.endswith("sei") else said[:-1]
        )
        irregular = f"{stem}esimo"
    return f"{irregular[:-1]}a" if feminine else irregular


_CARDINALS: Mapping[str, Callable[[int], str]] = {"nl": _dutch, "en": _english, "fr": _french, "it": _italian}
_ORDINALS: Mapping[str, Callable[[int, bool], str]] = {
    "nl": _dutch_ordinal,
    "en": _english_ordinal,
    "fr": _french_ordinal,
    "it": _italian_ordinal,
}
