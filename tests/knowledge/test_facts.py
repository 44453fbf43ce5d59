"""What is known about a document: the sender's word, then the file's, then what is seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from careline.knowledge.document_facts import settled_facts
from careline.model import Document
from careline.tables.extracted import Block, BlockKind, Extracted, Page
from tests.builders import a_document, some_engines
from tests.fakes import OneLanguage
from tests.knowledge.stores import TENANT, an_upload, ingested

LONG = "Het bezoekuur begint elke dag om veertien uur en eindigt om twintig uur. " * 5


def extracted(text: str = LONG, **stated: Any) -> Extracted:
    return Extracted((Page(1, (Block(BlockKind.PARAGRAPH, text),)),), stated)


def unsaid(**said: Any) -> Document:
    """A document of which the sender said only this."""
    facts = {"title": "bezoek", "source_type": "document", "language": "", **said}
    return a_document(file_name="bezoek.md", facts=facts)


def test_the_senders_word_wins_over_the_files_and_the_files_over_what_is_seen() -> None:
    document = unsaid(year=2026, language="fr", title="Mijn titel")
    facts = settled_facts(
        document, extracted(title="Titel", year=2020, language="it", publisher="KCE"), OneLanguage("nl")
    )
    assert (facts.title, facts.year, facts.language, facts.publisher) == ("Mijn titel", 2026, "fr", "KCE")


def test_what_a_file_says_is_for_clinicians_never_becomes_public() -> None:
    assert settled_facts(unsaid(), extracted(audience="clinician"), OneLanguage()).audience == "clinician"
    said = unsaid(audience="clinician")
    assert settled_facts(said, extracted(audience="public"), OneLanguage()).audience == "clinician"
    assert settled_facts(unsaid(), extracted(), OneLanguage()).audience == "public"


def test_a_title_made_from_the_files_name_gives_way_to_the_files_own() -> None:
    assert settled_facts(unsaid(), extracted(title="Op bezoek"), OneLanguage()).title == "Op bezoek"
    assert settled_facts(unsaid(), extracted(), OneLanguage()).title == "bezoek"


@pytest.mark.parametrize(
    ("text", "stated", "seen", "expected"),
    [
        (LONG, "fr", OneLanguage("nl", 0.95), "nl"), (LONG, "fr", OneLanguage("nl", 0.5), "fr"),
        ("Kort.", "fr-BE", OneLanguage("nl", 0.95), "fr"), ("Kort.", None, OneLanguage("nl", 0.5), ""),
    ],
)  # fmt: skip
def test_the_language_a_file_states_is_believed_unless_its_text_plainly_says_otherwise(
    text: str, stated: str | None, seen: OneLanguage, expected: str
) -> None:
    assert settled_facts(unsaid(), extracted(text, language=stated), seen).language == expected


@pytest.mark.parametrize("stated", [{"year": "sometime"}, {"valid_until": "soon"}, {"audience": "all"}, {"authors": 5}])
def test_what_a_file_states_that_cannot_be_right_is_left_out(stated: dict[str, Any]) -> None:
    facts = settled_facts(unsaid(), extracted(**stated, doi="10.1/x"), OneLanguage())
    assert facts == replace(unsaid().facts, language="nl", doi="10.1/x")


def test_settling_twice_changes_nothing() -> None:
    document = unsaid(year=2026)
    text = extracted(title="Op bezoek", authors=["An", "Bo"], language="nl")
    once = settled_facts(document, text, OneLanguage())
    assert settled_facts(replace(document, facts=once), text, OneLanguage("fr")) == once


async def test_every_passage_of_a_record_carries_its_facts() -> None:
    engines = some_engines(identify=OneLanguage("en"))
    record = '{"question": "Parkeren?", "text": "Parkeren kost twee euro.", "year": 2024, "specialty": "onthaal"}'
    job = await ingested(an_upload(record, name="faq.jsonl", doc_key="faq-1", facts={"year": 2026}), engines)
    (passage,) = await engines.index.passages(TENANT, "faq-1", 1)
    assert job.error_message is None
    assert (passage.facts.title, passage.facts.year) == ("Parkeren?", 2026)
    assert (passage.facts.specialty, passage.facts.language) == ("onthaal", "en")


@pytest.mark.parametrize("name", ["-.md", "_.md", "+.md"])
async def test_a_file_whose_name_holds_no_words_has_a_title_all_the_same(name: str) -> None:
    engines = some_engines()
    job = await ingested(an_upload("Zomaar tekst.", name=name), engines)
    (passage,) = await engines.index.passages(TENANT, job.doc_key, 1)
    assert passage.facts.title
