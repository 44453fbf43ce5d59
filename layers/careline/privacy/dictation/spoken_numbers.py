"""Turns numbers that are said in words into digits, so that one set of patterns reads typed and spoken text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from careline.model import LANGUAGES
from careline.privacy.dictation.hesitations import past
from careline.privacy.dictation.number_words import NumberWord, Numeral, number_words
from careline.privacy.vocabulary import folded, tables, words

ORDINAL = "th"
"""Follows the digits of an ordinal that was said in words, whatever the language."""

_TOKEN = re.compile(r"[a-z]+|\d+")
_BETWEEN = re.compile(r"[ -]{1,2}")
_PAUSE = re.compile(r"[ ,-]{1,3}")
_STOP = re.compile(r" ?[.;!?]")
_ADDS_UNIT_AFTER_TEN = frozenset({"en", "fr", "it"})
_DAYS, _CENTURY = 31, 9
_FULL_MONTH = 4
"""Letters from which a month's name is no ordinary word."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """`plain[start:end]` is read as `digits`."""

    start: int
    end: int
    digits: str


def replacements(plain: str, language: str | None) -> Iterator[Replacement]:
    """The numbers in words of a folded text, in order."""
    known = number_words()
    tokens = [match.span() for match in _TOKEN.finditer(plain)]
    listed = [plain[start:end] for start, end in tokens]
    if any(word in known for word in listed):
        yield from _Reader(plain, listed, tokens, language).read()


@cache
def _joiners() -> dict[str, frozenset[str]]:
    return {code: frozenset(folded(word) for word in tables(code)["numbers"]["joiner"]) for code in LANGUAGES}


@cache
def _articles() -> dict[str, frozenset[str]]:
    return {code: frozenset(tables(code)["numbers"].get("articles", ())) for code in LANGUAGES}


@cache
def _months() -> frozenset[str]:
    return frozenset(word for word in words("months") if len(word) >= _FULL_MONTH or word == "mei")


def _is_consonant(word: str) -> bool:
    return len(word) == 1 and word.isalpha() and word not in "aeiouy"


@cache
def _times() -> frozenset[str]:
    return frozenset(words("numbers", "times"))


@cache
def _beside() -> frozenset[str]:
    said = (*words("numbers", "separators", "fillers"), *words("spelling", "lead", "alphabet", "letters"))
    return frozenset(phrase.split()[0] for phrase in (*said, *words("dates", "corrections")))


@cache
def _letters() -> frozenset[str]:
    """Words that letters are said by."""
    return frozenset(name for name in words("spelling", "alphabet", "letters") if " " not in name)


@cache
def _links() -> frozenset[str]:
    return frozenset(phrase.split()[0] for phrase in words("spelling", "links"))


@cache
def _zeros() -> frozenset[str]:
    return frozenset(words("numbers", "zeros"))


@cache
def _fillers() -> frozenset[str]:
    return frozenset(words("numbers", "fillers"))


@cache
def _dots() -> frozenset[str]:
    return frozenset(words("email", "dot"))


_MOST_TIMES = 6
_LOOKED_BACK = 10
"""Words before a doubtful one among which numbers are counted."""
_DICTATED = 3
"""Number words in a row after which a doubtful one is a number too."""


