"""A word of a follow-up takes the place of its like in the question before, and a ride turns round."""

from __future__ import annotations

import pytest

from careline.search.follow_up import Cues, carried_on
from careline.search.other_amount import with_other_amount, with_other_number
from careline.search.replaced_word import with_opposite, with_other_quality
from careline.search.travel_direction import with_way_back

CUES = Cues(("en", "and", "et", "e"), ())


@pytest.mark.parametrize(
    ("earlier", "follow_up", "language", "asked"),
    [
        ("what is the deposit for a single room at Norwood", "and for a shared one?", "en",
         "what is the deposit for a shared room at Norwood?"),
        ("hoeveel kost een eenpersoonskamer op Bosrand", "en een tweepersoonskamer?", "nl",
         "hoeveel kost een tweepersoonskamer op Bosrand?"),
        ("quanto si paga la camera singola qui", "e quella doppia?", "it", "quanto si paga la camera doppia qui?"),
        ("combien coûte la radio sans ordonnance ?", "et avec ?", "fr", "combien coûte la radio avec ordonnance?"),
        ("wat betaal ik met een verwijsbrief", "en zonder?", "nl", "wat betaal ik zonder een verwijsbrief?"),
    ],
)  # fmt: skip
def test_a_word_takes_the_place_of_its_like(earlier: str, follow_up: str, language: str, asked: str) -> None:
    assert carried_on(earlier, follow_up, language, CUES) == asked


def test_a_word_takes_no_place_where_more_is_said_or_nothing_of_its_kind_was() -> None:
    assert with_other_quality("how much is a single room", "a shared room on cardiology", "en") == ""
    assert with_other_quality("how much is parking", "a shared room", "en") == ""
    assert with_opposite("how much is parking", "with", "en") == ""
    assert with_opposite("with a letter or without", "with", "en") == ""


@pytest.mark.parametrize(
    ("earlier", "follow_up", "language", "asked"),
    [
        ("rijdt er een bus van bosrand naar molenwijk?", "terug", "nl", "rijdt er een bus van molenwijk naar bosrand?"),
        ("when is the first bus from Norwood to Westhill", "the way back", "en",
         "when is the first bus from Westhill to Norwood"),
        ("à quelle heure part la navette de Bellerive à Montclair", "au retour", "fr",
         "à quelle heure part la navette de Montclair à Bellerive"),
        ("a che ora parte la navetta da Rivalago per Montebello", "al ritorno", "it",
         "a che ora parte la navetta da Montebello per Rivalago"),
    ],
)  # fmt: skip
def test_and_back_turns_the_way_round(earlier: str, follow_up: str, language: str, asked: str) -> None:
    assert with_way_back(earlier, follow_up, language) == asked


def test_back_turns_nothing_round_where_no_two_places_are_named_or_more_is_said() -> None:
    assert with_way_back("wanneer krijg ik mijn waarborg terug", "terug", "nl") == ""
    assert with_way_back("a bus from Norwood to Westhill", "back on Sundays", "en") == ""


@pytest.mark.parametrize(
    ("earlier", "follow_up", "language"),
    [
        ("wat kost een griepvaccin", "moet ik daarvoor reserveren?", "nl"),
        ("how much is the shuttle", "do I have to book?", "en"),
        ("combien coûte la suite", "faut-il réserver ?", "fr"),
        ("quanto costa la navetta", "devo prenotare?", "it"),
    ],
)
def test_who_then_asks_for_a_yes_or_no_asks_for_no_price_any_more(earlier: str, follow_up: str, language: str) -> None:
    asked = carried_on(earlier, follow_up, language, CUES)
    assert asked.startswith(follow_up.rstrip(" ?"))
    assert earlier.split()[0] not in asked.split()


@pytest.mark.parametrize(
    ("earlier", "follow_up", "language", "asked"),
    [
        (
            "what is the dose with an eGFR of 50",
            "and with an eGFR of 35?",
            "en",
            "what is the dose with an eGFR of 35?",
        ),
        ("posologia con VFG di 50", "e sotto 30?", "it", "posologia con VFG di sotto 30?"),
        ("mag een kind van 6 op bezoek", "en van 12?", "nl", "mag een kind van 12 op bezoek?"),
    ],
)
def test_a_number_takes_the_place_of_the_only_one(earlier: str, follow_up: str, language: str, asked: str) -> None:
    assert carried_on(earlier, follow_up, language, CUES) == asked


def test_a_number_takes_no_place_where_there_are_several_or_another_thing_is_named() -> None:
    assert with_other_number("a child of 6 on ward 3", "and of 12?", "en") == ""
    assert with_other_number("what is the dose with an eGFR of 50", "with a creatinine of 2", "en") == ""


def test_a_number_without_a_currency_takes_no_amounts_place_where_another_number_stands() -> None:
    assert with_other_amount("can I pay 1500 euro in 3 times", "and in 12 times", "en") == ""
    assert with_other_amount("can I pay 1500 euro in 3 times", "and 2000 euro", "en").startswith("can I pay 2000 euro")
