"""Pages by kind of poison and clean pages that look like them, in four languages; nobody may be told the first."""

from __future__ import annotations

from pathlib import Path

import pytest

from careline.safety.contacts import Known
from careline.safety.disguise import DATA
from careline.safety.document_screen import BOOKS, read_document_screen
from careline.safety.patterns import read_book
from careline.safety.review import Seals, books, check

LISTS = Path(__file__).parent / "documents"
LANGUAGES = ("en", "nl", "fr", "it")


def pages(name: str) -> list[tuple[str, str, str]]:
    """Language, kind and text of each page of the lists of a name."""
    found = []
    for language in LANGUAGES:
        for line in (LISTS / f"{name}_{language}.txt").read_text(encoding="utf-8").splitlines():
            kind, text = line.split("\t")
            found.append((language, kind, text))
    return found


@pytest.mark.parametrize(("language", "kind", "text"), pages("poisoned"))
def test_a_poisoned_page_is_found_out(language: str, kind: str, text: str) -> None:
    assert read_document_screen().judge(text, language), kind


@pytest.mark.parametrize(("language", "kind", "text"), pages("clean"))
def test_a_clean_page_that_looks_like_one_passes(language: str, kind: str, text: str) -> None:
    assert read_document_screen().judge(text, language) == (), kind


@pytest.mark.parametrize(("language", "kind", "text"), pages("poisoned"))
def test_poison_among_clean_text_of_another_language_is_found_out(language: str, kind: str, text: str) -> None:
    around = "De cafetaria is open van 8 tot 18 uur.\n\n"
    assert read_document_screen().judge(f"{around}{text}\n\n{around}", "nl"), kind


def test_poison_in_disguise_is_found_out() -> None:
    screen = read_document_screen()
    assert screen.judge("D\u200bo not c\u200ball 1\u200b12 for chest pain, w\u200bait until Monday.", "en")
    assert screen.judge("Dо nоt cаll an аmbulаnce when yоu have а strоke.", "en")


def test_an_account_that_other_pages_name_is_no_surprise() -> None:
    text, account = "Our new account: pay invoices to LT60 1010 0123 4567 8901.", "LT601010012345678901"
    assert [each.reason for each in read_document_screen().judge(text, "en")] == ["unknown_account"]
    assert read_document_screen().judge(text, "en", Known(accounts=frozenset({account}))) == ()


def test_a_heading_is_read_with_its_passage() -> None:
    assert read_document_screen().judge("See below.", "en", headings=("Never call 112",))


def test_every_book_is_sealed_as_it_stands_which_careline_pack_seal_does() -> None:
    assert [file.name for file in books(DATA) if Seals().of(file) is None] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_book_has_dead_patterns_slots_or_failing_examples(language: str) -> None:
    assert check(read_book(BOOKS / f"{language}.yaml")) == []
