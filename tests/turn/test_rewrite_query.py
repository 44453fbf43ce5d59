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
    ("en", "how much is a single room", "and a double?", "how much is a double room?"),
    ("fr", "combien coûte le parking sur le campus Nord ?", "et à Hautmont ?", "combien coûte le parking à Hautmont?"),
    ("fr", "où est le labo à Hautmont ?", "non, je voulais dire à Beauval", "où est le labo à Beauval?"),
    ("it", "quanto costa il parcheggio a Montebruno?", "e a Serravalle?", "quanto costa il parcheggio a Serravalle?"),
    ("it", "quali sono gli orari in cardiologia", "no, intendevo in maternità", "quali sono gli orari in maternità?"),
    ("nl", "Wanneer werkt dokter El Ouassi?", "En dokter Claeskens?", "Wanneer werkt dokter Claeskens?"),
    ("en", "When does doctor El Ouassi work?", "What about Dr. Claeskens?", "When does Dr. Claeskens work?"),
    ("fr", "Quand travaille le docteur El Ouassi ?", "Et le docteur Claes ?", "Quand travaille le docteur Claes?"),
    ("it", "Quando lavora il dottor El Ouassi?", "E il dottor Ferrantini?", "Quando lavora il dottor Ferrantini?"),
]
CORRECTED = [
    ("nl", "hoe laat is het bezoek in lommel", "sorry ik bedoelde hasselt", "hoe laat is het bezoek in hasselt?"),
    ("nl", "hoe laat is het bezoek in lommel", "oei nee, hasselt", "hoe laat is het bezoek in hasselt?"),
    ("en", "how long is the wait at your eastgate site", "oh no sorry I meant westgate",
     "how long is the wait at your westgate site?"),
    ("fr", "où est le labo à hautmont", "ah pardon je voulais dire beauval", "où est le labo à beauval?"),
    ("it", "quanto costa il parcheggio a montebruno", "no scusi intendevo serravalle",
     "quanto costa il parcheggio a serravalle?"),
    ("en", "what is visiting on a saturday", "sorry, I meant sunday", "what is visiting, sunday?"),
]  # fmt: skip
ELSEWHERE = [
    ("nl", "wat kost parkeren in heidezicht", "en in de andere, bosrand?", "wat kost parkeren in bosrand?"),
    ("en", "what is parking at oakfield for a week", "and at the other one, elmside?",
     "what is parking at elmside for a week?"),
    ("fr", "c'est combien le parking à beauval", "et à l'autre, montclair ?", "c'est combien le parking à montclair?"),
    ("it", "quanto costa il parcheggio a villabella", "e nell'altra sede, montechiaro?",
     "quanto costa il parcheggio a montechiaro?"),
    ("nl", "koelkast Heidezicht, hoeveel?", "en op Bosrand?", "koelkast Bosrand, hoeveel?"),
    ("en", "fridge Oakfield, how much?", "and at Elmside?", "fridge Elmside, how much?"),
    ("fr", "frigo Beauval, combien ?", "et à Montclair ?", "frigo Montclair, combien?"),
    ("it", "frigorifero Villabella, quanto?", "e a Montechiaro?", "frigorifero Montechiaro, quanto?"),
]  # fmt: skip
MEASURES = [
    ("nl", "waar meld ik me voor een gastroscopie", "hoelang op voorhand?",
     "hoelang op voorhand, voor een gastroscopie?"),
    ("en", "where do I check in for a gastroscopy", "how long in advance?",
     "how long in advance, in for a gastroscopy?"),
    ("fr", "où me présenter pour une gastroscopie", "combien d'heures à l'avance ?",
     "combien d'heures à l'avance, pour une gastroscopie?"),
    ("it", "dove mi presento per la gastroscopia", "con quanto anticipo?", "con quanto anticipo, per la gastroscopia?"),
    ("nl", "mag ik eten voor een echografie in Bosrand", "hoe vroeg moet ik er zijn?",
     "hoe vroeg moet ik er zijn, voor een echografie in Bosrand?"),
]  # fmt: skip
ASKED_ANEW = [
    ("nl", "attest sportclub prijs", "hoelang duurt dat", "hoelang duurt dat, attest sportclub?"),
    ("en", "how much is the typhoid jab", "how long does that one last?", "how long does that one last, typhoid jab?"),
    ("fr", "attestation piscine prix", "et dans quel délai ?", "dans quel délai, attestation piscine?"),
    ("it", "certificato palestra prezzo", "e quanto tempo ci vuole?", "quanto tempo ci vuole, certificato palestra?"),
]
ELSE = [
    ("nl", "nog iets anders, hoelang bewaren jullie een bril", "hoelang bewaren jullie een bril"),
    ("en", "right. separate thing, how long do you keep glasses", "how long do you keep glasses"),
    ("fr", "ok merci. autre question, je veux une copie de mon dossier", "je veux une copie de mon dossier"),
    ("it", "un'altra cosa, quanto costa una copia della cartella", "quanto costa una copia della cartella"),
]
MAYBE_THE_SAME = {
    "nl": "ben mn ticketje kwijt wat moek dan betalen",
    "en": "which number do I call there to get some help at home sorted",
    "fr": "est-ce que je peux rester à côté d'elle pendant ce temps",
    "it": "devo portare qualche asciugamano oppure pensate voi a tutto",
}
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


