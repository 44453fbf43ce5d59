"""What is searched for stands by itself, whatever was said before or around it."""

from __future__ import annotations

import pytest

from careline.model import Conversation, Message
from careline.turn.rewrite_query import rewrite_query
from tests.fakes import NOW
from tests.turn.turns import a_turn, an_installation, packs

FOLLOW_UPS = {
    "nl": (
        "wat zijn de bezoekuren op de materniteit",
        {
            "en op zondag?": "wat zijn de bezoekuren op de materniteit op zondag?",
            "en voor kinderen": "wat zijn de bezoekuren op de materniteit voor kinderen?",
            "en op cardiologie?": "wat zijn de bezoekuren op cardiologie?",
            "waar is dat": "wat zijn de bezoekuren op de materniteit? waar is dat?",
            "zondag?": "wat zijn de bezoekuren op de materniteit, zondag?",
            "oké dank u, en op zondag?": "wat zijn de bezoekuren op de materniteit op zondag?",
        },
    ),
    "en": (
        "what are the visiting hours on maternity",
        {
            "and on sundays?": "what are the visiting hours on maternity on sundays?",
            "but for children?": "what are the visiting hours on maternity for children?",
            "what about cardiology": "what are the visiting hours, cardiology?",
            "also at weekends?": "what are the visiting hours on maternity, also at weekends?",
            "how do i get there": "what are the visiting hours on maternity? how do i get there?",
        },
    ),
    "fr": (
        "quelles sont donc les heures de visite à la maternité",
        {
            "et le dimanche ?": "quelles sont donc les heures de visite à la maternité, le dimanche?",
            "mais pour les enfants": "quelles sont donc les heures de visite à la maternité pour les enfants?",
            "et en cardiologie ?": "quelles sont donc les heures de visite en cardiologie?",
            "et comment y aller": "quelles sont donc les heures de visite à la maternité? comment y aller?",
        },
    ),
    "it": (
        "quali orari di visita ci sono in maternità",
        {
            "e la domenica?": "quali orari di visita ci sono in maternità, la domenica?",
            "ma per i bambini": "quali orari di visita ci sono in maternità per i bambini?",
            "e in cardiologia?": "quali orari di visita ci sono in cardiologia?",
            "come arrivo lì": "quali orari di visita ci sono in maternità? come arrivo lì?",
        },
    ),
}
REPLACED = [
    ("nl", "Wat kost parkeren campus Oost op zaterdag?", "en op zondag?", "Wat kost parkeren campus Oost op zondag?"),
    ("nl", "hoeveel kost parkeren op campus oost", "en op campus west", "hoeveel kost parkeren op campus west?"),
    ("nl", "hoe laat is het bezoek in lommel", "en in hasselt", "hoe laat is het bezoek in hasselt?"),
    ("nl", "hoeveel kost parkeren campus West", "nee, ik bedoelde campus Oost", "hoeveel kost parkeren, campus Oost?"),
    ("en", "what is parking at campus East", "and in the other building?", "what is parking in the other building?"),
    ("en", "what time is visiting at St Anne", "no, I meant campus East", "what time is visiting, campus East?"),
    ("en", "how much is a single room", "and a double?", "how much is a room, a double?"),
    ("fr", "combien coûte le parking sur le campus Nord ?", "et à Hautmont ?", "combien coûte le parking à Hautmont?"),
    ("fr", "où est le labo à Hautmont ?", "non, je voulais dire à Beauval", "où est le labo à Beauval?"),
    ("it", "quanto costa il parcheggio a Montebruno?", "e a Serravalle?", "quanto costa il parcheggio a Serravalle?"),
    ("it", "quali sono gli orari in cardiologia", "no, intendevo in maternità", "quali sono gli orari in maternità?"),
    ("nl", "Wanneer werkt dokter El Ouassi?", "En dokter Claeskens?", "Wanneer werkt dokter Claeskens?"),
    ("en", "When does doctor El Ouassi work?", "What about Dr. Claeskens?", "When does Dr. Claeskens work?"),
    ("fr", "Quand travaille le docteur El Ouassi ?", "Et le docteur Claes ?", "Quand travaille le docteur Claes?"),
    ("it", "Quando lavora il dottor El Ouassi?", "E il dottor Ferrantini?", "Quando lavora il dottor Ferrantini?"),
]
ALONE = {
    "nl": ["hoeveel kost parkeren op campus hoogveld", "is er wifi?", "waar kan ik eten"],
    "en": ["how much does parking cost at hoogveld", "is there wifi?", "how much does it cost to park at hoogveld"],
    "fr": ["combien coûte le parking à hoogveld", "y a-t-il un parking ?", "où puis-je manger"],
    "it": ["quanto costa il parcheggio a hoogveld", "c'è il wifi?", "dove si può parcheggiare"],
}
TOPICS = {
    "nl": ["parking", "adres", "bezoekuren?"],
    "en": ["parking", "wifi"],
    "fr": ["parking", "horaires"],
    "it": ["orari?", "wifi"],
}


