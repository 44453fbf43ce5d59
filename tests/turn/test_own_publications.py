"""A question for what the hospital publishes is searched for, quoted where a document answers, and refused
where none does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from careline.installation import Installation
from careline.safety.in_context import InContext
from careline.turn.outcome import Reply
from careline.turn.searches.find_passages import planned
from careline.turn.speak.screen_output import reviewed
from careline.turn.stages.route_model import route_model
from careline.turn.stages.search.rerank import rerank
from careline.turn.stages.search.retrieve import retrieve
from careline.turn.writers import Quoter, writers_of
from tests.builders import a_passage
from tests.fakes import ScriptedModel
from tests.turn.turns import (
    TENANT,
    WatchedIndex,
    a_turn,
    an_installation,
    answer,
    ask,
    packs,
    quote_instead,
    shown,
    with_passages,
)

WAITS = "wanneer mag mijn gips weer nat worden"
LEAFLET = "Houd het gips droog; het mag nooit nat worden."
LINE = packs()["hospital_line"]


async def a_ward(**chosen: Any) -> Installation:
    """An installation that holds the leaflet on plaster, and a language model that would say something of its own."""
    installation = an_installation(["Een taalmodel."], **chosen)
    return await with_passages(installation, a_passage(LEAFLET, tenant=TENANT, doc_key="brochure-gips"))


async def test_a_leaflet_that_answers_is_quoted_with_its_source() -> None:
    events = await ask(await a_ward(), WAITS)
    assert answer(events).disposition == "answered"
    assert [one.doc_key for one in answer(events).citations] == ["brochure-gips"]
    assert shown(events).startswith(f"{LEAFLET} [1]")
    assert answer(events).model == "extractive"


async def test_without_a_document_it_is_refused_as_advice() -> None:
    events = await ask(an_installation(), WAITS)
    assert (answer(events).disposition, answer(events).reason) == ("refused", "SAFETY_REFUSAL")
    assert shown(events) == str(reviewed(LINE, "safety_refusal", "nl", a_turn()))


async def test_a_price_that_no_document_tells_is_not_refused_as_advice() -> None:
    text = "Hoeveel kost een spuit tegen hondsdolheid?"
    terminal = replace(LINE.terminal.classify(WAITS, "nl"), supposed_advice=True)
    ended = await rerank(a_turn(text, terminal=terminal), an_installation())
    assert isinstance(ended.outcome, Reply)
    assert ended.outcome.reason == "NO_EVIDENCE"


async def test_documents_of_which_nothing_can_be_told_leave_it_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    quote_instead(monkeypatch)
    events = await ask(await a_ward(), WAITS)
    assert (answer(events).disposition, answer(events).reason) == ("refused", "SAFETY_REFUSAL")


async def test_a_judgement_is_refused_before_any_search() -> None:
    index = WatchedIndex()
    events = await ask(await a_ward(index=index), "mijn gips doet pijn en mijn vingers zijn blauw wat moet ik doen")
    assert answer(events).disposition in {"refused", "escalated"}
    assert index.asked == []


def waiting(**chosen: Any) -> Any:
    """A turn that waits for what is published."""
    return a_turn(WAITS, terminal=LINE.terminal.classify(WAITS, "nl"), **chosen)


async def test_only_documents_for_everybody_are_searched_for_it() -> None:
    index = WatchedIndex()
    installation = an_installation(index=index)
    pack = replace(LINE, audiences_searched=("clinician", "public"))
    await retrieve(waiting(pack=pack), installation)
    await retrieve(a_turn(pack=pack), installation)
    assert [query.where["audience"] for query in index.asked] == [("public",), ("clinician", "public")]


def test_what_is_looked_up_besides_is_for_everybody_too() -> None:
    pack = replace(LINE, audiences_searched=("clinician", "public"))
    search = planned("gips", None, waiting(pack=pack), 3, document_id=("a",))
    assert search.filters == {"audience": ("public",), "document_id": ("a",)}


async def test_no_language_model_writes_about_it() -> None:
    installation = an_installation(cloud=ScriptedModel())
    turn = await route_model(waiting(), installation)
    assert turn.route is not None
    assert (turn.route.use, turn.route.rule) == ("local", "own-publications")
    assert writers_of(turn, installation.engines) == [Quoter()]


async def test_no_evidence_ends_it_with_the_reasons_of_the_refusal() -> None:
    turn = waiting()
    assert turn.terminal is not None
    ended = await rerank(turn, an_installation())
    assert isinstance(ended.outcome, Reply)
    assert (ended.outcome.reason, ended.outcome.rules) == ("SAFETY_REFUSAL", turn.terminal.reasons)


async def test_a_leaflets_own_instruction_is_told_word_for_word_and_no_other() -> None:
    screen = LINE.advice
    assert screen is not None
    ice = "Leg ijs op de enkel."
    assert screen.judge(InContext(ice), "nl").reasons, "the sentence tells this test nothing"
    installation = await with_passages(
        an_installation([f"{ice} [1]"], ["Leg ijs op de enkel en drink veel. [1]"]),
        a_passage(f"Na de operatie komt u bij. {ice} Bezoek is welkom.", tenant=TENANT, doc_key="brochure-enkel"),
    )
    assert ice in shown(await ask(installation, "wat staat er in de brochure over ijs op de enkel"))
    paraphrased = await ask(installation, "wat staat er in de brochure over ijs op de enkel")
    assert answer(paraphrased).reason == "ADVICE_BLOCKED"


@pytest.mark.parametrize(
    "sentence", ["Neem drie keer per dag 500 mg ibuprofen.", "U hebt een longontsteking.", "U moet geopereerd worden."]
)
async def test_a_dose_a_diagnosis_and_a_treatment_are_not_told_from_a_leaflet_either(sentence: str) -> None:
    installation = await with_passages(
        an_installation([f"{sentence} [1]"]),
        a_passage(f"Brochure thuis. {sentence}", tenant=TENANT, doc_key="brochure-thuis"),
    )
    events = await ask(installation, "brochure thuis")
    assert answer(events).reason == "ADVICE_BLOCKED"


async def test_a_document_for_clinicians_lets_no_sentence_through() -> None:
    ice = "Leg ijs op de enkel."
    pack = replace(LINE, audiences_searched=("clinician", "public"))
    held = a_passage(ice, tenant=TENANT, doc_key="protocol-enkel", facts={"audience": "clinician"})
    installation = await with_passages(an_installation([f"{ice} [1]"]), held)
    installation = replace(installation, packs={**installation.packs, "hospital_line": pack})
    events = await ask(installation, "wat staat er in het protocol over ijs op de enkel")
    assert answer(events).reason == "ADVICE_BLOCKED"