@pytest.mark.parametrize(("language", "first", "question", "expected"), ELSEWHERE)
async def test_another_campus_takes_the_place_of_the_one_that_was_named_however_both_are_written(
    language: str, first: str, question: str, expected: str
) -> None:
    assert await searched(question, first, language=language) == expected


@pytest.mark.parametrize(("language", "first", "question", "expected"), MEASURES)
async def test_a_measure_alone_is_asked_of_the_examination_before_it(
    language: str, first: str, question: str, expected: str
) -> None:
    assert await searched(question, first, language=language) == expected


@pytest.mark.parametrize("language", ALONE)
async def test_a_question_that_stands_by_itself_is_searched_by_itself(language: str) -> None:
    first, _ = FOLLOW_UPS[language]
    for question in ALONE[language]:
        assert await searched(question, first, language=language) == question


@pytest.mark.parametrize(("language", "first", "question", "expected"), CORRECTED)
async def test_a_correction_asks_the_same_of_something_else(
    language: str, first: str, question: str, expected: str
) -> None:
    assert await searched(question, first, language=language) == expected


async def test_a_correction_leaves_a_question_alone_that_has_several_names_or_none() -> None:
    assert await searched("sorry ik bedoelde hasselt", "wat kost parkeren") == "wat kost parkeren, hasselt?"
    both = "hoe ver is het in lommel bij overpelt"
    assert await searched("sorry ik bedoelde hasselt", both) == f"{both}, hasselt?"


@pytest.mark.parametrize(("language", "first", "question", "expected"), ASKED_ANEW)
async def test_what_is_asked_takes_the_place_of_what_was_asked(
    language: str, first: str, question: str, expected: str
) -> None:
    assert await searched(question, first, language=language) == expected


async def test_the_days_after_take_the_place_of_the_first() -> None:
    first = "quanto si paga per il primo giorno di ricovero"
    assert await searched("e i giorni dopo?", first, language="it") == (
        "quanto si paga per il giorno di ricovero, i giorni dopo?"
    )


@pytest.mark.parametrize(("language", "question", "expected"), ELSE)
async def test_a_question_about_something_else_has_no_topic_before_it(
    language: str, question: str, expected: str
) -> None:
    first, _ = FOLLOW_UPS[language]
    turn = await rewrite_query(a_turn(question, said=(first,), language=language), an_installation())
    assert (turn.search_text, turn.topic, turn.leans) == (expected, "", False)


@pytest.mark.parametrize("language", MAYBE_THE_SAME)
async def test_a_question_that_may_be_about_the_same_keeps_its_words_and_knows_the_topic(language: str) -> None:
    (first, _), question = FOLLOW_UPS[language], MAYBE_THE_SAME[language]
    turn = await rewrite_query(a_turn(question, said=(first,), language=language), an_installation())
    assert (turn.search_text, turn.topic, turn.leans) == (question, first, False)


@pytest.mark.parametrize("language", ALONE)
async def test_a_question_with_a_subject_of_its_own_has_no_topic_before_it(language: str) -> None:
    first, _ = FOLLOW_UPS[language]
    for question in ALONE[language]:
        turn = await rewrite_query(a_turn(question, said=(first,), language=language), an_installation())
        assert turn.topic == ""


async def test_the_topic_of_a_third_question_is_that_of_the_first_and_the_second() -> None:
    said = ("wat zijn de bezoekuren op de materniteit", "mijn schoonmoeder komt van ver met haar hondje")
    turn = await rewrite_query(a_turn("wie zal er dan aanwezig zijn om te helpen", said=said), an_installation())
    assert turn.topic == " ".join(said)


async def test_what_was_refused_is_no_topic() -> None:
    said = ("hoeveel ibuprofen mag ik nemen",)
    turn = await rewrite_query(a_turn(MAYBE_THE_SAME["nl"], said=said), an_installation())
    assert turn.topic == ""


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
