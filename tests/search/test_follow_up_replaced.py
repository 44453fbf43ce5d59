"""A follow-up that names another amount, or something else that it is for, asks the same of it."""

from __future__ import annotations

import pytest

from careline.search.follow_up import Cues, carried_on, leans
from careline.search.other_end import with_other_end

CUES = Cues(("en", "and", "et", "e"), ())


@pytest.mark.parametrize(
    ("earlier", "follow_up", "language", "asked"),
    [
        ("hoeveel maanden heb ik voor 420 euro", "en als het 2600 is?", "nl", "hoeveel maanden heb ik voor 2600 euro"),
        ("how many months do I get for €420", "and for 2600?", "en", "how many months do I get for €2600"),
        ("en combien de fois je paie 420 € ?", "et pour 2600 € ?", "fr", "en combien de fois je paie 2600 € ?"),
    ],
)  # fmt: skip
def test_another_amount_takes_the_place_of_the_earlier_one(
    earlier: str, follow_up: str, language: str, asked: str
) -> None:
    assert carried_on(earlier, follow_up, language, CUES) == asked


def test_a_number_that_counts_something_leaves_the_amount_as_it_is() -> None:
    assert "420" in carried_on("hoeveel maanden heb ik voor 420 euro", "en met 3 kinderen?", "nl", CUES)


@pytest.mark.parametrize(
    ("earlier", "follow_up", "language", "asked"),
    [
        ("hoeveel uur nuchter voor cholesterol", "en voor ijzer?", "nl", "hoeveel uur nuchter voor ijzer?"),
        ("how much is a note for school", "and for the gym?", "en", "how much is a note for the gym?"),
        ("combien d'heures à jeun pour le sucre ?", "et pour le fer ?", "fr", "combien d'heures à jeun pour le fer?"),
        (
            "per controllare il colesterolo quante ore devo stare a digiuno?", "e per vedere il ferro?", "it",
            "per vedere il ferro quante ore devo stare a digiuno?",
        ),
    ],
)  # fmt: skip
def test_what_something_is_for_takes_the_place_of_what_it_was_for(
    earlier: str, follow_up: str, language: str, asked: str
) -> None:
    assert carried_on(earlier, follow_up, language, CUES) == asked


def test_how_long_something_is_for_is_kept() -> None:
    assert "per una notte" in carried_on("quanto costa la camera per una notte?", "e per il cane?", "it", CUES)


@pytest.mark.parametrize(
    ("earlier", "follow_up", "language", "asked"),
    [
        ("wat kost één uur parkeren in P3", "en voor een hele dag?", "nl", "wat kost een hele dag parkeren in P3?"),
        ("how much is parking for one hour", "and for a whole day?", "en", "how much is parking for a whole day?"),
        ("combien coûte P3 pour une heure ?", "et pour une journée ?", "fr", "combien coûte P3 pour une journée?"),
        ("quanto costa P3 per un'ora?", "e per tutto il giorno?", "it", "quanto costa P3 per tutto il giorno?"),
        ("mag ik na 2 weken autorijden", "en na 6 weken?", "nl", "mag ik na 6 weken autorijden?"),
    ],
)  # fmt: skip
def test_another_length_of_time_takes_the_place_of_the_earlier_one(
    earlier: str, follow_up: str, language: str, asked: str
) -> None:
    assert carried_on(earlier, follow_up, language, CUES) == asked


def test_a_day_of_the_week_is_no_length_of_time() -> None:
    assert "2 uur" in carried_on("duurt het 2 uur", "en op zondag?", "nl", CUES)


@pytest.mark.parametrize(
    ("earlier", "follow_up", "language", "gone", "told"),
    [
        ("wanneer mag ik autorijden na een liesbreuk", "en zwemmen?", "nl", "autorijden", "zwemmen"),
        ("when can I drive after a hernia", "and swimming?", "en", "drive", "swimming"),
        ("quand puis-je conduire après une hernie", "et nager ?", "fr", "conduire", "nager"),
        ("quando posso guidare dopo un'ernia", "e nuotare?", "it", "guidare", "nuotare"),
    ],
)
def test_what_somebody_wants_to_do_again_takes_the_place_of_what_it_was(
    earlier: str, follow_up: str, language: str, gone: str, told: str
) -> None:
    asked = carried_on(earlier, follow_up, language, CUES)
    assert told in asked
    assert gone not in asked


@pytest.mark.parametrize(
    ("earlier", "follow_up", "language", "asked"),
    [
        ("hoe laat is de eerste bus op zondag?", "en de laatste?", "nl", "hoe laat is de laatste bus op zondag?"),
        ("what time is the first shuttle?", "and the last one?", "en", "what time is the last shuttle?"),
        ("quelle est la dernière navette ?", "et la première ?", "fr", "quelle est la première navette ?"),
        ("a che ora parte il primo autobus?", "e l'ultimo?", "it", "a che ora parte il ultimo autobus?"),
    ],
)  # fmt: skip
def test_the_last_takes_the_place_of_the_first(earlier: str, follow_up: str, language: str, asked: str) -> None:
    assert carried_on(earlier, follow_up, language, CUES) == asked


@pytest.mark.parametrize(
    "follow_up", ["and the first one?", "and the last bus from the station?", "and the last and the first?"]
)
def test_the_last_takes_no_place_where_more_is_asked_or_the_same(follow_up: str) -> None:
    assert with_other_end("when is the first shuttle?", follow_up, "en") == ""


def test_small_words_that_a_follow_up_begins_with_are_said_once() -> None:
    asked = carried_on("wat betaal ik voor een eenpersoonskamer", "en voor een tweepersoons?", "nl", CUES)
    assert asked == "wat betaal ik voor een tweepersoons?"


def test_what_a_question_cannot_or_does_not_is_not_what_it_is_about() -> None:
    asked = carried_on("I can't make my appointment, how do I cancel it?", "and who do I call for that?", "en", CUES)
    assert " t" not in asked.replace(" that", "")
    assert "cancel" in asked


@pytest.mark.parametrize(
    ("follow_up", "language"),
    [
        ("pendant combien de temps", "fr"),
        ("faut-il réserver ?", "fr"),
        ("jusqu'à quel âge", "fr"),
        ("hoelang", "nl"),
        ("moet ik dat vastleggen", "nl"),
        ("tot welke leeftijd", "nl"),
        ("do I need to book", "en"),
        ("until what age", "en"),
        ("till when", "en"),
        ("bisogna prenotare?", "it"),
        ("fino a che età", "it"),
    ],
)
def test_a_question_that_names_nothing_to_ask_about_leans_on_the_one_before(follow_up: str, language: str) -> None:
    assert leans(follow_up, language, CUES)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("wifi", "nl"),
        ("parking", "fr"),
        ("do I need a visa for the shuttle", "en"),
        ("waar moet ik mij aanmelden", "nl"),
        ("zijn er boeken", "nl"),
    ],
)
def test_a_question_that_names_what_it_is_about_stands_by_itself(question: str, language: str) -> None:
    assert not leans(question, language, CUES)


def test_who_asked_whether_one_fasts_asks_on_how_long_one_does() -> None:
    asked = carried_on("do I have to fast for an MRI of the liver?", "for how many hours", "en", CUES)
    assert {"fast", "MRI", "liver", "hours"} <= set(asked.replace(",", " ").replace("?", " ").split())
