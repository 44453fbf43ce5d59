"""Reads "and if it were 2000?" or "and for a whole day?" in the light of a question that names an amount or a time."""

from __future__ import annotations

import re

from careline.search.asked_words import is_measure, listed, named, words_of
from careline.search.label_ranges import UNITS_OF_TIME
from careline.search.label_words import question_words
from careline.search.question_kinds import parts

_NUMBER = r"[0-9]{1,7}(?:[.,][0-9]{1,3})?"
_NUMBERS = re.compile(_NUMBER)
_WHOLE_NUMBERS = re.compile(rf"(?<![\w.,:/]){_NUMBER}(?![\w%€]|[.,:/][0-9])")
_WITH_BOUND = re.compile(
    rf"(\b(?:below|under|above|over|less than|more than|onder|beneden|boven|minder dan|meer dan|lager dan|hoger dan|"
    rf"sous|moins de|plus de|au-dessus de|en dessous de|sotto(?: i)?|sopra(?: i)?|meno di|più di) )?"
    rf"(?<![\w.,:/])({_NUMBER})(?![\w%€]|[.,:/][0-9])",
    re.IGNORECASE,
)
"""A number, with what says that it is a bound."""
_CURRENCY = re.compile(r"€|\b(?:euros?|eur|francs?|frank|franchi|chf)\b", re.IGNORECASE)
_AMOUNT_SAID = re.compile(rf"(?:€|£) ?({_NUMBER})|({_NUMBER}) ?(?:{_CURRENCY.pattern})", re.IGNORECASE)


def with_other_amount(earlier: str, new: str, language: str) -> str:
    """The earlier question with the amount of a follow-up that names nothing besides: "and if it were 2000?"; empty
    where either has none or several."""
    old, own = list(_AMOUNT_SAID.finditer(earlier)), _NUMBERS.findall(new)
    if len(old) != 1 or len(own) != 1 or named(_NUMBERS.sub(" ", _CURRENCY.sub(" ", new)), language):
        return ""
    if len(_NUMBERS.findall(earlier)) > 1 and not _CURRENCY.search(new):
        # "1500 euro in 3 times, and in 12?" has another number for it.
        return ""
    (said,) = old
    start, end = said.span(1 if said[1] else 2)
    return f"{earlier[:start]}{own[0]}{earlier[end:]}"


def with_other_length(earlier: str, new: str, language: str) -> str:
    """The earlier question with the length of time of a follow-up that names nothing besides in the place of its last:
    "one hour" and "and for a whole day?"; empty where it has none or the follow-up several."""
    old, own = _lengths(earlier, language), _lengths(new, language)
    if not old or len(own) != 1 or parts(new, language) or named(_without_length(new, own[0]), language):
        return ""
    said, told = words_of(earlier), words_of(new)
    length = new[told[own[0][0]].start : told[own[0][1] - 1].end]
    start, end = said[old[-1][0]].start, said[old[-1][1] - 1].end
    changed = f"{earlier[:start]}{length}{earlier[end:]}"
    return f"{changed.strip().rstrip(' ?.!…,;')}?"


def _lengths(text: str, language: str) -> list[tuple[int, int]]:
    """The lengths of time that a text names, as places of words: from its number or "a whole" to behind its unit."""
    words, found = words_of(text), []
    for n, word in enumerate(words):
        if is_measure(word.text, language, UNITS_OF_TIME):
            start = n
            while start and (
                _counts(words[start - 1].text, language) or words[start - 1].plain in listed("whole", language)
            ):
                start -= 1
            found.append((start, n + 1))
    return found


def _counts(word: str, language: str) -> bool:
    return word.isdigit() or any(one.number is not None for one in question_words(word, language))


def _without_length(text: str, length: tuple[int, int]) -> str:
    words = words_of(text)
    return " ".join(word.text for n, word in enumerate(words) if not length[0] <= n < length[1])


def with_other_number(earlier: str, new: str, language: str) -> str:
    """The earlier question with the number of a follow-up that names nothing which that does not: "with an eGFR of 35"
    or "below 30", where it was 50; empty where either has none or several."""
    old, own = list(_WHOLE_NUMBERS.finditer(earlier)), list(_WITH_BOUND.finditer(new))
    if len(old) != 1 or len(own) != 1 or old[0][0] == own[0][2]:
        return ""
    said = {word.plain for word in words_of(earlier)}
    rest = f"{new[: own[0].start()]} {new[own[0].end() :]}"
    if parts(rest, language) or any(word.text not in said for word in named(rest, language)):
        return ""
    bound = f"{own[0][1].strip()} " if own[0][1] else ""
    changed = f"{earlier[: old[0].start()]}{bound}{own[0][2]}{earlier[old[0].end() :]}"
    return f"{changed.strip().rstrip(' ?.!…,;')}?"
