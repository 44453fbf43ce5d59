"""A follow-up is searched for together with what it leans on."""

from __future__ import annotations

import pytest

from careline.turn.rewrite_query import rewrite_query
from tests.turn.turns import a_turn, an_installation

FOLLOW_UPS = {
    "nl": (
        "wat zijn de bezoekuren op de materniteit",
        ["en op zondag?", "hoe lang mag dat", "en voor kinderen", "waar is dat"],
    ),
    "en": ("what are the visiting hours on maternity", ["and on sundays?", "how do i get there", "but for children?"]),
    "fr": (
        "quelles sont les heures de visite à la maternité",
        ["et le dimanche ?", "et comment y aller", "mais pour les enfants"],
    ),
    "it": ("quali sono gli orari di visita in maternità", ["e la domenica?", "come arrivo lì", "ma per i bambini"]),
}
ALONE = {
    "nl": "hoeveel kost parkeren op campus hoogveld",
    "en": "how much does parking cost at hoogveld",
    "fr": "combien coûte le parking à hoogveld",
    "it": "quanto costa il parcheggio a hoogveld",
}


async def searched(question: str, *said: str, language: str = "nl") -> str:
    return (await rewrite_query(a_turn(question, said=said, language=language), an_installation())).search_text


@pytest.mark.parametrize("language", FOLLOW_UPS)
async def test_a_follow_up_is_searched_with_the_question_before_it(language: str) -> None:
    first, follow_ups = FOLLOW_UPS[language]
    for question in follow_ups:
        assert await searched(question, first, language=language) == f"{first} {question}"


@pytest.mark.parametrize("language", ALONE)
async def test_a_question_that_stands_by_itself_is_searched_by_itself(language: str) -> None:
    first, _ = FOLLOW_UPS[language]
    assert await searched(ALONE[language], first, language=language) == ALONE[language]


async def test_the_first_question_of_a_conversation_leans_on_nothing() -> None:
    assert await searched("en op zondag?") == "en op zondag?"


async def test_a_chain_of_follow_ups_leads_back_to_what_it_is_about() -> None:
    said = ("wat zijn de bezoekuren", "en op zondag?")
    assert await searched("en op feestdagen?", *said) == "wat zijn de bezoekuren en op zondag? en op feestdagen?"


async def test_a_chain_ends_at_the_question_that_stands_by_itself() -> None:
    said = ("waar is de cafetaria", "wat zijn de bezoekuren", "en op zondag?")
    assert "cafetaria" not in await searched("en op feestdagen?", *said)


async def test_a_long_question_stands_by_itself_even_when_it_begins_like_a_follow_up() -> None:
    question = "en wat moet ik allemaal meebrengen als mijn dochter morgen een nacht moet blijven"
    assert await searched(question, "wat zijn de bezoekuren") == question


async def test_only_the_users_own_messages_are_leant_on() -> None:
    turn = a_turn("en op zondag?", said=("wat zijn de bezoekuren",))
    assert "14 tot 20" not in (await rewrite_query(turn, an_installation())).search_text
