"""Reads letters that are said: by their names ("effe"), by a word each ("bravo", "imola") or explained ("b for bob").

Each becomes one letter among the figures, so that what recognises written codes recognises dictated ones too. Words
that are names of letters and of other things count only beside other dictated characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from careline.model import LANGUAGES
from careline.privacy.dictation.hesitations import begins, past
from careline.privacy.dictation.spoken_numbers import Replacement
from careline.privacy.vocabulary import folded, shared, tables, words

_TOKEN = re.compile(r"[a-z~]+|\d+")
_BETWEEN = re.compile(r"[ ,./'-]{1,3}")
_FEW_DIGITS, _MOST_LINK = 2, 3
_VOWELS = frozenset("aeiouy")
"""Letters that are words when they stand alone."""
_MONTH = "n"
"""Letter of the alphabet's word that stands between the figures of a date."""
_FATHER = "papa"
"""Begins no code where it is the ordinary word for a father."""
_MANY_DIGITS = 6
_OF_AN_ACCOUNT = 10
_DICTATED = 2
"""Letters that are no other words from which a run is one that is dictated."""


@dataclass(frozen=True, slots=True)
class _Item:
    """What one dictated character, or one number, was read from: words `first` to `end`, exclusive."""

    first: int
    end: int
    letters: str
    digits: int = 0
    sure: bool = False
    """It is nothing but the name of a letter, or a word explains it."""
    bare: bool = False
    """A word of an alphabet alone."""


def with_letters(plain: str, numbers: Sequence[Replacement], language: str | None) -> Sequence[Replacement]:
    """The numbers of a folded text, and the letters that are said beside digits, in order."""
    if not numbers and not any(character.isdigit() for character in plain):
        return numbers
    tokens = _tokens(plain, numbers)
    if not any(word in _starters() for _, _, word in tokens):
        return numbers
    letters = [each for run in _Reader(plain, tokens, language).runs() for each in _letters(run, tokens)]
    return sorted([*numbers, *letters], key=lambda each: each.start) if letters else numbers


def _tokens(plain: str, numbers: Sequence[Replacement]) -> list[tuple[int, int, str]]:
    """Words and numbers with where they are; a number in words is one token, its digits without spaces."""
    found: list[tuple[int, int, str]] = []
    done = 0
    for each in numbers:
        found += [(*match.span(), match.group()) for match in _TOKEN.finditer(plain, done, each.start)]
        found.append((each.start, each.end, each.digits.replace(" ", "")))
        done = each.end
    return found + [(*match.span(), match.group()) for match in _TOKEN.finditer(plain, done)]


class _Reader:
    """Finds what is dictated in the tokens of one text, from left to right."""

    def __init__(self, plain: str, tokens: Sequence[tuple[int, int, str]], language: str | None) -> None:
        self._plain = plain
        self._language = language
        self._tokens = tokens
        self._words = [word for _, _, word in tokens]

    def runs(self) -> Iterator[list[_Item]]:
        """Characters and numbers with nothing but hesitations and separators between them."""
        run: list[_Item] = []
        at = 0
        while at < len(self._tokens):
            item = None if begins(self._words, at) else self._item(at, bool(run))
            if item is None and run and (end := past(self._words, at)[0]) > at:
                at = end
                continue
            if item is None or (run and not self._joined(run[-1].end, at)):
                yield run
                run = []
            if item is not None:
                run.append(item)
            at = item.end if item else at + 1
        yield run

    def _joined(self, first: int, end: int) -> bool:
        return all(self._adjoins(at) for at in range(first, end + 1))

    def _adjoins(self, at: int) -> bool:
        between = self._plain[self._tokens[at - 1][1] : self._tokens[at][0]]
        return not between or bool(_BETWEEN.fullmatch(between))

    def _spaced(self, at: int) -> bool:
        return self._plain[self._tokens[at - 1][1] : self._tokens[at][0]] == " "

    def _word(self, at: int) -> str:
        return self._tokens[at][2] if at < len(self._tokens) else ""

    def _item(self, at: int, inside: bool = False) -> _Item | None:
        word = self._word(at)
        if word[:1].isdigit():
            return _Item(at, at + 1, "", sum(character.isdigit() for character in word))
        for length in (3, 2, 1):
            name = " ".join(each[2] for each in self._tokens[at : at + length])
            if at + length <= len(self._tokens) and name in _names():
                return self._explained(at, at + length, _names()[name], name)
        if word in _doubles():
            said = self._item(at + 1)
            return _Item(at, said.end, said.letters * 2, sure=True) if said and said.letters else None
        if len(word) == 1:
            return self._explained(at, at + 1, word, word)
        country = _countries().get(word)
        if country and self._word(at + 1)[:1].isdigit():
            return _Item(at, at + 1, country, bare=True)
        if word in _alphabet() and (word != _FATHER or inside or self._is_english(at + 1)):
            return _Item(at, at + 1, _alphabet()[word], bare=True)
        return None

    def _is_english(self, at: int) -> bool:
        """Whether the international alphabet goes on, or the language is the one whose fathers have another name."""
        return self._language in (None, "en") or self._word(at) in tables("en")["spelling"]["alphabet"]

    def _explained(self, at: int, end: int, letter: str, name: str) -> _Item:
        """A letter with the word that it is said to be the first of, if there is one."""
        for length in range(_MOST_LINK, 0, -1):
            link = " ".join(each[2] for each in self._tokens[end : end + length])
            word = self._word(end + length)
            said = link in _links() and len(word) > 1 and word[0] in (letter, name[0])
            if said and all(self._spaced(each) for each in range(end, end + length + 1)):
                return _Item(at, end + length + 1, letter, sure=True)
        return _Item(at, end, letter, sure=len(name) > 1 and name not in _also_words())


