"""Reads what stands between brackets as the names of sources, in the notations that language models use.

By number with or without a label ("1", "source 1", "^1", "1†source", "1, p. 3"), in the digits of any script, or by
title. Which brackets they are, and so how sure it is that they cite, is for `careline.text.completion.markers` to say.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

import yaml

MOST_NUMBER = 99
LONGEST_RANGE = 12
"""Sources that one range names at most; an answer rests on fewer."""
_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufe0e\ufe0f]")
_DAGGER = re.compile(r"[†‡][^,;†‡]*")
_TOKEN = re.compile(r"[^\W\d_]+|\d+|§|\S")
_LANGUAGE = re.compile(r"\([a-z]{2}\)")
_RANGES = frozenset("-–—‑~")
_PASSED = frozenset("^#@\\.:=_*`'\"()[]{}<>«»“”°º|$【】〔〕⟦⟧〖〗〈〉「」（）")
_SEPARATORS = frozenset(",;/&+")


@dataclass(frozen=True, slots=True)
class CitableSources:
    """What a completion may cite: the numbers of its sources, their titles and file names in small letters with the
    numbers of each, and all that they say, in which what looks like a marker may stand."""

    numbers: frozenset[int]
    titles: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True, slots=True)
class Marker:
    """The sources that a marker names, in order; none where it names none that is known. `is_labelled` where it says by
    a word or a title that it names a source, `is_range` where it has a range of numbers."""

    numbers: tuple[int, ...]
    is_labelled: bool = False
    is_range: bool = False


@dataclass(frozen=True, slots=True)
class CitationWords:
    """`citation_words.yaml`."""

    labels: frozenset[str]
    naming: frozenset[str]
    joining: frozenset[str]
    places: frozenset[str]
    elements: frozenset[str]


def marker_of(inside: str, sources: CitableSources, *, may_go_beyond: bool = False) -> Marker | None:
    """What stands between brackets as a marker; None where it is something else.

    A range that goes beyond the sources is one only with `may_go_beyond`, and where it begins with the first of them.
    """
    text = folded(inside)
    is_foreign = "†" in text and ":" in text
    by_title, text = _titles(_DAGGER.sub("", text), sources)
    reading = _Reading(bool(by_title))
    for token in _TOKEN.findall(text):
        if not reading.take(token):
            return None
    if is_foreign:
        # "4:0†source" counts the sources of another conversation.
        return Marker((), True)
    if reading.is_range and not reading.is_labelled and not sources.numbers.issuperset(reading.numbers):
        # A scale of 1 to 10: a range that goes beyond the sources counts something else.
        if not may_go_beyond or reading.numbers[0] != min(sources.numbers, default=0):
            return None
    numbers = tuple(dict.fromkeys(one for one in reading.numbers if one in sources.numbers)) or by_title
    if not numbers and not reading.is_labelled and not reading.numbers:
        return None
    return Marker(numbers, reading.is_labelled, reading.is_range)


def folded(text: str) -> str:
    """The text in small letters and plain digits, without characters that cannot be seen."""
    return unicodedata.normalize("NFKC", _HIDDEN.sub("", text)).casefold()


def is_label(word: str) -> bool:
    """Whether a word beside a marker says that it names a source."""
    return word.casefold() in citation_words().labels


def names_source(word: str) -> bool:
    """Whether a word says so without a marker, at the beginning of a line: "Source 2: ", and not "Note 2: "."""
    return word.casefold() in citation_words().naming


def _titles(text: str, sources: CitableSources) -> tuple[tuple[int, ...], str]:
    """The sources whose title stands in a text, where one is certain, and the text without it."""
    for title in sorted(sources.titles, key=len, reverse=True):
        if title and title in text:
            rest = _LANGUAGE.sub(" ", text.replace(title, " ", 1))
            numbers = sources.titles[title]
            return numbers[:1] if len(numbers) == 1 else (), f"{rest} source"
    return (), text


@dataclass(slots=True)
class _Reading:
    """The tokens of one marker as they are read."""

    is_labelled: bool
    numbers: list[int] = field(default_factory=list)
    is_range: bool = False
    last: str = ""
    in_place: bool = False

    def take(self, token: str) -> bool:
        """Read on; whether this may still be a marker."""
        if token.isdigit():
            return self._number(token)
        if token[0].isalpha() or token in citation_words().places:
            is_read = self._word(token)
        else:
            is_read = self._sign(token)
        # "1.5" and "1-5" need a number before the sign; "ref. 1" and "source-1" have none.
        is_inner = self.last.isdigit() or token not in {".", *_RANGES}
        self.last = token if is_inner else ""
        return is_read

    def _word(self, word: str) -> bool:
        words = citation_words()
        if word in words.places:
            # "p. 3" alone is a page of nobody knows what.
            self.in_place = bool(self.numbers)
            return self.in_place
        self.is_labelled = self.is_labelled or word in words.labels
        return self.in_place or word in words.labels or word in words.joining

    def _sign(self, sign: str) -> bool:
        if sign in _SEPARATORS:
            self.in_place = False
        return sign in _SEPARATORS or sign in _RANGES or sign in _PASSED

    def _number(self, token: str) -> bool:
        if self.in_place:
            return True
        number = int(token) if len(token) < 4 else MOST_NUMBER + 1
        if number > MOST_NUMBER or self.last in {"."}:
            return False
        if self.last in _RANGES:
            first = self.numbers[-1]
            if not first < number <= first + LONGEST_RANGE:
                return False
            self.is_range = True
            self.numbers.extend(range(first + 1, number + 1))
        else:
            self.numbers.append(number)
        self.last = token
        return True


@cache
def citation_words() -> CitationWords:
    """The words, read once."""
    held = yaml.safe_load(files("careline.text.completion").joinpath("citation_words.yaml").read_text("utf-8"))
    return CitationWords(**{name: frozenset(listed.split()) for name, listed in held.items()})
