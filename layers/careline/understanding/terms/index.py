"""Holds the vocabulary of each language ready to be looked up, by a wording's words and their stems in any order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from careline.model import LANGUAGES
from careline.understanding.terms.entries import CLASS, Entry, Kind, Vocabulary, read
from careline.understanding.terms.words import Spellings, plain, stems, words_of

_SHORTEST_CLOSED = 7
"""Letters from which a word is also known in two, and two as one: "hoofd pijn", "bloodtest"."""

Key = tuple[str, ...]
"""The words of a wording, or their stems, in the order of the alphabet, small words left out."""


@dataclass(frozen=True, slots=True)
class Wording:
    """One wording of an entry; `is_lay` where it is what people say and no clinician writes."""

    entry: Entry
    is_lay: bool


@dataclass(frozen=True, slots=True)
class LanguageIndex:
    """The wordings of one language.

    `by_words` is asked with the plain words themselves, then `by_stems` with their stems (of several words, which it
    has beside the wording) or
    `inflected` with the stem of one, `closed` with what is written as one word or two, and `by_name` with the plain
    words of a medicine's name, which have no endings. `stem_of` has the stem of each word of the vocabulary;
    `not_forms` are no forms or slips of others.
    """

    language: str
    by_words: Mapping[Key, Wording]
    by_stems: Mapping[Key, tuple[Key, Wording]]
    inflected: Mapping[str, Sequence[tuple[str, Wording]]]
    closed: Mapping[str, Wording]
    by_name: Mapping[Key, Wording]
    longest: int
    keywords: Mapping[Key, str]
    small_words: frozenset[str]
    tails: tuple[str, ...]
    stem_of: Mapping[str, str]
    known_stems: frozenset[str]
    not_forms: frozenset[str]
    spellings: tuple[Spellings, ...]


@dataclass(frozen=True, slots=True)
class MedicalTerms:
    """The whole vocabulary: its entries by kind and key, and the wordings of each language."""

    entries: Mapping[tuple[Kind, str], Entry]
    languages: Mapping[str, LanguageIndex]

    def of(self, language: str | None) -> LanguageIndex:
        """The wordings of a language, or of English for one that the vocabulary has not."""
        return self.languages.get(language or "en") or self.languages["en"]

    @property
    def specialties(self) -> tuple[str, ...]:
        """The keys of all specialties."""
        return tuple(key for kind, key in self.entries if kind is Kind.SPECIALTY)


@cache
def medical_terms() -> MedicalTerms:
    """The vocabulary, read once for a process."""
    held = read()
    by_name = dict(_names_of_drugs(held.entries))
    names = Spellings({word for name in by_name for word in name})
    entries = {(entry.kind, entry.key): entry for entry in held.entries}
    return MedicalTerms(entries, {code: _index(held, code, by_name, names) for code in LANGUAGES})


def wordings_of(entries: Iterable[Entry], language: str) -> Iterator[tuple[str, Wording]]:
    """Every wording of a language with what it names, those of single medicines left out. Clinical ones come first,
    so that of two things the one stands that a professional calls so."""
    held = [entry for entry in entries if not _is_medicine(entry)]
    for entry in held:
        yield from ((text, Wording(entry, is_lay=False)) for text in entry.wordings[language].clinical)
    for entry in held:
        is_lay = entry.kind is not Kind.SPECIALTY
        yield from ((text, Wording(entry, is_lay)) for text in entry.wordings[language].lay)


def content_words(wording: str, small_words: frozenset[str]) -> list[str]:
    """The plain words of a wording that are compared: all but small ones."""
    return [word.plain for word in words_of(wording) if word.plain not in small_words]


def _is_medicine(entry: Entry) -> bool:
    return entry.kind is Kind.DRUG and not entry.key.startswith(CLASS)


def _names_of_drugs(entries: Iterable[Entry]) -> Iterator[tuple[Key, Wording]]:
    """The names of medicines in all languages: a box is called the same in each. Substances come last and win."""
    medicines = [entry for entry in entries if _is_medicine(entry)]
    for is_lay in (True, False):
        for entry in medicines:
            for wordings in entry.wordings.values():
                for name in wordings.lay if is_lay else wordings.clinical:
                    yield tuple(word.plain for word in words_of(name)), Wording(entry, is_lay)


def _index(
    held: Vocabulary, language: str, by_name: Mapping[Key, Wording], names: Spellings
) -> LanguageIndex:
    small = held.small_words[language]
    by_name = {tuple(word for word in name if word not in small): wording for name, wording in by_name.items()}
    listed = [(content_words(text, small), wording) for text, wording in wordings_of(held.entries, language)]
    vocabulary = sorted({word for words, _ in listed for word in words})
    stem_of = dict(zip(vocabulary, stems(vocabulary, language), strict=True))
    by_words: dict[Key, Wording] = {}
    by_stems: dict[Key, tuple[Key, Wording]] = {}
    inflected: dict[str, list[tuple[str, Wording]]] = {}
    closed: dict[str, Wording] = {}
    for words, wording in listed:
        by_words.setdefault(tuple(sorted(words)), wording)
        if len(words) > 1:
            by_stems.setdefault(tuple(sorted(stem_of[word] for word in words)), (tuple(words), wording))
        else:
            inflected.setdefault(stem_of[words[0]], []).append((words[0], wording))
        joined = "".join(words)
        if len(words) <= 2 and len(joined) >= _SHORTEST_CLOSED:
            closed.setdefault(joined, wording)
    return LanguageIndex(
        language,
        by_words,
        by_stems,
        inflected,
        closed,
        by_name,
        max(map(len, (*by_words, *by_name))),
        dict(_keywords(held.keywords[language], language)),
        small,
        held.tails.get(language, ()),
        stem_of,
        frozenset(stem_of.values()),
        held.not_forms[language],
        (Spellings(vocabulary), names),
    )


def _keywords(listed: Mapping[str, str], language: str) -> Iterator[tuple[Key, str]]:
    for text, specialty in listed.items():
        yield tuple(sorted(stems([plain(word) for word in text.split()], language))), specialty
