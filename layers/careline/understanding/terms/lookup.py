"""Finds what a question names of the medical vocabulary, and which specialties it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from careline.model import LANGUAGES
from careline.text.frequent_words import frequent_words
from careline.understanding.terms.entries import Entry, Kind
from careline.understanding.terms.index import Key, LanguageIndex, Wording, medical_terms
from careline.understanding.terms.words import Spellings, Word, is_inflected, stems, words_of

ENGLISH = "en"
_MOST_SMALL_WORDS = 4
"""Small words between two words of one wording: "pijn in mijn linker knie" has three."""
_PARTS = frozenset(".,;:?!()[]\n")
"""Signs that end what is said together."""
_MOST_CLOSED = 2
"""Words that are also written as one, and the most of a keyword."""


@dataclass(frozen=True, slots=True)
class Term:
    """A thing of the vocabulary in a text, from `start` to `end` (exclusive). `is_lay` where it was said in words that
    no clinician writes."""

    entry: Entry
    start: int
    end: int
    is_lay: bool = False

    @property
    def kind(self) -> Kind:
        """What it is."""
        return self.entry.kind

    @property
    def key(self) -> str:
        """Its key in the vocabulary; of a medicine its international nonproprietary name."""
        return self.entry.key

    @property
    def specialties(self) -> tuple[str, ...]:
        """The specialties that it belongs to, the usual one first."""
        return self.entry.specialties

    @property
    def is_urgent(self) -> bool:
        """Whether it is an emergency while it lasts."""
        return self.entry.is_urgent

    def name(self, language: str) -> str:
        """Its clinical name in a language."""
        return self.entry.name(language)


@dataclass(frozen=True, slots=True)
class _Said:
    """A word of a text that may be part of a wording; `begins` where what stands before it is another matter."""

    word: Word
    spelt: str
    stem: str
    begins: bool


def find_terms(text: str, language: str | None) -> list[Term]:
    """Conditions, medicines, examinations and specialties that a text names, in the order of the text.

    Whole words only, in any order of a wording's words, with small words between them; a wording of more words goes
    before one of fewer. A word of six letters or more may have one wrong, where it is no other word of the language.
    """
    index = medical_terms().of(language)
    return _terms(_said(text, index), index)


def find_terms_of_any(text: str, language: str) -> list[Term]:
    """What a text names in its language, and what it calls as clinicians do in English, letter by letter, where these
    words are none of its language: "acute jaundice, wat nu"."""
    found = find_terms(text, language)
    if language == ENGLISH:
        return found
    taken, usual = [(one.start, one.end) for one in found], frequent_words(language)
    index = medical_terms().of(ENGLISH)
    for one in _terms(_said(text, index, as_written=True), index):
        is_free = not any(one.start < end and start < one.end for start, end in taken)
        is_word = all(word.plain in usual for word in words_of(text[one.start : one.end]))
        if is_free and not one.is_lay and not is_word and one.kind is not Kind.SPECIALTY:
            found.append(one)
    return sorted(found, key=lambda term: term.start)


def specialties_of(text: str, language: str | None) -> tuple[str, ...]:
    """The specialties that a text is about, the likeliest first: those it names, then the usual ones of what it names,
    then those of its other words ("heart"), then those that some of it belongs to besides."""
    index = medical_terms().of(language)
    said = _said(text, index)
    terms = _terms(said, index)
    others = [each for each in said if not any(term.start <= each.word.start < term.end for term in terms)]
    ranked = (
        *(term.key for term in terms if term.kind is Kind.SPECIALTY),
        *(term.specialties[0] for term in terms),
        *_by_keywords(others, index),
        *(specialty for term in terms for specialty in term.specialties[1:]),
    )
    return tuple(dict.fromkeys(ranked))


@lru_cache(maxsize=2_000)
def stated_specialties(stated: str, language: str) -> tuple[str, ...]:
    """The specialties that a document says it is of; none where it says nothing."""
    return specialties_of(stated, language)


def _said(text: str, index: LanguageIndex, *, as_written: bool = False) -> list[_Said]:
    words = words_of(text)
    found: list[_Said] = []
    small = 0
    begins = True
    before = 0
    for word, stem in zip(words, stems([word.plain for word in words], index.language), strict=True):
        begins |= not _PARTS.isdisjoint(text[before : word.start])
        before = word.end
        if word.plain in index.small_words:
            small += 1
            continue
        spelt = word.plain if as_written or stem in index.known_stems else _spelt(word.plain, index)
        stem = stem if spelt == word.plain else index.stem_of.get(spelt, spelt)
        found.append(_Said(word, spelt, stem, begins or small > _MOST_SMALL_WORDS))
        small, begins = 0, False
    return found


def _spelt(word: str, index: LanguageIndex) -> str:
    """A word as the vocabulary has it: without its slip, or without what a Dutch compound ends in."""
    if len(word) < Spellings.SHORTEST or any(word in each for each in index.spellings):
        return word
    for tail in index.tails:
        begin = word.removesuffix(tail).removesuffix("s")
        if begin != word and len(begin) >= Spellings.SHORTEST and begin in index.stem_of:
            return begin
    if word in index.not_forms or any(word in frequent_words(code) for code in LANGUAGES):
        return word
    return next((found for each in index.spellings if (found := each.of(word)) is not None), word)


def _terms(said: Sequence[_Said], index: LanguageIndex) -> list[Term]:
    taken = [False] * len(said)
    found: list[Term] = []
    for length in range(min(index.longest, len(said)), 0, -1):
        for at, wording in _wordings(said, length, index):
            if not any(taken[at : at + length]):
                taken[at : at + length] = [True] * length
                first, last = said[at].word, said[at + length - 1].word
                found.append(Term(wording.entry, first.start, last.end, wording.is_lay))
    return sorted(found, key=lambda term: term.start)


def _wordings(said: Sequence[_Said], length: int, index: LanguageIndex) -> Iterator[tuple[int, Wording]]:
    """Where a wording of so many words stands in what was said together."""
    for at in range(len(said) - length + 1):
        run = said[at : at + length]
        if any(each.begins for each in run[1:]):
            continue
        if (wording := _wording(run, index)) is not None:
            yield at, wording


def _wording(run: Sequence[_Said], index: LanguageIndex) -> Wording | None:
    """What some words name: first as they stand, then by their stems, then written as one."""
    words = tuple(each.spelt for each in run)
    found = index.by_name.get(words) or index.by_words.get(tuple(sorted(words)))
    if found is None and len(run) == 1:
        forms = () if words[0] in index.not_forms else index.inflected.get(run[0].stem, ())
        found = next((wording for form, wording in forms if is_inflected(words[0], form)), None)
    elif found is None:
        found = _by_stems(run, index)
    if found is None and len(run) <= _MOST_CLOSED:
        found = index.closed.get("".join(words))
    return found


def _by_stems(run: Sequence[_Said], index: LanguageIndex) -> Wording | None:
    """What words of the same stems name; a specialty only by forms of its own words: "medici lavorano" are no "medici
    del lavoro"."""
    words, found = index.by_stems.get(tuple(sorted(each.stem for each in run)), ((), None))
    if found is None or found.entry.kind is not Kind.SPECIALTY:
        return found
    forms = (any(each.spelt == word or is_inflected(each.spelt, word) for word in words) for each in run)
    return found if all(forms) else None


def _by_keywords(said: Sequence[_Said], index: LanguageIndex) -> Iterator[str]:
    for length in range(1, _MOST_CLOSED + 1):
        for at in range(len(said) - length + 1):
            key: Key = tuple(sorted(each.stem for each in said[at : at + length]))
            if key in index.keywords:
                yield index.keywords[key]
