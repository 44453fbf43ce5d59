"""An answer to "which one do you mean?" takes the one that it names, by words, place or number; nothing else does."""

from __future__ import annotations

import pytest

from careline.understanding.taken_choice import affirms, named_choice, taken_choice, takes_none

ROOMS = {
    "nl": ("Eenpersoonskamer", "Tweepersoonskamer"),
    "en": ("Single room", "Double room"),
    "fr": ("Chambre individuelle", "Chambre à deux lits"),
    "it": ("Camera singola", "Camera doppia"),
}
FIRST = {
    "nl": ["de eerste", "De eerste graag.", "eenpersoonskamer", "de eenpersoonskamer alstublieft", "nummer één"],
    "en": ["the first one", "the first, please", "single room", "the single", "number one"],
    "fr": ["la première", "la première s'il vous plaît", "chambre individuelle", "l'individuelle"],
    "it": ["la prima", "la prima per favore", "camera singola", "quella singola"],
}
SECOND = {
    "nl": [
        "de tweede",
        "Ja, de tweede.",
        "tweepersoonskamer",
        "de laatste",
        "de andere",
        "2",
        "nummer twee",
        "optie 2",
    ],
    "en": ["the second one", "yes, the second", "double room", "the last one", "the other one", "2", "option two"],
    "fr": ["la deuxième", "oui, la seconde", "chambre à deux lits", "la dernière", "l'autre", "2", "numéro deux"],
    "it": ["la seconda", "sì, la seconda", "camera doppia", "l'ultima", "l'altra", "2", "numero due"],
}
NEITHER = {
    "nl": ["allebei", "goedemorgen", "dank u wel", "en op zondag?", "wat kost de tweede nacht", "kamer", "7", "hallo"],
    "en": ["both", "good morning", "thank you", "and on Sundays?", "what about parking", "four hours", "7", "room"],
    "fr": ["les deux", "bonjour", "merci beaucoup", "et le dimanche ?", "combien coûte la deuxième nuit", "7"],
    "it": ["entrambe", "buongiorno", "grazie mille", "e la domenica?", "quanto costa la seconda notte", "7"],
}


@pytest.mark.parametrize(("said", "place"), [(FIRST, 0), (SECOND, 1), (NEITHER, None)], ids=["first", "second", "none"])
@pytest.mark.parametrize("language", ROOMS)
def test_the_one_that_is_named_is_taken(language: str, said: dict[str, list[str]], place: int | None) -> None:
    taken = {answer: taken_choice(answer, ROOMS[language], language) for answer in said[language]}
    assert taken == dict.fromkeys(said[language], place)


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("6-8 jaar", 1),
        ("de derde", 2),
        ("de laatste", 2),
        ("de tweede", 1),
        ("3", 2),
        ("vierde", None),
        ("de andere", None),
    ],
)
def test_of_three_a_place_or_a_range_is_told(answer: str, place: int | None) -> None:
    assert taken_choice(answer, ("2-5 jaar", "6-8 jaar", "vanaf 12 jaar"), "nl") == place


def test_a_long_answer_is_a_question_of_its_own() -> None:
    assert taken_choice("de tweede maar eigenlijk wou ik iets heel anders weten van u", ROOMS["nl"], "nl") is None


@pytest.mark.parametrize(
    ("language", "answer"),
    [("nl", "geen van beide"), ("nl", "iets anders graag"), ("en", "neither"), ("en", "none of them, sorry"),
     ("en", "both"), ("fr", "autre chose"), ("fr", "je ne sais pas"), ("it", "nessuna delle due"), ("it", "non lo so")],
)  # fmt: skip
def test_whoever_takes_no_single_one_says_so(language: str, answer: str) -> None:
    assert takes_none(answer, language)


@pytest.mark.parametrize(
    ("language", "answer"),
    [("en", "none of your business"), ("en", "something else: the parking"), ("en", "single room"), ("nl", "de andere"),
     ("fr", "une autre chambre individuelle"), ("it", "altro parcheggio"), ("en", "")],
)  # fmt: skip
def test_whoever_names_something_takes_something(language: str, answer: str) -> None:
    assert not takes_none(answer, language)


@pytest.mark.parametrize(("answer", "place"), [("how to pay", 0), ("whom to ask", 1), ("to", None)])
def test_words_that_only_talk_take_the_one_they_stand_in(answer: str, place: int | None) -> None:
    assert taken_choice(answer, ("how to pay", "whom to ask about a bill"), "en") == place


@pytest.mark.parametrize(("answer", "place"), [("chronic, stage 2", 1), ("stage 1", 0), ("2", None), ("first", None)])
def test_what_was_not_told_in_an_order_is_taken_by_its_words(answer: str, place: int | None) -> None:
    assert named_choice(answer, ("chronic kidney disease stage 1", "chronic kidney disease stage 2"), "en") == place


YES = {
    "nl": ["ja", "Ja graag", "klopt"],
    "en": ["yes", "Yes, please", "that one"],
    "fr": ["oui", "Oui, c'est ça"],
    "it": ["sì", "esatto"],
}


@pytest.mark.parametrize("language", YES)
def test_a_yes_says_nothing_more(language: str) -> None:
    assert {answer: affirms(answer, language) for answer in YES[language]} == dict.fromkeys(YES[language], True)


@pytest.mark.parametrize("answer", ["", "nee", "wat kost parkeren", "ja maar ik wil iets anders weten", "ja parkeren"])
def test_what_says_more_or_no_is_no_yes(answer: str) -> None:
    assert not affirms(answer, "nl")
