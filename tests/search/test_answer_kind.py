"""What an answer must hold, told from how it is asked."""

from __future__ import annotations

import pytest

from careline.search.answer_kind import (
    answer_kinds,
    asks_for_price,
    holds,
    is_about_itself,
    is_open_question,
    leans_back,
    tells_of_people,
)

ASKED = [
    ("Hoeveel kost parkeren?", "amount"),
    ("how much is a single room", "amount"),
    ("C'est combien, le prix du frigo ?", "amount"),
    ("quanto costa il parcheggio", "amount"),
    ("tot hoe laat mag ik op bezoek", "time"),
    ("What time does the ward open?", "time"),
    ("à quelle heure ouvre votre pharmacie", "time"),
    ("A che ora chiude il bar?", "time"),
    ("hoe lang duurt de operatie", "duration"),
    ("combien de temps faut-il attendre", "duration"),
    ("hoe vroeg kom ik best", "early"),
    ("How far in advance do I sign in?", "early"),
    ("combien de minutes à l'avance faut-il venir", "early"),
    ("con quanto anticipo mi presento", "early"),
    ("op welk nummer kan ik bellen", "phone"),
    ("welke artsen werken er op neurologie", "people"),
    ("who is the head of the laboratory", "people"),
    ("quels médecins travaillent en dermatologie", "people"),
    ("chi sono i pediatri", "people"),
    ("wat moet ik meebrengen voor een opname", "bring"),
    ("what do I have to bring", "bring"),
    ("qu'est-ce que je dois apporter", "bring"),
    ("cosa devo portare per il ricovero", "bring"),
    ("waar kan ik iets eten", "where"),
    ("where is the lift", "where"),
    ("où se trouve l'accueil", "where"),
    ("dov'è l'ingresso", "where"),
    ("welke voorbereiding vraagt een echografie", "preparation"),
    ("How should we prepare for the operation?", "preparation"),
    ("comment dois-je me préparer au scanner", "preparation"),
    ("come ci si prepara all'ecografia", "preparation"),
]


@pytest.mark.parametrize(("question", "kind"), ASKED)
def test_the_words_of_a_question_tell_what_is_asked_for(question: str, kind: str) -> None:
    assert kind in answer_kinds(question)


def test_how_long_before_is_no_duration() -> None:
    assert "duration" not in answer_kinds("hoelang op voorhand moet ik komen")
    assert not holds("De operatie duurt 20 minuten.", frozenset({"early"}))


def test_a_question_that_does_not_tell_asks_for_nothing_in_particular() -> None:
    assert answer_kinds("Mag mijn hond mee?") == frozenset()


@pytest.mark.parametrize(
    "text", ["Dr. Lies Maes, diensthoofd", "Nora Vandamme leidt het team", "Een vroedvrouw helpt u"]
)
def test_a_name_or_a_trade_tells_of_people(text: str) -> None:
    assert tells_of_people(text)


def test_visiting_hours_tell_of_nobody_who_works_there() -> None:
    assert not tells_of_people("Visitors are welcome on the ward from 15:00 to 19:00.")


def test_how_much_weight_is_no_amount_of_money() -> None:
    assert answer_kinds("How much weight can the table carry?") == frozenset()
    assert "amount" in answer_kinds("How much is it and how much time does it take?")


def test_how_much_may_be_taken_is_no_price() -> None:
    assert asks_for_price("Hoeveel kost een spuit tegen tetanus?")
    assert not asks_for_price("How much paracetamol may I take?")
    assert not asks_for_price("Wat kost een scan en hoe lang moet ik nuchter zijn?")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Parkeren kost € 2,20 per uur.", "amount"),
        ("Ons team: dr. Lies Maes en prof. Jan Wouters.", "people"),
        ("Breng uw eID mee.", "bring"),
        ("De balie is op verdieping 2.", "where"),
        ("Le ticket coûte 2,20 €.", "amount"),
        ("Van 14:00 tot 20:00 uur.", "time"),
        ("De operatie duurt 20 minuten.", "duration"),
        ("Kom 20 minuten voor uw afspraak.", "early"),
        ("Sign in 2 working days in advance.", "early"),
        ("Venez 1 heure avant l'examen.", "early"),
        ("Si presenti 15 minuti prima.", "early"),
        ("Bel 011 90 10 00.", "phone"),
        ("Blijf zes uur nuchter.", "preparation"),
        ("Take your card and do not eat anything.", "preparation"),
        ("Apportez votre carte.", "preparation"),
        ("Non mangi nulla.", "preparation"),
    ],
)
def test_a_text_holds_what_it_looks_like(text: str, kind: str) -> None:
    assert holds(text, frozenset({kind}))
    assert not holds("Wij wensen u een aangenaam verblijf.", frozenset({kind}))


def test_a_sentence_that_speaks_of_its_own_brochure_is_known() -> None:
    assert is_about_itself("In deze folder leest u hoe het onderzoek verloopt.")
    assert not is_about_itself("Het onderzoek duurt twintig minuten.")


@pytest.mark.parametrize(
    "question",
    ["Waar vind ik de kapel?", "and where is the chapel", "à quelle heure ferme le bar ?", "Dove trovo la cappella?"],
)
def test_a_question_that_yes_or_no_does_not_answer_is_known(question: str) -> None:
    assert is_open_question(question)


@pytest.mark.parametrize("question", ["Mag mijn hond mee?", "Is there a chapel", "Puis-je payer ici ?", "C'è un bar?"])
def test_a_question_that_yes_or_no_answers_is_known(question: str) -> None:
    assert not is_open_question(question)


@pytest.mark.parametrize(
    "sentence",
    ["Deze kost 5 euro.", "In that case you pay nothing.", "Vous pouvez y rester 20 minutes.", "Questa è gratuita."],
)
def test_a_sentence_that_says_too_little_without_the_one_before_it_is_known(sentence: str) -> None:
    assert leans_back(sentence)
    assert not leans_back("De kapel ligt naast de ingang.")
