"""Which of what was found an answer may be made of, and in which order."""

from __future__ import annotations

from careline.search.choose_passages import by_document, choose_passages
from tests.turn.turns import a_hit


def test_a_document_in_the_language_of_the_question_is_preferred_when_it_is_nearly_as_good() -> None:
    near = [a_hit(0.9, "french", doc_key="fr", facts={"language": "fr"}), a_hit(0.85, "dutch", doc_key="nl")]
    assert [hit.passage.doc_key for hit in by_document(near, "nl")] == ["nl", "fr"]
    far = [near[0], a_hit(0.5, "dutch", doc_key="nl")]
    assert [hit.passage.doc_key for hit in by_document(far, "nl")] == ["fr", "nl"]


def test_of_one_document_the_passage_that_holds_what_is_asked_for_comes_first() -> None:
    hits = [a_hit(0.9, "over parkeren", ordinal=0), a_hit(0.8, "het kost € 2,20 per uur", ordinal=1)]
    assert [hit.passage.chunk.ordinal for hit in by_document(hits, "nl", frozenset({"amount"}))] == [1, 0]
    assert [hit.passage.chunk.ordinal for hit in by_document(hits, "nl")] == [0, 1]


def test_weak_hits_and_a_text_that_was_there_before_are_left_out_and_no_more_than_the_limit_is_chosen() -> None:
    text = "Parkeren kost twee euro vijftig per uur op alle parkings van het ziekenhuis."
    hits = [
        a_hit(0.9, text, doc_key="new"),
        a_hit(0.8, text, doc_key="old"),
        a_hit(0.7, "Bezoek is welkom.", doc_key="visits"),
        a_hit(0.6, "Een rolstoel staat aan de ingang.", doc_key="wheelchairs"),
        a_hit(0.29, "Het park is open.", doc_key="park"),
    ]
    chosen = choose_passages(hits, "wat kost parkeren", "nl", 2)
    assert [hit.passage.doc_key for hit in chosen] == ["new", "visits"]
    assert len(choose_passages(hits, "wat kost parkeren", "nl", 9)) == 3
