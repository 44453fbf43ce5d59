"""Searching: patience, one retry, and answers that say when they could not look everywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

import numpy as np

from careline.errors import EmbedderUnavailable, IndexUnavailable
from careline.installation import Installation
from careline.model import Hit
from careline.ports import PassageQuery, Vector
from careline.turn.stages.search.embed_query import embed_query
from careline.turn.stages.search.retrieve import retrieve
from careline.turn.turn import Turn
from tests.builders import a_passage
from tests.fake_index import FakeIndex
from tests.fakes import FakeDetector, FakeEmbedder
from tests.turn.turns import TENANT, BrokenIndex, a_hospital, a_turn, an_installation, answer, ask, with_passages

DOWN = IndexUnavailable("the index does not answer")


class EmbedderThatIsDown(FakeEmbedder):
    async def embed_query(self, text: str) -> Vector:
        raise EmbedderUnavailable("the embedding model does not answer")


async def found(turn: Turn, installation: Installation) -> Turn:
    return await retrieve(await embed_query(turn, installation), installation)


async def test_what_is_found_is_kept_with_the_vector_it_was_found_by() -> None:
    passage = a_passage("Bezoek is welkom.", tenant=TENANT)
    turn = await found(a_turn("bezoek"), await with_passages(an_installation(), passage))
    assert [hit.passage.chunk_id for hit in turn.hits] == [passage.chunk_id]
    assert np.array_equal(turn.vector, FakeEmbedder().vector("bezoek"))
    assert turn.searched == ("knowledge_base",)


async def test_a_question_searches_once() -> None:
    index = BrokenIndex(0, DOWN)
    installation = await with_passages(an_installation(index=index), a_passage("Bezoek is welkom.", tenant=TENANT))
    turn = await found(a_turn("bezoek"), installation)
    assert (index.asked, len(turn.hits)) == (1, 1)


async def test_an_index_that_fails_once_is_asked_once_more() -> None:
    index = BrokenIndex(1, DOWN)
    installation = await with_passages(an_installation(index=index), a_passage("Bezoek is welkom.", tenant=TENANT))
    turn = await found(a_turn("bezoek"), installation)
    assert (len(turn.hits), index.asked, turn.warnings) == (1, 2, ())


async def test_an_index_that_fails_twice_ends_the_turn_with_a_warning_and_an_offer_of_a_person() -> None:
    index = BrokenIndex(2, DOWN)
    events = await ask(an_installation(["nooit"], index=index), "wanneer is er bezoek")
    assert index.asked == 2
    assert (answer(events).disposition, answer(events).reason) == ("failed", "INDEX_UNAVAILABLE")
    assert [warning.code for warning in answer(events).warnings] == ["INDEX_UNAVAILABLE"]
    assert "medewerker" in answer(events).text


class FailsFor(FakeIndex):
    """An index that never finds what some queries ask."""

    def __init__(self, fails: Callable[[PassageQuery], bool]) -> None:
        super().__init__()
        self.fails = fails

    async def find(self, query: PassageQuery) -> Sequence[Hit]:
        if self.fails(query):
            raise DOWN
        return await super().find(query)


async def test_a_search_for_a_name_that_fails_is_left_out_of_an_answer() -> None:
    index = FailsFor(lambda query: query.text == "Jan Peeters")
    installation = await a_hospital(index=index, detector=FakeDetector("Jan Peeters"))
    installation = replace(installation, engines=replace(installation.engines, model=None))
    made = answer(await ask(installation, "wanneer mag Jan Peeters bezoek krijgen"))
    assert made.disposition == "answered"
    assert "Bezoek is welkom van 14 tot 20 uur" in made.text
    assert [one.code for one in made.warnings if one.code == "INDEX_UNAVAILABLE"] == []
    assert made.sources_searched == ["knowledge_base"]


async def test_without_an_embedder_words_alone_are_searched_and_the_reader_is_told() -> None:
    installation = await with_passages(
        an_installation(["Bezoek is welkom [1]."], embedder=EmbedderThatIsDown()),
        a_passage("Bezoek is welkom van 14 tot 20 uur.", tenant=TENANT),
    )
    events = await ask(installation, "bezoek welkom")
    assert answer(events).disposition == "answered"
    assert [warning.code for warning in answer(events).warnings] == ["KEYWORDS_ONLY"]


async def test_without_an_embedder_few_shared_words_are_not_evidence() -> None:
    installation = await with_passages(
        an_installation(["nooit"], embedder=EmbedderThatIsDown()), a_passage("Bezoek is welkom.", tenant=TENANT)
    )
    assert answer(await ask(installation, "kost bezoek aan de dierentuin in de zomer veel")).reason == "NO_EVIDENCE"


async def test_the_public_line_never_searches_what_clinicians_read() -> None:
    secret = a_passage("Geef ceftriaxon 2 g.", tenant=TENANT, facts={"audience": "clinician"})
    installation = await with_passages(an_installation(), secret)
    assert (await found(a_turn("ceftriaxon"), installation)).hits == ()
    desk = a_turn("ceftriaxon", pack=installation.packs["clinical_assistant"])
    assert len((await found(desk, installation)).hits) == 1


async def test_what_is_not_valid_today_is_not_found() -> None:
    old = a_passage("Parkeren kost 1 euro.", tenant=TENANT, facts={"valid_until": date(2025, 12, 31)})
    assert (await found(a_turn("parkeren"), await with_passages(an_installation(), old))).hits == ()


async def test_another_hospitals_documents_are_not_found() -> None:
    theirs = a_passage("Parkeren kost 1 euro.", tenant="elsewhere")
    assert (await found(a_turn("parkeren"), await with_passages(an_installation(), theirs))).hits == ()