def _letters(run: list[_Item], tokens: Sequence[tuple[int, int, str]]) -> Iterator[Replacement]:
    """The letters of a run that are said in words, where they are letters."""
    digits = sum(item.digits for item in run)
    if digits < _FEW_DIGITS:
        return
    placed = run[0].bare and run[0].first > 0 and tokens[run[0].first - 1][2] in _streets()
    announced = any(token[2] in _announcing() for token in tokens[max(0, run[0].first - 4) : run[0].first])
    dictated = sum(item.sure for item in run) + sum(_pairs(run))
    for at, item in enumerate(run):
        start, end = tokens[item.first][0], tokens[item.end - 1][1]
        if not item.letters or end - start == 1 or (placed and not dictated):
            continue
        within = digits >= _MANY_DIGITS and 0 < at < len(run) - 1
        within = within or (at > 1 and item.first > run[at - 1].end)
        within = within or (digits > _FEW_DIGITS and any(each.letters for each in run[at + 1 : at + 2]))
        if (
            item.sure
            or dictated >= _DICTATED
            or (item.bare and (dictated or (announced and item.letters != _MONTH)))
            or (announced and within)
        ):
            yield Replacement(start, end, " ".join(item.letters))


def _pairs(run: list[_Item]) -> Iterator[bool]:
    """For each word of an alphabet, whether it stands beside another letter; a country, beside its figures."""
    long = sum(item.digits for item in run) >= _OF_AN_ACCOUNT
    for at, item in enumerate(run):
        if not item.bare:
            continue
        before, after = run[at - 1].letters if at else "", run[at + 1].letters if at + 1 < len(run) else ""
        country = long and before + item.letters in shared("iban_lengths")
        yield country or len(item.letters) > 1 or any(each and each not in _VOWELS for each in (before, after))


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(folded(word) for code in LANGUAGES for word in tables(code)["spelling"].get(name, ()))


@cache
def _names() -> Mapping[str, str]:
    """Names of letters in every language, those of several words among them."""
    return {folded(name): letter for code in LANGUAGES for name, letter in tables(code)["spelling"]["letters"].items()}


@cache
def _alphabet() -> Mapping[str, str]:
    """Words that stand for the letter that they begin with, but for those of which another is said."""
    found = {word: word[0] for word in _listed("alphabet")}
    return found | {folded(w): letter for code in LANGUAGES for w, letter in tables(code)["spelling"]["odd"].items()}


@cache
def _countries() -> Mapping[str, str]:
    """Names of countries that are said for the first two letters of an account number."""
    listed: dict[str, str] = shared("countries")
    return listed


@cache
def _also_words() -> frozenset[str]:
    return _listed("also_words")


@cache
def _links() -> frozenset[str]:
    return _listed("links")


@cache
def _doubles() -> frozenset[str]:
    return frozenset(word for word in words("numbers", "repeat") if " " not in word)


@cache
def _streets() -> frozenset[str]:
    return frozenset(words("address", "types"))


@cache
def _announcing() -> frozenset[str]:
    """Words of the phrases that announce codes."""
    listed = (
        *words("mrn", "cues", "sure", "files", "numbers", "labels"),
        *words("iban", "cues"),
        *words("national", "codice"),
    )
    stop = frozenset(words("link", "is"))
    return (
        frozenset(word for phrase in listed for word in re.split(r"[ '-]", phrase) if len(word) > 1 or word == "^")
        - stop
    )


@cache
def _starters() -> frozenset[str]:
    """First words of all that is read here; single letters only matter where a word explains them."""
    single = "abcdefghijklmnopqrstuvwxyz"
    return frozenset(
        {name.split()[0] for name in _names()} | set(_alphabet()) | set(_countries()) | _doubles() | set(single)
    )
