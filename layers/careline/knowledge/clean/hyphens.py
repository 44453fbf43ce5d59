"""Joins lines, and decides whether a hyphen at the end of a line belongs to the word."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

import yaml

from careline.model import LANGUAGES
from careline.text.frequent_words import frequent_words
from careline.text.languages import by_frequent_words

_BROKEN = re.compile(
    r"(?<![\w'’-])([\w'’-]{0,60}\w)(?:([-\u2010\u00ad])[^\S\n]*\n\s*|([-\u2010])\u00ad)(\w+(?:-\w+)*)"
)
"""A word at the end of a line, or where a line of a cell ended (`in_one_line`)."""
_WORD = re.compile(r"\w+(?:[-\u2010]\w+)*")
_SOFT_HYPHEN = "\u00ad"
_SUSPENDED = frozenset(("en", "of", "and", "or", "et", "ou", "e", "o", "und", "oder"))
"""After a hanging hyphen: "in- en uitgang", "pre- or post-operative"."""
_BLOOD_GROUPS = frozenset(("A", "B", "AB", "O", "0"))
_SHORTEST_WORD = 3
_SHORTEST_STEM, _LONGEST_ENDING = 5, 3
_SAMPLE = 20_000
"""Characters by which the language of a document is told."""


class DocumentVocabulary:
    """The words of a document, which know best how it spells them. Counted only when a line ends in a hyphen."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(texts)

    @cached_property
    def _counts(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        for text in self._texts:
            counts.update(_WORD.findall(_BROKEN.sub(" ", text).casefold()))
        return counts

    @cached_property
    def _first_parts(self) -> Counter[str]:
        """How many words of the document have a hyphen behind each part that words begin with."""
        return Counter(word.partition("-")[0] for word in self._counts if "-" in word)

    @cached_property
    def _words(self) -> list[str]:
        return sorted(self._counts)

    @cached_property
    def language(self) -> str | None:
        """The language of most of the document, by its frequent words."""
        told = by_frequent_words(" ".join(self._texts)[:_SAMPLE])
        return None if told is None else told[0]

    @cached_property
    def is_about_blood(self) -> bool:
        """Whether a word of the document begins with what blood is called."""
        called = filter(None, (_grammar(language).blood for language in LANGUAGES))
        return any(map(self._begun_with, called))

    def prefers_hyphen(self, left: str, right: str) -> bool | None:
        """Whether the document elsewhere writes the two, or the two with another ending, with a hyphen; None when it
        writes them nowhere."""
        left, right = left.casefold(), right.casefold()
        with_hyphen, without = self._counts[f"{left}-{right}"], self._counts[f"{left}{right}"]
        if with_hyphen != without:
            return with_hyphen > without
        stem = right[: max(_SHORTEST_STEM, len(right) - _LONGEST_ENDING)]
        with_hyphen, without = self._begun_with(f"{left}-{stem}"), self._begun_with(left + stem)
        return None if with_hyphen == without else with_hyphen > without

    def hyphenates(self, left: str) -> bool:
        """Whether most words of the document that begin with a part have a hyphen behind it."""
        with_hyphen = self._first_parts[left.casefold()]
        return with_hyphen > 0 and 2 * with_hyphen > self._begun_with(left.casefold())

    def _begun_with(self, part: str) -> int:
        """How many words of the document begin with a part, with a hyphen or without."""
        return bisect_left(self._words, part + "\uffff") - bisect_left(self._words, part)


def unwrapped(text: str, vocabulary: DocumentVocabulary) -> str:
    """The text on one line, words that were broken at line ends made whole."""
    if "\n" in text or _SOFT_HYPHEN in text:
        text = _BROKEN.sub(lambda found: _mended(found, vocabulary), text)
        text = " ".join(line.strip() for line in text.split("\n"))
    return text.replace(_SOFT_HYPHEN, "")


def in_one_line(text: str) -> str:
    """The text of a cell on one line. A soft hyphen behind a hyphen stands for a line end in a word, so that the whole
    document can tell how the word is spelled."""
    text = _BROKEN.sub(
        lambda found: f"{found[1]}{'' if found[2] == _SOFT_HYPHEN else '-' + _SOFT_HYPHEN}{found[4]}", text
    )
    return " ".join(line.strip() for line in text.split("\n"))


def _mended(found: re.Match[str], vocabulary: DocumentVocabulary) -> str:
    left, hyphen, _, right = found.groups()
    if hyphen == _SOFT_HYPHEN:
        return left + right
    if right.lower() in _SUSPENDED and not _is_pronoun(left, right, vocabulary.language):
        return f"{left}- {right}"
    preferred = vocabulary.prefers_hyphen(left, right)
    if preferred is None and _begins_anew(left, right) and vocabulary.is_about_blood:
        return f"{left}- {right}"
    if preferred is None:
        preferred = keeps_hyphen(left, right, vocabulary.language, is_alike=vocabulary.hyphenates(left))
    return f"{left}-{right}" if preferred else left + right


def _begins_anew(left: str, right: str) -> bool:
    """Whether a capitalised word follows the name of a blood group, whose hyphen may be its sign: "group A-"."""
    return left in _BLOOD_GROUPS and right[0].isupper() and right.upper() != right


def keeps_hyphen(left: str, right: str, language: str | None, *, is_alike: bool = False) -> bool:
    """Whether two parts of a word that the document has nowhere else have a hyphen between them: by their signs, by the
    words that the language has, by other words of the document that begin so (`is_alike`), and by grammar. Nobody
    breaks a word behind or before one letter."""
    if left[-1].isdigit() or not right[0].islower() or (left.isupper() and len(left) > 1):
        return True
    parts = [_plain(part) for part in re.split(r"[-'’]", left)]
    first, last = parts[-1], _plain(right.partition("-")[0])
    if len(first) == 1 or len(last) == 1:
        return True
    if ("-" in left and first in _SUSPENDED) or ("-" in right and last in _SUSPENDED):
        return True
    if language is None:
        are_one = any(_is_written_so(first, last, one) for one in LANGUAGES)
        return are_one or (first[-1:] == last[:1] and first[-1:] in "aeiou")
    known, grammar = frequent_words(language), _grammar(language)
    if _is_written_so(first, last, language):
        return True
    if first + last in known or last in grammar.endings:
        return False
    if is_alike or _is_pronoun(first, right.partition("-")[0], language) or first[-1] + last[0] in grammar.clashes:
        return True
    if (first in grammar.before or last in grammar.behind) and (last in known or first in known):
        return True
    both = min(len(first), len(last)) >= _SHORTEST_WORD and first in known and last in known
    if "-" in left and both:
        return parts[-2] in known
    is_solid = first in grammar.solid or not grammar.are_apart
    return both and not is_solid and not _is_inflected(first + last, language)


def _is_written_so(first: str, last: str, language: str) -> bool:
    """Whether a language lists the two with a hyphen, or the second is a particle of the first ("follow-up")."""
    known, grammar = frequent_words(language), _grammar(language)
    is_adverb = last in grammar.particles and first in known and first not in grammar.solid and len(first) > 2
    return is_adverb or f"{first}-{last}" in known


def _is_pronoun(left: str, right: str, language: str | None) -> bool:
    """Whether a verb is followed by its pronoun ("demandez-leur")."""
    if language is None:
        return False
    grammar, verb = _grammar(language), _plain(left)
    is_verb = bool(grammar.verbs) and (verb.endswith(grammar.verbs) or verb in frequent_words(language))
    return is_verb and right.casefold() in grammar.clitics


def _is_inflected(word: str, language: str) -> bool:
    """Whether the language has a word that differs from this one in its ending alone."""
    words = _sorted_words(language)
    stem = word[: max(_SHORTEST_STEM, len(word) - _LONGEST_ENDING)]
    at = bisect_left(words, stem)
    return at < len(words) and words[at].startswith(stem)


@dataclass(frozen=True, slots=True)
class _Grammar:
    """The row of one language in `hyphens.yaml`, without accents but for the pronouns."""

    before: frozenset[str]
    behind: frozenset[str]
    particles: frozenset[str]
    solid: frozenset[str]
    endings: frozenset[str]
    clashes: frozenset[str]
    clitics: frozenset[str]
    verbs: tuple[str, ...]
    are_apart: bool
    blood: str


@cache
def _grammar(language: str) -> _Grammar:
    tables = yaml.safe_load(files(__package__).joinpath("hyphens.yaml").read_text("utf-8"))
    row: dict[str, str] = tables.get(language, {})
    before, behind, particles, solid, endings, clashes = (
        frozenset(map(_plain, row.get(name, "").split()))
        for name in ("before", "behind", "particles", "solid", "endings", "clashes")
    )
    clitics, verbs = frozenset(row.get("clitics", "").split()), tuple(row.get("verbs", "").split())
    return _Grammar(
        before, behind, particles, solid, endings, clashes, clitics, verbs, row.get("compounds") == "apart",
        row.get("blood", ""),
    )  # fmt: skip


@cache
def _sorted_words(language: str) -> list[str]:
    return sorted(frequent_words(language))


def _plain(word: str) -> str:
    """Small letters without accents, as the lists of frequent words have them."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))
