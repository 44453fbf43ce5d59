"""What dates look like in figures: the patterns behind `dates`, compiled once for each language of a call."""

from __future__ import annotations

from functools import cache
from typing import Any

from careline.model import LANGUAGES
from careline.privacy.vocabulary import either, folded, pattern, tables, words

_COMMON_WORDS = frozenset({"mag", "set", "ago", "out"})
"""Abbreviations of months that are ordinary words of another language."""
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
def descended_year() -> Any:
    """`ik ben van 1947`, `sono del 1947`. Group 1 is the year."""
    return pattern(rf"\b{either(words('dates', 'descends'))} ((?:1[89]\d\d|20[0-2]\d|19 \d\d|20 \d\d))\b")


@cache
def born_month() -> Any:
    """`born april sixty one`. Group 1 is the month with its year of two digits."""
    born, of = either(words("dates", "born")), either(words("dates", "of"))
    months = either(m.split("|")[0] for code in LANGUAGES for m in map(folded, tables(code)["months"]))
    return pattern(rf"\b{born} ((?:in |en |nell'|a )?{months} (?:{of} )?'?\d\d)\b")


@cache
def day_alone() -> Any:
    """`on the 22nd`, `den 17den`, `the 15th of next month`. Groups: the day and its number, three times."""
    day = r"([12]?\d|3[01])(?:st|nd|rd|th|ste|sten|den|de|e)"
    led = rf"(?:{either(words('dates', 'day_lead'))} )((?:the|de|den) {day})\b"
    of_month = rf"((?:the|de|den) {day}) (?:of|van) (?:next|this|last|the|volgende|deze|de) (?:month|maand)\b"
    return pattern(rf"\b{of_month}|\b{led}|\b(den {day})\b")


@cache
def plain_day(language: str | None) -> Any:
    """`le 22`, `fino al trenta`, in French and Italian. Group 1 is the day."""
    leads = {"fr": "le|du|au", "it": "il|del|al|dal|l'|all'"}.get(language or "", "du|au|il|del|al|dal")
    return pattern(rf"\b(?:{leads}) ?\b([12]?\d|3[01])\b")


@cache
def plain_pair() -> Any:
    """`le 14 du 6`, `il 14 del 6`. Groups: day, month."""
    return pattern(r"\b(?:le|du|au|il|del|al|dal) ([12]?\d|3[01]) (?:du|del) (1[0-2]|[1-9])\b")


@cache
def said_pair(language: str | None) -> Any:
    """`le douze douze`, `op vijf vijf`: day and month said one after the other. Groups: day, month."""
    leads = {"fr": "le|du|au", "it": "il|del|al|dal", "nl": "op|van|tot", "en": "on"}.get(language or "", "le|il|op|on")
    return pattern(rf"\b(?:{leads}) ([12]?\d|3[01]) (1[0-2]|[1-9])\b")


@cache
def said_twice(language: str | None) -> Any:
    """`nove nove alle dieci`: day and month alike, before a time of the day. Group 1 is the date."""
    at = {"fr": "a", "it": "alle|all'", "nl": "om", "en": "at"}.get(language or "", "alle|om|at")
    pairs = "|".join(f"{month} {month}" for month in range(1, 13))
    return pattern(rf"\b({pairs}) (?:{at}) ?(?:\d|noon|midi|una)")


@cache
def said_day_in_one() -> Any:
    """`le dix sept cinquante-cinq`, which is read as 17 and 55. Groups: both, the first, the year."""
    return pattern(r"\ble ((1[789]) ([3-9]\d))\b")


@cache
def dated() -> Any:
    """What stands right before the date of a letter or an appointment."""
    return pattern(rf"\b{either(words('dates', 'dated'))} $")


@cache
def hint(language: str | None) -> Any:
    """Words beside which a day of the month may stand alone; many are something else in another language."""
    return pattern(rf"\b{_in(language, 'hints')}\b")


@cache
def storey(language: str | None) -> Any:
    """Words beside which an ordinal is no day."""
    return pattern(rf"\b{_in(language, 'storeys')}\b")


@cache
def week() -> Any:
    """`the week of`, right before a day."""
    return pattern(r"\b(?:weeks? (?:of|from|van)|semaine (?:du|le)|settimana (?:del|dal)) $")


@cache
def follower() -> Any:
    """What may stand right behind a day of the month: nothing, punctuation, or a word that is not counted."""
    return pattern(rf"^(?:[ ,]*$|[.?!,;:]|,? {either(words('dates', 'followers'))}\b)")


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


def _in(language: str | None, name: str) -> str:
    codes = (language,) if language in LANGUAGES else LANGUAGES
    return either(sorted({folded(word) for code in codes for word in tables(code)["dates"][name]}))


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
