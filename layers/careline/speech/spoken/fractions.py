"""Says fractions as people do: "½ tablet", "1½ uur", "1/2 comprimé", "¾ d'heure", "1-1½ heures", and "24/7".

A fraction with a stroke is one where something is counted by it: of "1/2" alone nobody knows what it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from careline.speech import language_data
from careline.speech.spoken.number_words import cardinal
from careline.speech.spoken.quantities import unit_at
from careline.speech.spoken.written_number import (
    VULGAR_FRACTIONS,
    AnswerAccumulator,
    WrittenNumber,
    agreeing,
    dash_at,
    join_range,
    read_number,
    word_before,
)
from careline.text.languages import frequent_words

_SIGN = "".join(VULGAR_FRACTIONS)
_STROKE = r"([1-7])[/\u2044]([2348])(?![0-9/]|[.,][0-9])"
_MIXED = re.compile(rf"([0-9]{{1,3}})[ \u00a0]?([{_SIGN}])|([0-9]{{1,3}})[ \u00a0]{_STROKE}")
_ALONE = re.compile(rf"([{_SIGN}])|{_STROKE}")
_COUNTED = re.compile(r"(?:[ \u00a0]|(?<=[^0-9]))([^\W\d_]{2,20}(?:-[^\W\d_]{1,20})*)(?![^\W_])")
_OF = re.compile(r"[ \u00a0](?:[^\W\d_]{1,5}(?=[ \u00a0])|d['’])")
_ALWAYS = re.compile(r"(24)[ \u00a0]?[^\W\d_]{0,5}\.?/(7|24)(?:/36[56])?(?![0-9/]|[.,][0-9]|[^\W_])")
"""Round the clock: "24/7", "24h/24", "24u/7"."""
_EVERY_DAY = re.compile(r"(7)[ \u00a0]?[^\W\d_]{0,5}\.?/(7)(?![0-9/]|[.,][0-9]|[^\W_])")
_CLOCK_BEFORE = re.compile(r"24[ \u00a0]?[^\W\d_]{0,5}\.?/24[^0-9]{1,12}$")


@dataclass(frozen=True, slots=True)
class _Fraction:
    """A whole number, which may be none, and a fraction; `end` is where it ends in the text."""

    end: int
    whole: int | None
    above: int
    below: int
    is_sign: bool

    @property
    def is_proper(self) -> bool:
        """Whether it is less than one, as what is counted by is."""
        return self.above < self.below


def fraction(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """The fraction, the whole number with one, or the range with one at an end, that begins at `at`."""
    if (always := _always(text, at)) is not None:
        return always.end(), language_data.text(language, "fractions", "always", f"{always[1]}/{always[2]}")
    first = _read(text, at)
    if first is None or not first.is_proper or (not first.is_sign and _is_numbered(text, at, language)):
        return _from_whole(text, at, language)
    dash = dash_at(text, first.end)
    last = _read(text, dash) if dash is not None else None
    if dash is not None and last is not None and last.is_proper and last.is_sign:
        end, said = _counted(last, text, language) or (last.end, _bare(last, language))
        return end, join_range(_bare(first, language), said, text, at, language)
    high = read_number(text, dash, language) if dash is not None else None
    if high is not None and (first.is_sign or first.whole is not None or _is_counted(high.end, text, language)):
        end, said = _upper_end(high, text, language)
        return end, join_range(_bare(first, language), said, text, at, language)
    if (counted := _counted(first, text, language)) is not None:
        return _without_article(counted, text, at, language)
    if first.is_sign or first.whole is not None or _is_of(text, first.end, language):
        return _without_article((first.end, _bare(first, language)), text, at, language)
    return None


def _is_counted(at: int, text: str, language: str) -> bool:
    """Whether a unit or a noun stands at a place: "1/2-1 tablet"."""
    noun = _COUNTED.match(text, at)
    return bool(unit_at(text, at, language)[1]) or (noun is not None and noun[1] not in _not_counted(language))


def _upper_end(high: WrittenNumber, text: str, language: str) -> AnswerAccumulator:
    """A whole number behind a fraction and a dash, with its unit or fitted to the noun behind it."""
    end, unit = unit_at(text, high.end, language)
    if unit:
        return end, high.with_unit(unit, language)
    noun = _COUNTED.match(text, high.end)
    marked = noun is not None and _is_marked(noun[1], language)
    one = high.is_whole and high.digits == "1" and noun is not None
    return high.end, agreeing(high.said(language), one, marked, language)


def _from_whole(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """A range that begins with a whole number and ends with one and a fraction: "1-1½ uur"."""
    low = read_number(text, at, language)
    dash = None if low is None else dash_at(text, low.end)
    last = _read(text, dash) if dash is not None else None
    if low is None or last is None or not (last.is_proper and last.is_sign):
        return None
    end, said = _counted(last, text, language) or (last.end, _bare(last, language))
    return end, join_range(low.said(language), said, text, at, language)


def _always(text: str, at: int) -> re.Match[str] | None:
    """Round the clock, or every day of the week where that stands before it; else "7/7" may be a score."""
    if _CLOCK_BEFORE.search(text[max(0, at - 24) : at]):
        return _EVERY_DAY.match(text, at)
    return _ALWAYS.match(text, at)


def _read(text: str, at: int) -> _Fraction | None:
    if match := _MIXED.match(text, at):
        above, below = VULGAR_FRACTIONS[match[2]] if match[2] else (int(match[4]), int(match[5]))
        return _Fraction(match.end(), int(match[1] or match[3]), above, below, match[2] is not None)
    if match := _ALONE.match(text, at):
        above, below = VULGAR_FRACTIONS[match[1]] if match[1] else (int(match[2]), int(match[3]))
        return _Fraction(match.end(), None, above, below, match[1] is not None)
    return None


def _counted(read: _Fraction, text: str, language: str) -> AnswerAccumulator | None:
    """The fraction with what it counts: a unit, or the noun behind it; None where neither stands there."""
    end, unit = unit_at(text, read.end, language)
    if unit:
        is_plural = read.whole is not None if language == "en" else (read.whole or 0) > 1
        return end, _with_noun(read, unit[1] if is_plural else unit[0], "f" in unit[2:], language)
    match = _COUNTED.match(text, read.end)
    if match is None or not match[1].islower() or match[1] in _not_counted(language):
        return None
    if not read.is_sign and read.whole is None and _is_plural(match[1], language):
        # "1/2 personen" are one or two.
        return None
    return match.end(), _with_noun(read, match[1], None, language)


def _with_noun(read: _Fraction, noun: str, feminine: bool | None, language: str) -> str:
    """What is said of a fraction of a noun. `feminine`: whether it is so; None where its form has to tell."""
    forms = language_data.table(language, "fractions", "forms")
    marked = _is_marked(noun, language) if feminine is None or language == "nl" else feminine
    half = (read.above, read.below) == (1, 2)
    kind = "half" if half else "part"
    if read.whole is None:
        form = forms[f"{kind}_marked" if marked and half else kind]
        return _joined(form, fraction=_name(read, language), noun=noun)
    if read.whole == 1 and half:
        return _joined(forms["one_and_a_half_marked" if marked else "one_and_a_half"], noun=noun)
    whole = agreeing(cardinal(read.whole, language), read.whole == 1, marked, language)
    form = forms[f"whole_and_{kind}_marked" if marked and half else f"whole_and_{kind}"]
    return _joined(form, whole=whole, fraction=_name(read, language), noun=noun)


def _joined(form: str, **parts: str) -> str:
    """The form filled; "de", "a" and "una" change before a vowel as their language has it."""
    said = form.format(**parts)
    for written, before_vowel in (("de {n}", "d'{n}"), ("a {n}", "an {n}"), ("una {n}", "un'{n}")):
        noun = parts["noun"]
        if written.format(n=noun) in said and _starts_with_vowel(noun, form):
            said = said.replace(f" {written.format(n=noun)}", f" {before_vowel.format(n=noun)}")
    return said


def _starts_with_vowel(noun: str, form: str) -> bool:
    return noun[0] in "aeiouâéèêàî" or noun.startswith(("hour", "heure"))


def _bare(read: _Fraction, language: str) -> str:
    """What is said of a fraction by itself."""
    if read.whole is None:
        return _name(read, language)
    forms = language_data.table(language, "fractions", "forms")
    half = (read.above, read.below) == (1, 2)
    if read.whole == 1 and half:
        return forms["bare_one_and_a_half"]
    form = forms["bare_whole_and_half" if half else "bare_whole_and_part"]
    return form.format(whole=cardinal(read.whole, language), fraction=_name(read, language))


def _name(read: _Fraction, language: str) -> str:
    return language_data.text(language, "fractions", "names", f"{read.above}/{read.below}")


def _without_article(said: AnswerAccumulator, text: str, at: int, language: str) -> AnswerAccumulator:
    """Without an article of its own where the text has one: "the ½ tablet"."""
    end, spoken = said
    articles = language_data.texts(language, "fractions", "articles")
    if word_before(text, at) not in articles:
        return said
    words = spoken.split(" ")
    own = next((place for place, word in enumerate(words[:2]) if word in articles or word == "an"), None)
    return said if own is None else (end, " ".join(words[:own] + words[own + 1 :]))


def _is_of(text: str, at: int, language: str) -> bool:
    """Whether it is said what it is a part of: "2/3 van de patiënten"."""
    match = _OF.match(text, at)
    return match is not None and match[0].strip() in language_data.texts(language, "fractions", "of")


def _is_marked(noun: str, language: str) -> bool:
    """Whether a noun takes the marked form of its language: neuter in Dutch, feminine in French and Italian."""
    words = language_data.texts(language, "fractions", "marked")
    return noun in words or noun.endswith(language_data.texts(language, "fractions", "marked_endings"))


def _is_numbered(text: str, at: int, language: str) -> bool:
    """Whether a number behind this word names something: "fase 1/2", "room 3/4"."""
    before = word_before(text, at)
    return before in language_data.texts(language, "fractions", "numbered") or (
        before in language_data.texts(language, "numbers", "codes_after")
    )


def _is_plural(noun: str, language: str) -> bool:
    return noun.endswith(language_data.texts(language, "fractions", "plural_endings")) and not noun.endswith("ss")


@cache
def _not_counted(language: str) -> frozenset[str]:
    """Words that nobody counts by."""
    return frozenset((*frequent_words()[language], *language_data.texts(language, "fractions", "not_counted")))