class _Reader:
    """Reads the words of one text from left to right."""

    def __init__(
        self, plain: str, listed: Sequence[str], tokens: Sequence[tuple[int, int]], language: str | None
    ) -> None:
        self._plain = plain
        self._words = listed
        self._tokens = tokens
        self._language = language
        self._known = number_words()
        self._begin = 0

    def read(self) -> Iterator[Replacement]:
        """Every number in words, in order."""
        at = 0
        while at < len(self._words):
            self._begin = at
            best: tuple[int, str] | None = None
            for reading in self._known.get(self._words[at], ()):
                if self._counts(at, reading):
                    found = self._number(at, reading)
                    if found is not None and (best is None or found[0] > best[0] or self._language == reading.language):
                        best = found
            if best is None:
                at += 1
                continue
            yield Replacement(self._tokens[at][0], self._tokens[best[0] - 1][1], best[1])
            at = best[0]

    def _counts(self, at: int, reading: NumberWord) -> bool:
        """Whether a word is a number here, and not an article, a pronoun or a month."""
        if reading.foreign and self._language not in (None, reading.language):
            return False
        if self._words[at] == "sept" and at and self._words[at - 1].isdigit():
            return False
        if not reading.doubtful and not (reading.foreign and self._language is None):
            return True
        if at and self._words[at - 1] in _articles()[reading.language]:
            return True
        if len(self._words[at]) == 1 and self._word(at + 1) in _links():
            # "o for oscar"
            return False
        if self._is_among_numbers(at) or self._is_in_dictation(at, reading) or self._is_dotted(at, reading):
            return True
        following = self._word(at + 1)
        end = self._tokens[at][1]
        if not following or _STOP.match(self._plain, end):
            return True
        if not _PAUSE.fullmatch(self._plain, end, self._tokens[at + 1][0]):
            return False
        return following.isdigit() or following in self._known or following in _months()

    def _number(self, at: int, reading: NumberWord) -> tuple[int, str] | None:
        """The index after the number that starts at a word, and its digits; None when it starts none."""
        if reading.kind is Numeral.ZERO:
            return at + 1, "0"
        if reading.kind is Numeral.UNIT and reading.value > 1:
            times = self._times(at, reading)
            if times is not None:
                return times
        if reading.kind is Numeral.REPEAT:
            return self._repeated(at, reading)
        if reading.kind is Numeral.ORDINAL:
            return at + 1, f"{reading.value}{ORDINAL}"
        language = reading.language
        whole = self._below_million(at, language)
        if whole is None:
            return None
        after, value = whole
        ordinal = self._is(after, language, Numeral.ORDINAL)
        if ordinal and value % 10 == 0 and 20 <= value <= 90 and ordinal.value < 10:
            return after + 1, f"{value + ordinal.value}{ORDINAL}"
        return after, str(value)

    def _repeated(self, at: int, reading: NumberWord) -> tuple[int, str] | None:
        if not self._adjoins(at + 1):
            return None
        said = self._words[at + 1]
        units = [each.value for each in self._known.get(said, ()) if each.kind in (Numeral.UNIT, Numeral.ZERO)]
        digit = str(units[0]) if units else said
        return (at + 2, " ".join([digit] * reading.value)) if len(digit) == 1 and digit.isdigit() else None

    def _times(self, at: int, reading: NumberWord) -> tuple[int, str] | None:
        """`tre volte zero`, `four zeros`; other numbers only among others, for pills are taken "due volte due" too."""
        if not self._adjoins(at + 1):
            return None
        if self._words[at + 1] in _zeros():
            return at + 2, " ".join("0" * reading.value)
        if self._words[at + 1] not in _times() or not self._adjoins(at + 2) or reading.value > _MOST_TIMES:
            return None
        said = self._words[at + 2]
        if any(each.kind is Numeral.ZERO for each in self._known.get(said, ())) or said == "0":
            return at + 3, " ".join("0" * reading.value)
        beside = self._is_number(at - 1) or self._is_number(at + 3) or _is_consonant(self._word(at + 3))
        if not beside and not (at > 1 and self._words[at - 1] in _fillers() and self._is_number(at - 2)):
            return None
        found = (at + 3, said) if said.isdigit() else self._below_hundred(at + 2, reading.language)
        return (found[0], " ".join([str(found[1])] * reading.value)) if found and found[0] <= len(self._words) else None

    def _is_among_numbers(self, at: int) -> bool:
        """Whether numbers stand before a word, with nothing but pauses between."""
        if at >= _DICTATED and all(word in self._known for word in self._words[at - _DICTATED : at]):
            return True
        count = 0
        for word in reversed(self._words[max(0, at - _LOOKED_BACK) : at]):
            if word not in self._known and word not in _beside() and not word.isdigit():
                break
            count += word in self._known or word.isdigit()
        return count >= _DICTATED

    def _is_in_dictation(self, at: int, reading: NumberWord) -> bool:
        """Whether what stands on both sides is dictated: "double seven oh", "oh one slash", "seven one b"."""
        beside = self._is_beside(at)
        if beside and (reading.kind is Numeral.ZERO or self._is_dictated(self._word(at + 1))):
            return True
        after = past(self._words, at + 1)[0]
        return after > at + 1 and (self._is_number(after) or (beside and _is_consonant(self._word(after))))

    def _is_dotted(self, at: int, reading: NumberWord) -> bool:
        """Whether a word is a part of an address of a machine: "punt een punt vier", but not "een punt"."""
        before, dots = self._word(at - 1) if at else "", _dots()
        if (
            self._word(at + 1) in dots
            and self._word(at + 2) in self._known
            and (before in dots or before in self._known)
        ):
            return True
        if before not in dots or at < 2:
            return False
        return (self._is_number(at - 2) and not reading.foreign) or (
            at > 4 and (self._words[at - 3] in dots or self._words[at - 3] in self._known)
        )

    def _is_beside(self, at: int) -> bool:
        """Whether a number or a letter stands before a word, or a hesitation after a number."""
        if not at:
            return False
        said = self._words[at - 1] in _fillers() and at > 1 and (self._is_number(at - 2) or self._is_number(at - 3))
        said = said or (self._words[at - 1] in _fillers() and at > 1 and _is_consonant(self._words[at - 2]))
        letter = len(self._words[at - 1]) == 1 and self._words[at - 1] not in "ai"
        return said or letter or self._is_number(at - 1) or self._words[at - 1] in _letters()

    @staticmethod
    def _is_dictated(word: str) -> bool:
        """Whether a word stands beside digits of one value: a letter, or what is said between two parts of it."""
        return len(word) == 1 or word in _beside()

    def _word(self, at: int) -> str:
        return self._words[at] if at < len(self._words) else ""

    def _is_number(self, at: int) -> bool:
        return 0 <= at < len(self._words) and (self._words[at].isdigit() or self._words[at] in self._known)

    def _below_million(self, at: int, language: str) -> tuple[int, int] | None:
        found = self._below_thousand(at, language)
        after, value = found or (at, 0)
        if self._is(after, language, Numeral.THOUSAND) and value < 1000 and not self._is_year(after, value, language):
            after, value = after + 1, (value or 1) * 1000
        if value and value % 1000 == 0:
            rest = self._below_thousand(self._past_joiner(after, language), language)
            return (rest[0], value + rest[1]) if rest and rest[1] < 1000 else (after, value)
        return (after, value) if after > at else None

    def _is_year(self, at: int, value: int, language: str) -> bool:
        """Whether "mille" begins the year behind a French day or month: "trois onze mille neuf cent quatre-vingts"."""
        if language != "fr" or not 1 <= value <= _DAYS or not self._is(at + 2, language, Numeral.HUNDRED):
            return False
        hundreds = self._is(at + 1, language, Numeral.UNIT)
        return hundreds is not None and hundreds.value == _CENTURY

    def _below_thousand(self, at: int, language: str) -> tuple[int, int] | None:
        found = self._below_hundred(at, language)
        after, value = found or (at, 0)
        if self._is(after, language, Numeral.HUNDRED) and value < 100:
            after, value = after + 1, (value or 1) * 100
        if value and value % 100 == 0 and value % 1000:
            rest = self._below_hundred(self._past_joiner(after, language), language)
            return (rest[0], value + rest[1]) if rest and rest[1] < 100 else (after, value)
        return (after, value) if after > at else None

    def _below_hundred(self, at: int, language: str) -> tuple[int, int] | None:
        if language == "fr":
            special = self._french(at)
            if special:
                return special
        word = self._is(at, language, Numeral.UNIT, Numeral.TEEN, Numeral.TEN, Numeral.WHOLE)
        if word is None:
            return None
        if word.kind is Numeral.TEN and language in _ADDS_UNIT_AFTER_TEN:
            unit = self._is(at + 1, language, Numeral.UNIT)
            return (at + 2, word.value + unit.value) if unit else (at + 1, word.value)
        if word.kind is Numeral.UNIT and language == "nl" and self._joins(at + 1, language):
            ten = self._is(at + 2, language, Numeral.TEN)
            return (at + 3, word.value + ten.value) if ten else (at + 1, word.value)
        return at + 1, word.value

    def _french(self, at: int) -> tuple[int, int] | None:
        """`quatre-vingt-dix-sept`, `soixante et onze`, `dix-sept`, `trente et un`; None where French is regular."""
        word = self._is(at, "fr", Numeral.UNIT, Numeral.TEEN, Numeral.TEN)
        if word is None:
            return None
        ten = self._is(at + 1, "fr", Numeral.TEN)
        if word.value == 4 and ten and ten.value == 20:
            return self._plus(at + 2, 80, 20)
        if word.kind is Numeral.TEN:
            return self._plus(at + 1, word.value, 20 if word.value == 60 else 10)
        return self._plus(at + 1, 10, 10) if word.value == 10 and word.kind is Numeral.TEEN else None

    def _plus(self, at: int, base: int, room: int) -> tuple[int, int]:
        """A French ten with what is added to it: units, and the teens where `room` is 20."""
        past = at + 1 if self._joins(at, "fr") else at
        added = self._is(past, "fr", Numeral.UNIT, Numeral.TEEN)
        if added is None or added.value >= room or (base == 10 and added.value < 7):
            return at, base
        if added.value == 10:
            further = self._is(past + 1, "fr", Numeral.UNIT)
            if further and further.value >= 7:
                return past + 2, base + 10 + further.value
        return past + 1, base + added.value

    def _past_joiner(self, at: int, language: str) -> int:
        return at + 1 if language != "it" and self._joins(at, language) else at

    def _joins(self, at: int, language: str) -> bool:
        return self._adjoins(at) and self._adjoins(at + 1) and self._words[at] in _joiners()[language]

    def _is(self, at: int, language: str, *kinds: Numeral) -> NumberWord | None:
        if not self._adjoins(at):
            return None
        for reading in self._known.get(self._words[at], ()):
            if reading.language == language and reading.kind in kinds:
                return reading
        return None

    def _adjoins(self, at: int) -> bool:
        """Whether the number that is being read may go on with a word: only a space or a hyphen stands before it."""
        if at >= len(self._words):
            return False
        return at == self._begin or bool(_BETWEEN.fullmatch(self._plain, self._tokens[at - 1][1], self._tokens[at][0]))
