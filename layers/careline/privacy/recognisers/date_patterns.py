"""What dates look like in figures: the patterns behind `dates`, compiled once for each language of a call."""

from __future__ import annotations

from functools import cache
from typing import Any

from careline.model import LANGUAGES
from careline.privacy.vocabulary import either, folded, pattern, tables, words

_COMMON_WORDS = frozenset({"mag", "set", "ago", "out"})
"""Abbreviations of months that are ordinary words of another language."""
_FULL_NAME = 5
_ENDINGS = r"(?:st|nd|rd|th|er|ere|eme|sten|ste|den|de|en|e|o|\^)?"
DAY = rf"(?:0?[1-9]|[12]\d|3[01])(?:\^|{_ENDINGS}\b)"
_YEAR = r"(?:(?:1[89]|20)\d\d|(?:19|20) \d\d|(?:19|20) 0 \d|'?\d\d)\b"
_YEAR_IN_FULL = r"(?:(?:1[89]|20)\d\d|(?:19|20) \d\d|(?:19|20) 0 \d)\b"


@cache
def day_then_month(language: str | None) -> Any:
    """`3 mei`, `from 3 to 9 august`, `14th of june`; the year, if any, comes after."""
    to, of = either(words("dates", "to")), either(words("dates", "of"))
    article = r"(?:(?:the|de|den|le|il|l'|al) ?)?"
    more = rf"(?:(?: ?[-,/] ?| {to} ){article}{DAY}){{0,3}}"
    return pattern(rf"\b{DAY}{more}[ .-]{{0,2}}(?:{of}[ ]?)?(?:{article})?{_months(language)}\b\.?")


@cache
def month_then_day() -> Any:
    """`june 14th`, `may the third`. Group 1 is the month, group 2 the first day."""
    names = either(_of("en", short=True))
    ordinal = rf"{either(words('months'))} (?:the |de |le )?(?:[12]?\d|3[01])(?:st|nd|rd|th|de|ste)"
    more = rf"(?:(?: ?- ?| to | and )(?:the )?{DAY})?"
    return pattern(rf"\b({names})\.? (?:the )?({DAY}){more}|\b{ordinal}\b")


@cache
def month_then_year(language: str | None) -> Any:
    """`maart 2019`."""
    return pattern(rf"\b{_months(language)}\.?,? (?:{either(words('dates', 'of'))} )?({_YEAR_IN_FULL})")


@cache
def year_behind() -> Any:
    """The year that follows a day and a month. Group 1 is the year."""
    return pattern(rf"[ ,./-]{{1,2}}(?:{either(words('dates', 'of'))} )?({_YEAR})")


@cache
def numeric() -> Any:
    """`12/03/1961`, `12.3.61`, `12 slash 3 slash 1961`. Groups: day or month, month or day, year."""
    joint = rf"(?: ?[./-] ?| {either(words('dates', 'slash'))} )"
    return pattern(rf"\b(\d{{1,2}}){joint}(\d{{1,2}}){joint}((?:1[89]|20)\d\d|(?:19|20) \d\d|'?\d\d)\b")


@cache
def year_first() -> Any:
    """`2024-11-05`. Groups: year, month, day."""
    return pattern(r"\b((?:1[89]|20)\d\d) ?[-/.] ?(\d{1,2}) ?[-/.] ?(\d{1,2})\b")


@cache
def spaced() -> Any:
    """`12 3 1961`, `12th of the 3rd 61`, `12 0 3 19 61`. Groups: day, month, year."""
    day = r"0 ?[1-9]|[12]\d|3[01]|[1-9]"
    between = rf"{_ENDINGS}[ ,]{{1,2}}(?:{either(words('dates', 'of'))} )?(?:(?:the|de) )?"
    year = r"(?:1[89]|20)\d\d|(?:19|20) \d\d|(?:19|20) 0 \d|\d\d|\d \d"
    return pattern(rf"\b({day}){between}(0 ?[1-9]|1[0-2]|[1-9]){between}({year})\b")


@cache
def born_year() -> Any:
    """`geboren in 1934`. Group 1 is the year."""
    listed = [word for word in words("dates", "born") if word not in ("ne en", "nee en")]
    return pattern(rf"\b(?:{either(listed)} (?:in|en|nel|het jaar)|ne en|nee en) ({_YEAR_IN_FULL})")


@cache
def born_in_figures() -> Any:
    """`geboortedatum 070265`. Groups: the whole, day, month."""
    return pattern(rf"\b{either(words('dates', 'born'))}[ :=]{{1,3}}(?:is |est |e )?((\d\d)(\d\d)(?:(?:19|20)?\d\d))\b")


@cache
def both_ordinal() -> Any:
    """`the twelfth of the third`."""
    ending = r"(?:st|nd|rd|th|de|ste|e)"
    of = either(words("dates", "of"))
    return pattern(rf"\b(?:[12]?\d|3[01]){ending} {of}(?: (?:the|de))? (?:1[0-2]|[1-9]){ending}\b")


@cache
def slashed() -> Any:
    """`12/03`. Groups: day or month, month or day."""
    return pattern(r"\b(\d{1,2})/(\d{1,2})\b")


@cache
def dashed() -> Any:
    """`op 12-03`: only after a word that a date follows. Groups: day, month."""
    return pattern(rf"\b{either(words('dates', 'lead'))} (\d\d)-(0[1-9]|1[0-2])\b")


@cache
def weekday() -> Any:
    """`friday the 14th`, `vendredi 14`. Group 1 is the day of the month."""
    return pattern(rf"\b{either(words('weekdays'))},? (?:the |de |den |le |il )?({DAY})")


def _months(language: str | None) -> str:
    """Full names in every language; abbreviations in the language of the call."""
    names = {name for code in LANGUAGES for name in _of(code, short=False)}
    if language in LANGUAGES:
        names.update(_of(language, short=True))
    else:
        names.update(name for code in LANGUAGES for name in _of(code, short=True) if name not in _COMMON_WORDS)
    return either(sorted(names, key=lambda name: (-len(name), name)))


def _of(language: str, *, short: bool) -> list[str]:
    listed = [folded(month).split("|") for month in tables(language)["months"]]
    return [name for names in listed for name in (names if short else names[:1])]
