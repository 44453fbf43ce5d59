"""What the categories of facts do to a turn: the order of its sources, what is quoted together, and what is kept."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from careline.model import Category, Hit, ReadWindow
from careline.ports import Source
from careline.quoting.quotes import quotes
from careline.quoting.quoting_input import QuotingInput
from careline.tenants.tenant_records import Tenant
from careline.turn.speak.generate import messages, quoting_input
from careline.turn.stages.search.rerank import rerank
from careline.turn.turn import Turn
from careline.understanding.question import Intent
from careline.value_framework.affinity import affinity
from tests.builders import a_passage, some_facts
from tests.fakes import KeywordReader
from tests.turn.turns import TENANT, a_hit, a_turn, an_installation

ENTRANCE = "Met de rolstoel rijdt u langs de hoofdingang naar binnen."
REFUND = "Voor een rolstoel vraagt u de terugbetaling aan de mutualiteit."
NAVIGATION, BILLING = "navigation_or_practical_info", "billing_or_insurance"


def some_hits() -> tuple[Hit, ...]:
    return a_hit(0.9, ENTRANCE, doc_key="ingang"), a_hit(0.9, REFUND, doc_key="terugbetaling")


async def ranked(intent: str, *hits: Hit, reader: bool = True, **chosen: Any) -> Turn:
    asked = a_turn("rolstoel", hits=hits or some_hits(), intent=Intent(intent, 1.0), **chosen)
    return await rerank(asked, an_installation(reader=KeywordReader("rolstoel") if reader else None))


def keys(turn: Turn) -> list[str]:
    return [source.hit.passage.doc_key for source in turn.sources]


@pytest.mark.parametrize("reader", [True, False])
async def test_of_two_pages_that_say_the_word_the_one_of_the_kind_that_is_asked_for_comes_first(reader: bool) -> None:
    assert keys(await ranked(NAVIGATION, reader=reader))[0] == "ingang"
    assert keys(await ranked(BILLING, reader=reader))[0] == "terugbetaling"
    assert keys(await ranked("billing_contact", reader=reader))[0] == "terugbetaling"


async def test_a_page_that_answers_clearly_better_stays_in_front_of_one_of_the_right_kind() -> None:
    other = a_hit(0.9, "Breng uw kaart van de mutualiteit mee.", doc_key="kaart")
    assert keys(await ranked(BILLING, some_hits()[0], other))[0] == "ingang"


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(intent=st.text(max_size=30), reader=st.booleans())
async def test_an_intent_without_a_row_changes_no_order(intent: str, reader: bool) -> None:
    if intent in affinity().row_of:
        return
    plain, named = await ranked("general", reader=reader), await ranked(intent, reader=reader)
    assert named.sources == plain.sources
    assert named.evidence == plain.evidence


async def test_what_comes_first_for_its_kind_is_no_surer_an_answer_than_what_came_first_before() -> None:
    plain, weighed = await ranked("general"), await ranked(BILLING)
    assert plain.evidence is not None
    assert weighed.evidence is not None
    assert weighed.evidence.relevance == pytest.approx(plain.evidence.relevance)
    assert weighed.evidence.confidence == pytest.approx(plain.evidence.confidence, abs=0.5)


def test_a_page_of_the_specialty_that_is_asked_about_is_preferred_in_any_language() -> None:
    turn = a_turn("hartfalen", intent=Intent("treatment", 1.0, specialties=("cardiology",)))
    stated = [
        turn.weighing(replace(a_passage(), facts=some_facts(specialty=name, language=code))).added
        for name, code in (("cardiologie", "nl"), ("Cardiology", "en"), ("nephrology", "en"), (None, "nl"))
    ]
    assert stated[0] == stated[1] > stated[2] == stated[3]


async def test_a_hospital_may_weigh_otherwise() -> None:
    turned = {f"{BILLING}/practical": 1.3, f"{BILLING}/regulatory": 0.55}
    assert keys(await ranked(BILLING, tenant=Tenant(TENANT, affinity=turned)))[0] == "ingang"


async def test_a_model_is_told_what_its_sources_are_mostly_about() -> None:
    turn = await ranked(BILLING)
    assert "[PRIMARY CATEGORY] regulatory" in messages(turn)[0].text
    assert "[UNIT MISMATCH]" not in messages(turn)[0].text


def read_of(text: str, category: Category, relevance: float, ordinal: int) -> Source:
    passage = a_passage(text, ordinal=ordinal)
    passage = replace(passage, chunk=replace(passage.chunk, category=category))
    return Source(ordinal + 1, "Blad", "nl", Hit(passage, 0.9), (ReadWindow(0, relevance, confidence=relevance),))


def quoted(primary: Category | None, *sources: Source) -> list[int]:
    asked = QuotingInput("rolstoel", "rolstoel", "nl", sources, primary=primary)
    return [one.source.number for one in quotes(asked, 3, 700)]


def test_what_is_of_another_category_is_not_quoted_beside_the_best() -> None:
    entrance, refund = read_of(ENTRANCE, "practical", 5.0, 0), read_of(REFUND, "regulatory", 4.5, 1)
    assert quoted("practical", entrance, refund) == [1]
    assert quoted(None, entrance, refund) == [1, 2]


def test_what_is_of_the_same_category_or_of_none_is_quoted_beside_the_best() -> None:
    entrance = read_of(ENTRANCE, "practical", 5.0, 0)
    for text, category in (("De liften staan links.", "practical"), ("Dat is al jaren zo.", "general")):
        assert quoted("practical", entrance, read_of(text, category, 4.5, 1)) == [1, 2]  # type: ignore[arg-type]


async def test_a_turn_whose_intent_has_no_row_quotes_as_ever() -> None:
    assert quoting_input(await ranked("general")).primary is None
    assert quoting_input(await ranked(BILLING)).primary == "regulatory"


async def test_the_record_keeps_names_and_figures_of_the_categories_alone() -> None:
    turn = await ranked(NAVIGATION)
    assert turn.value is not None
    kept = turn.value.to_json()
    assert (kept["row"], kept["primary"], kept["evaluated"]) == (NAVIGATION, "practical", 2)
    assert (kept["mismatched"], kept["mismatch_rate"]) == (1, 0.5)
    assert [one["multiplier"] for one in kept["candidates"]] == [1.3, 0.55]
    assert "rolstoel" not in json.dumps(kept)