async def searched(question: str, *said: str, language: str = "nl", **chosen: object) -> str:
    turn = a_turn(question, said=said, language=language, **chosen)
    return (await rewrite_query(turn, an_installation())).search_text


@pytest.mark.parametrize("language", FOLLOW_UPS)
async def test_a_follow_up_is_searched_with_the_question_before_it(language: str) -> None:
    first, follow_ups = FOLLOW_UPS[language]
    for question, expected in follow_ups.items():
        assert await searched(question, first, language=language) == expected


@pytest.mark.parametrize(("language", "first", "question", "expected"), REPLACED)
async def test_what_is_new_replaces_its_like(language: str, first: str, question: str, expected: str) -> None:
    assert await searched(question, first, language=language) == expected


@pytest.mark.parametrize("language", ALONE)
async def test_a_question_that_stands_by_itself_is_searched_by_itself(language: str) -> None:
    first, _ = FOLLOW_UPS[language]
    for question in ALONE[language]:
        assert await searched(question, first, language=language) == question


async def test_a_new_subject_takes_over_the_campus_when_it_is_joined_on() -> None:
    assert await searched("en waar kan ik eten?", "wat kost parkeren campus Oost") == "waar kan ik eten campus Oost?"


async def test_the_first_question_of_a_conversation_leans_on_nothing() -> None:
    assert await searched("en op zondag?") == "en op zondag?"


async def test_a_chain_of_follow_ups_leads_back_to_what_it_is_about() -> None:
    said = ("wat zijn de bezoekuren", "en op zondag?")
    assert await searched("en op feestdagen?", *said) == "wat zijn de bezoekuren op feestdagen?"


async def test_a_chain_ends_at_the_question_that_stands_by_itself() -> None:
    said = ("waar is de cafetaria", "wat zijn de bezoekuren", "en op zondag?")
    assert "cafetaria" not in await searched("en op feestdagen?", *said)


async def test_a_long_question_stands_by_itself_even_when_it_begins_like_a_follow_up() -> None:
    question = "en wat moet ik allemaal meebrengen als mijn dochter morgen een nacht moet blijven"
    assert await searched(question, "wat zijn de bezoekuren") == question


async def test_only_the_users_own_messages_are_leant_on() -> None:
    turn = a_turn("en op zondag?", said=("wat zijn de bezoekuren",))
    assert "14 tot 20" not in (await rewrite_query(turn, an_installation())).search_text


async def test_thanks_between_two_questions_are_not_leant_on() -> None:
    said = ("wat zijn de bezoekuren", "dank u wel")
    assert await searched("en op zondag?", *said) == "wat zijn de bezoekuren op zondag?"


async def test_what_was_refused_is_not_asked_for_again_by_a_follow_up() -> None:
    refused = "hoeveel ibuprofen mag ik nemen"
    assert await searched("en voor een kind?", refused) == "en voor een kind?"
    refusal = packs()["hospital_line"].template("safety_refusal", "nl")
    said = (Message("user", "wat kost parkeren", NOW), Message("assistant", refusal, NOW))
    conversation = Conversation("talk", "default", said)
    assert await searched("en voor een kind?", conversation=conversation) == "en voor een kind?"


async def test_a_question_is_searched_without_what_is_said_around_it() -> None:
    asked = "Goedemorgen, mijn naam is Ottilie Verbist. Ik wou vragen hoeveel parkeren kost? Alvast bedankt!"
    assert await searched(asked) == "hoeveel parkeren kost?"


async def test_a_text_of_which_nothing_is_left_is_searched_whole() -> None:
    assert await searched("goedemorgen, dank u wel") == "goedemorgen, dank u wel"


@pytest.mark.parametrize("language", TOPICS)
async def test_a_word_alone_is_a_question_about_it(language: str) -> None:
    for topic in TOPICS[language]:
        found = await searched(topic, language=language)
        assert topic.rstrip("?") in found
        assert len(found.split()) > 3


async def test_a_word_alone_whose_language_is_not_clear_is_searched_as_it_is() -> None:
    assert await searched("scanner", language_clear=False) == "scanner"


async def test_a_word_alone_is_no_follow_up() -> None:
    assert "bezoekuren" not in await searched("wifi", "wat zijn de bezoekuren op campus Oost")


async def test_a_yes_to_the_closest_page_searches_for_its_title() -> None:
    closest = "Dit komt het dichtst in de buurt: “Parkeren voor bewoners”, bedoelt u dat?"
    said = (Message("user", "mag ik daar staan", NOW), Message("assistant", closest, NOW))
    assert await searched("ja", conversation=Conversation("talk", "default", said)) == "Parkeren voor bewoners"
