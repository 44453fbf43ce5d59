"""The question is searched for, and not what is said around it."""

from __future__ import annotations

import pytest

from careline.understanding.asked_part import WHOLE, asked_part

WRAPPED = {
    "nl": (
        "hoeveel kost de fietsenstalling op campus Noord",
        [
            "Goedemorgen, mijn naam is {name}. Ik wou vragen {question}? Alvast bedankt!",
            "hallo, met {name}, ik heb een vraagje: {question}? Dank u wel.",
            "Dag mevrouw, sorry voor het storen. Onze kat is vorige week {number} geworden. {question}?",
        ],
    ),
    "en": (
        "how much is the bicycle shed on campus North",
        [
            "Good morning, my name is {name}. I was wondering, {question}? Many thanks.",
            "Hi there, this is {name}, quick question: {question}, please?",
            "Hello, sorry to bother you. Our cat turned {number} last week. {question}?",
        ],
    ),
    "fr": (
        "combien coûte l'abri à vélos sur le campus Nord",
        [
            "Bonjour, je m'appelle {name}. Je voudrais savoir {question} ? Merci d'avance.",
            "Bonjour madame, ici {name}, j'ai une question : {question}, s'il vous plaît ?",
            "Bonsoir, excusez-moi de vous déranger. Notre chat a eu {number} ans mercredi. {question} ?",
        ],
    ),
    "it": (
        "quanto costa il deposito delle biciclette nella sede Nord",
        [
            "Buongiorno, mi chiamo {name}. Volevo sapere {question}? Grazie mille.",
            "Salve, sono {name}, avrei una domanda: {question}, per favore?",
            "Buonasera, scusi il disturbo. Il nostro gatto ha compiuto {number} anni. {question}?",
        ],
    ),
}


@pytest.mark.parametrize("language", WRAPPED)
def test_a_question_is_taken_out_of_greeting_name_story_and_thanks(language: str) -> None:
    question, wrappings = WRAPPED[language]
    for wrapping in wrappings:
        found = asked_part(wrapping.format(name="Ottilie Verbist", number=12, question=question), language)
        assert found.rstrip("?") == question


@pytest.mark.parametrize("language", WRAPPED)
def test_a_name_or_number_around_a_question_changes_nothing(language: str) -> None:
    question, wrappings = WRAPPED[language]
    for wrapping in wrappings:
        told = [
            asked_part(wrapping.format(name=name, number=number, question=question), language)
            for name, number in (("Ottilie Verbist", 12), ("[PERSON_1]", 7), ("Aldo Ferri", 94))
        ]
        assert len(set(told)) == 1


@pytest.mark.parametrize(
    ("language", "text", "kept"),
    [
        ("nl", "Mijn broer wordt maandag geopereerd aan zijn knie. Hoe lang duurt dat?", "geopereerd aan zijn knie"),
        ("en", "My brother is having his knee done on Monday. How long does that take?", "having his knee done"),
        ("fr", "Mon frère se fait opérer du genou lundi. Combien de temps ça dure ?", "opérer du genou"),
        ("it", "Mio fratello si opera al ginocchio lunedì. Quanto tempo ci vuole per quello?", "opera al ginocchio"),
    ],
)
def test_a_question_that_points_back_keeps_the_story_it_points_to(language: str, text: str, kept: str) -> None:
    assert kept in asked_part(text, language)


@pytest.mark.parametrize(
    ("language", "text", "searched"),
    [
        ("nl", "Mijn vader ligt op cardiologie. Wanneer is er bezoek?", "op cardiologie. Wanneer is er bezoek?"),
        ("en", "My father is in cardiology. When are visiting hours?", "in cardiology. When are visiting hours?"),
        ("fr", "Mon père est en cardiologie. Quand sont les visites ?", "en cardiologie. Quand sont les visites?"),
        ("it", "Mio padre è in cardiologia da ieri. Quando sono le visite?", "in cardiologia. Quando sono le visite?"),
    ],
)
def test_the_department_of_a_story_goes_with_the_question(language: str, text: str, searched: str) -> None:
    assert asked_part(text, language) == searched


def test_speech_without_commas_is_taken_apart_too() -> None:
    text = "goeiedag u spreekt met els ik had een vraagje hoeveel kost parkeren dank u wel"
    assert asked_part(text, "nl") == "hoeveel kost parkeren"
    assert asked_part("salve scusi il disturbo a che ora apre il bar", "it") == "a che ora apre il bar"


@pytest.mark.parametrize("text", ["Goedemorgen", "hallo, dank u wel", "Dag mevrouw, met Ottilie Verbist.", "?!"])
def test_nothing_is_left_of_a_text_that_only_greets(text: str) -> None:
    assert asked_part(text, "nl") == ""


@pytest.mark.parametrize(
    "text",
    [
        "Met Kerstmis open?",
        "pronto soccorso",
        "als ik mijn kaartje verlies, hoeveel moet ik dan betalen?",
        "an MRI of my knee, how long before do I stop eating?",
        "two hours of parking on a Tuesday, how much is that",
    ],
)
def test_a_short_question_stays_as_it_was_said(text: str) -> None:
    assert asked_part(text, "en" if "how" in text else "it" if "soccorso" in text else "nl") == text


def test_what_a_question_is_about_stays_when_it_is_announced() -> None:
    assert asked_part("Ik heb een vraag over de wifi.", "nl") == "over de wifi"


def test_what_lies_behind_the_part_that_is_looked_at_stays() -> None:
    assert len(asked_part("woord " * 5_000 + "hoeveel kost parkeren?", "nl").split()) > WHOLE


@pytest.mark.parametrize(
    ("language", "story", "price", "other", "hours"),
    [
        ("nl", "Ik heb een pasje. Ik blijf vier uur in de parking.", "Wat kost dat?", "Mag dat?", "vier uur"),
        ("en", "I brought my sister in. I shall stay for four hours.", "What does it cost?", "May I?", "four hours"),
    ],
)
def test_how_long_somebody_stays_is_kept_of_a_story_where_a_price_is_asked_for(
    language: str, story: str, price: str, other: str, hours: str
) -> None:
    assert hours in asked_part(f"{story} {price}", language)
    assert hours not in asked_part(f"{story} {other}", language)


def test_a_time_of_a_story_is_kept_whole_where_a_time_is_asked_for_and_else_left_out_whole() -> None:
    story = "I take the bus of 9:20 from the station."
    assert "9:20" in asked_part(f"{story} When does it get to you?", "en")
    left = asked_part(f"{story} Does it get to you?", "en")
    assert ":" not in left
    assert "20" not in left
