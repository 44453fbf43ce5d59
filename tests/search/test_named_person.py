"""The person of a follow-up takes the place of the one who was asked about before."""

from __future__ import annotations

import pytest

from careline.search.named_person import other_person

ANOTHER = [
    ("nl", "Wanneer werkt {}?", "dokter El Ouassi", "dokter Peeters"),
    ("nl", "Wanneer werkt {}?", "dokter El Ouassi", "Sofie Claeskens"),
    ("nl", "wanneer werkt {} op maandag", "dokter van den berghe", "dr. d'hollebeke"),
    ("nl", "Werken {} op maandag?", "dr. Peeters en dr. Maes", "prof. dr. Moermans"),
    ("nl", "Wanneer werkt {} op campus Oost?", "Karim El Ouassi", "dokter Maes"),
    ("nl", "Wanneer werkt {}?", "dokter [PERSON_1]", "dokter [PERSON_2]"),
    ("en", "When is {} in on Mondays?", "Dr Peeters", "Dr Janssens"),
    ("en", "when does {} work", "doctor hilde van den abbeele", "doctor maes"),
    ("fr", "Quand consulte le {} ?", "docteur D'Hollebeke", "professeur Van den Berghe"),
    ("fr", "Quels jours consulte la {} ?", "docteure Rochebrune", "docteure Maes"),
    ("it", "Quando riceve la {}?", "dott.ssa Bonaventi", "dott.ssa Rossi"),
    ("it", "Quando riceve il {} in ortopedia?", "dottor Rossi", "dottor De Luca"),
]
ARTICLES = {"nl": "", "en": "", "fr": "le ", "it": "il "}
NOBODY_ELSE = [
    ("nl", "Wat kost parkeren?", "dokter Peeters?"),
    ("nl", "welke dokters werken er op cardiologie", "dokter peeters"),
    ("nl", "Wanneer werkt dokter Peeters?", "op maandag?"),
    ("nl", "Wanneer werkt dokter Peeters?", "dokter Maes op maandag?"),
    ("nl", "Wanneer werkt dokter Peeters in Lommel?", "Hasselt?"),
    ("nl", "Wanneer werkt dokter Peeters?", "een dokter"),
    ("en", "What does the Gold package cost?", "Silver?"),
    ("en", "when does doctor peeters work", "on mondays?"),
    ("fr", "Quand consulte le docteur Maes ?", "le dimanche ?"),
    ("it", "Quando riceve il dottor Rossi?", "a Serravalle?"),
]


@pytest.mark.parametrize(("language", "question", "earlier", "new"), ANOTHER)
def test_a_person_takes_the_place_of_another(language: str, question: str, earlier: str, new: str) -> None:
    asked = other_person(question.format(earlier), f"{ARTICLES[language]}{new}?", language)
    assert asked == question.format(new)


@pytest.mark.parametrize(("language", "earlier", "new"), NOBODY_ELSE)
def test_nobody_is_replaced_where_the_follow_up_is_more_or_less_than_a_person(
    language: str, earlier: str, new: str
) -> None:
    assert other_person(earlier, new, language) is None
