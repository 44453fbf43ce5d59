"""What is searched for stands by itself, whatever was said before or around it."""

from __future__ import annotations

import pytest

from careline.model import Conversation, Message
from careline.turn.stages.search.rewrite_query import rewrite_query
from tests.fakes import NOW
from tests.turn.turns import a_turn, an_installation

FIRST = {
    "nl": "wat zijn de bezoekuren op de materniteit",
    "en": "what are the visiting hours on maternity",
    "fr": "quelles sont donc les heures de visite à la maternité",
    "it": "quali orari di visita ci sono in maternità",
}
FOLLOW_UPS = [
    ("nl", "en op zondag?"), ("en", "and at weekends?"), ("fr", "et le dimanche ?"), ("it", "e la domenica?"),
]  # fmt: skip
MAYBE_THE_SAME = {
    "nl": "ben mn ticketje kwijt en weet niet meer wat ik dan moet betalen",
    "en": "which number do I call there to get some help at home sorted",
    "fr": "est-ce que je peux rester à côté d'elle pendant tout ce temps là",
    "it": "devo portare qualche asciugamano e un cuscino oppure pensate voi a tutto questo",
}
ALONE = {
    "nl": "hoeveel kost het om een hele dag te parkeren op campus hoogveld",
    "en": "how much does it cost me to park my car for a day at hoogveld",
    "fr": "combien est-ce que ça coûte de laisser la voiture au parking à hoogveld",
    "it": "quanto costa lasciare la macchina per un giorno intero nel parcheggio a hoogveld",
}


async def searched(question: str, *said: str, language: str = "nl", **chosen: object) -> str:
    turn = a_turn(question, said=said, language=language, **chosen)
    return (await rewrite_query(turn, an_installation())).search_text


@pytest.mark.parametrize(("language", "question"), FOLLOW_UPS)
async def test_a_short_question_is_searched_with_the_one_before_it(language: str, question: str) -> None:
    first = FIRST[language]
    turn = await rewrite_query(a_turn(question, said=(first,), language=language), an_installation())
    assert (turn.search_text, turn.leans) == (f"{first}? {question.rstrip(' ?')}?", True)


async def test_a_word_alone_is_no_follow_up() -> None:
    assert "bezoekuren" not in await searched("wifi", FIRST["nl"])


@pytest.mark.parametrize("language", ALONE)
async def test_a_long_question_is_searched_by_itself(language: str) -> None:
    assert await searched(ALONE[language], FIRST[language], language=language) == ALONE[language]


@pytest.mark.parametrize("language", MAYBE_THE_SAME)
async def test_a_question_of_many_words_that_may_be_about_the_same_keeps_them(language: str) -> None:
    first, question = FIRST[language], MAYBE_THE_SAME[language]
    turn = await rewrite_query(a_turn(question, said=(first,), language=language), an_installation())
    assert (turn.search_text, turn.leans) == (question, False)


async def test_the_first_question_of_a_conversation_leans_on_nothing() -> None:
    assert await searched("en op zondag?") == "en op zondag?"


async def test_a_chain_of_follow_ups_leads_back_to_what_it_is_about() -> None:
    said = ("wat zijn de bezoekuren", "en op zondag?")
    assert await searched("en op feestdagen?", *said) == "wat zijn de bezoekuren? en op zondag? en op feestdagen?"


async def test_a_chain_ends_at_the_question_that_stands_by_itself() -> None:
    said = ("waar is de cafetaria", MAYBE_THE_SAME["nl"], "en op zondag?")
    assert "cafetaria" not in await searched("en op feestdagen?", *said)


async def test_a_long_question_stands_by_itself_even_when_it_begins_like_a_follow_up() -> None:
    question = "en wat moet ik allemaal meebrengen als mijn dochter morgen een nacht moet blijven"
    assert await searched(question, "wat zijn de bezoekuren") == question


async def test_only_the_users_own_messages_are_leant_on() -> None:
    turn = a_turn("en op zondag?", said=("wat zijn de bezoekuren",))
    assert "14 tot 20" not in (await rewrite_query(turn, an_installation())).search_text


async def test_thanks_between_two_questions_are_not_leant_on() -> None:
    said = ("wat zijn de bezoekuren", "dank u wel")
    assert await searched("en op zondag?", *said) == "wat zijn de bezoekuren? en op zondag?"


async def test_what_was_refused_is_not_asked_for_again_by_a_follow_up() -> None:
    for refused in ("hoeveel ibuprofen mag ik nemen", "mag mijn man sporten met zijn hernia"):
        assert await searched("en voor een kind?", refused) == "en voor een kind?"
    for question, is_refused, leant_on in [("wat kost parkeren", True, False), ("wat kost parkeren", False, True)]:
        said = (
            Message("user", question, NOW, refused=is_refused),
            Message("assistant", "Dat kan ik niet zeggen.", NOW),
        )
        text = await searched("en voor een kind?", conversation=Conversation("talk", "default", said))
        assert (question in text) is leant_on
