"""The files of the vocabulary are whole: four languages, known specialties, no wording that names two things."""

from __future__ import annotations

from collections import Counter

import pytest

from careline.model import LANGUAGES
from careline.understanding.terms.entries import CLASS, Kind
from careline.understanding.terms.expansions import abbreviations
from careline.understanding.terms.index import content_words, medical_terms, wordings_of
from careline.understanding.terms.lookup import find_terms
from careline.understanding.terms.words import plain, words_of

SEVEN = ("htn", "dm", "cad", "chf", "af", "mi", "cva")


def test_the_vocabulary_is_as_large_as_a_hospital_needs() -> None:
    kinds = Counter(
        kind if not key.startswith(CLASS) else "class" for kind, key in medical_terms().entries
    )
    assert kinds[Kind.SPECIALTY] >= 45
    assert kinds[Kind.CONDITION] + kinds[Kind.PROCEDURE] >= 300
    assert kinds[Kind.DRUG] >= 500


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_has_a_clinical_name_in_each_language(language: str) -> None:
    assert [entry.key for entry in medical_terms().entries.values() if not entry.wordings[language].clinical] == []


def test_every_specialty_that_is_referred_to_is_there() -> None:
    known = set(medical_terms().specialties)
    used = {each for entry in medical_terms().entries.values() for each in entry.specialties}
    for language in LANGUAGES:
        used |= set(medical_terms().of(language).keywords.values())
        for abbreviation in abbreviations(language).known.values():
            used |= set(abbreviation.expansions) - {""}
    assert used <= known


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_wording_names_two_things(language: str) -> None:
    small = medical_terms().of(language).small_words
    named: dict[tuple[str, ...], str] = {}
    twice = []
    for text, wording in wordings_of(medical_terms().entries.values(), language):
        key = tuple(sorted(content_words(text, small)))
        if named.setdefault(key, wording.entry.key) != wording.entry.key:
            twice.append((text, wording.entry.key, named[key]))
    assert twice == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_wording_of_several_words_is_left_with_one(language: str) -> None:
    """Small words are not compared, so that "the runs" would be every "runs"."""
    small = medical_terms().of(language).small_words
    left = []
    for text, _ in wordings_of(medical_terms().entries.values(), language):
        longer = [word for word in words_of(text) if len(word.plain) > 1]
        if len(content_words(text, small)) < min(2, len(longer)):
            left.append(text)
    assert left == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_wording_is_found_as_it_is_written(language: str) -> None:
    lost = []
    for text, wording in wordings_of(medical_terms().entries.values(), language):
        found = {term.key for term in find_terms(text, language)}
        if wording.entry.key not in found:
            lost.append((text, wording.entry.key, found))
    assert lost == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_of_a_medicine_is_found_in_every_language(language: str) -> None:
    medicines = [entry for entry in medical_terms().entries.values() if entry.drug_class and CLASS not in entry.key]
    lost = []
    for entry in medicines:
        for name in (*entry.wordings[language].clinical, *entry.wordings[language].lay):
            if entry.key not in {term.key for term in find_terms(name, language)}:
                lost.append((name, entry.key))
    assert lost == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_usual_abbreviations(language: str) -> None:
    held = abbreviations(language)
    assert len(held.known) >= 120
    assert set(SEVEN) <= set(held.known)
    assert held.also_words <= set(held.known)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_expansion_is_its_own_abbreviation_or_has_brackets(language: str) -> None:
    for abbreviation in abbreviations(language).known.values():
        for meaning in abbreviation.expansions.values():
            assert plain(meaning) != plain(abbreviation.written)
            assert not set("()") & set(meaning)
