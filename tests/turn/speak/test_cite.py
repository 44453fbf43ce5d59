"""Citations: the words of the document as they stand there, and a reference in the reader's format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.chat import ChatMessage
from careline.ports import Source
from careline.schemas import wire
from careline.turn.speak.cite import LONGEST_EXCERPT, citation, excerpt, reference
from tests.builders import a_passage
from tests.turn.turns import TENANT, a_hit, a_hospital, an_installation, answer, ask, sources_told, with_passages

BOOK = {
    "title": "Sepsis in adults", "authors": ("Janssens A", "Peeters B", "Rossi C"), "year": 2025,
    "publisher": "Elzenvoorde Press", "doi": "10.1000/182",
}  # fmt: skip
LEAFLET = {
    "title": "Op bezoek",
    "organisation": "Ziekenhuis Elzenvoorde",
    "year": 2026,
    "url": "https://e.example/bezoek",
}
BARE = {"title": "Op bezoek"}
REFERENCES = [
    (BOOK, "Vancouver", "Janssens A, Peeters B, Rossi C. Sepsis in adults. Elzenvoorde Press; 2025. "
     "Available from: https://doi.org/10.1000/182."),
    (BOOK, "AMA", "Janssens A, Peeters B, Rossi C. Sepsis in adults. Elzenvoorde Press; 2025. https://doi.org/10.1000/182"),
    (BOOK, "APA", "Janssens A, Peeters B & Rossi C (2025). Sepsis in adults. Elzenvoorde Press. https://doi.org/10.1000/182"),
    (LEAFLET, "Vancouver", "Ziekenhuis Elzenvoorde. Op bezoek. 2026. Available from: https://e.example/bezoek."),
    (LEAFLET, "AMA", "Ziekenhuis Elzenvoorde. Op bezoek. 2026. https://e.example/bezoek"),
    (LEAFLET, "APA", "Ziekenhuis Elzenvoorde (2026). Op bezoek. https://e.example/bezoek"),
    (BARE, "Vancouver", "Op bezoek."),
    (BARE, "AMA", "Op bezoek."),
    (BARE, "APA", "Op bezoek (n.d.)."),
]  # fmt: skip


def source(**facts: object) -> Source:
    hit = a_hit(facts=facts)
    return Source(1, hit.passage.facts.title, hit.passage.facts.language, hit)


@pytest.mark.parametrize(("facts", "style", "written"), REFERENCES)
def test_a_reference_has_the_parts_that_are_known_in_the_readers_format(
    facts: dict[str, object], style: str, written: str
) -> None:
    assert reference(source(**facts), wire.Preferences.model_validate({"citation_format": style})) == written


def test_a_citation_says_where_to_look() -> None:
    hit = a_hit(0.87654, heading_path=("Bezoek", "Op zondag"), facts={**LEAFLET, "pmid": "123"})
    chunk = replace(hit.passage.chunk, first_page=3, last_page=4)
    passage = replace(hit.passage, chunk=chunk, file_name="bezoek.pdf")
    made = citation(2, Source(7, "Op bezoek", "nl", replace(hit, passage=passage)), "bezoek", wire.Preferences())
    assert (made.number, made.section, made.page, made.last_page) == (2, "Bezoek > Op zondag", 3, 4)
    assert (made.doc_key, made.version, made.chunk_id, made.source) == ("brochure-1", 1, "brochure-1:1:0", "bezoek.pdf")
    assert (made.url, made.doi, made.pmid, made.score) == (LEAFLET["url"], None, "123", 0.8765)


def test_a_citation_tells_the_part_of_the_work_and_the_place_in_it() -> None:
    facts = BOOK | {"book_edition": "21st edition", "chapter": "Chapter 252: Heart failure"}
    hit = a_hit(heading_path=("Acute", "Diuretics"), facts=facts)
    chunk = replace(hit.passage.chunk, first_page=1763, last_page=1764)
    passage = replace(hit.passage, chunk=chunk, file_name="book.pdf")
    cited = citation(1, Source(1, "A book", "en", replace(hit, passage=passage)), "diuretics", wire.Preferences())
    assert cited.subtitle == "21st edition, Chapter 252: Heart failure"
    assert cited.location == "Diuretics, p. 1763-1764"
    assert cited.source_id == passage.document_id
    assert "Sepsis in adults, 21st edition, Chapter 252: Heart failure." in cited.reference


def test_a_file_without_pages_is_cited_without_a_page() -> None:
    made = citation(1, source(), "bezoek", wire.Preferences())
    assert (made.page, made.last_page) == (None, None)


def test_an_excerpt_begins_with_the_sentence_that_is_nearest_to_the_question() -> None:
    text = "De parking is groot. Bezoek mag van 14 tot 20 uur.\nKinderen zijn welkom.\n\n- met een ouder\n- na 15 uur"
    assert excerpt(text, "wanneer mag bezoek", "nl").startswith("Bezoek mag van 14 tot 20 uur.\nKinderen zijn welkom.")


TEXTS = st.lists(
    st.sampled_from(["Bezoek mag van 14 tot 20 uur. ", "Nee! ", "- item\n", "\n\n", "a | b\n", "x" * 90 + " "])
)


@given(TEXTS.map("".join), st.sampled_from(["bezoek uur", "item", ""]))
def test_an_excerpt_stands_letter_by_letter_in_the_passage_and_is_never_long(text: str, question: str) -> None:
    found = excerpt(text, question, "nl")
    assert found in text
    assert len(found) <= LONGEST_EXCERPT
    assert bool(found.strip()) is bool(text.strip())


def test_a_long_sentence_is_cut_between_two_words() -> None:
    text = "woord " * 200
    found = excerpt(text, "iets", "nl")
    assert len(found) <= LONGEST_EXCERPT
    assert set(found.split()) == {"woord"}


async def test_an_answer_cites_what_it_marks_in_the_order_of_reading() -> None:
    installation = await a_hospital(
        [lambda told: f"Bezoek is welkom [{max(sources_told(told).values())}], parkeren [1], bezoek [1]."]
    )
    made = answer(await ask(installation, "bezoek parkeren uur"))
    assert [one.number for one in made.citations] == [1, 2]
    assert made.text == "Bezoek is welkom [1], parkeren [2], bezoek [2]."


async def test_an_answer_on_the_phone_cites_the_sources_of_its_markers_and_speaks_none() -> None:
    def written(told: Sequence[ChatMessage]) -> str:
        number = sources_told(told)["Parkeren"]
        return f"Parkeren kan voor 2,50 euro per uur [{number}]."

    made = answer(await ask(await a_hospital([written]), "bezoek parkeren uur", channel="voice"))
    assert [one.doc_key for one in made.citations] == ["brochure-parkeren"]
    assert "[" not in made.text


@pytest.mark.parametrize("channel", ["chat", "voice"])
async def test_a_sentence_that_stands_in_a_source_word_for_word_is_cited_from_there(channel: str) -> None:
    made = answer(
        await ask(await a_hospital(["Bezoek is welkom van 14 tot 20 uur."]), "wanneer is er bezoek", channel=channel)
    )
    assert [one.doc_key for one in made.citations] == ["brochure-bezoek"]
    assert made.disposition == "answered"
    assert made.text.endswith("[1]") is (channel == "chat")


async def test_a_document_that_refers_to_its_own_literature_does_not_make_citations_of_ours() -> None:
    texts = (
        "Bezoek in de rustige uren helpt het herstel [2, 3].",
        "Bezoek aan de tuin is vrij.",
        "Bezoek van dieren kan.",
    )
    passages = [a_passage(text, tenant=TENANT, doc_key=f"brochure-{n}") for n, text in enumerate(texts)]
    installation = await with_passages(an_installation(), *passages)
    quoting = replace(installation.engines, model=None)
    made = answer(await ask(replace(installation, engines=quoting), "bezoek in de rustige uren"))
    assert "helpt het herstel. [1]" in made.text
    assert made.citations[0].doc_key == "brochure-0"
    assert "brochure-1" not in {one.doc_key for one in made.citations}
