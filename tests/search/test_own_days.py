"""The day of what somebody is to come for is not searched for; a day that is asked about is."""

from __future__ import annotations

import pytest

from careline.search.asked_part import asked_part
from careline.search.own_days import without_own_days


@pytest.mark.parametrize(
    ("language", "asked", "searched"),
    [
        ("en", "what should I pack for my operation on Thursday", "what should I pack for my operation"),
        ("en", "what papers do they want when I'm admitted on Monday", "what papers do they want when I'm admitted"),
        ("nl", "wat vraagt u als ik dinsdag opgenomen word", "wat vraagt u als ik opgenomen word"),
        ("en", "who drives me home after my scan next Friday?", "who drives me home after my scan?"),
        ("nl", "welke papieren heb ik nodig voor mijn opname dinsdag", "welke papieren heb ik nodig voor mijn opname"),
        ("nl", "mag ik mijn afspraak van volgende woensdag verzetten", "mag ik mijn afspraak verzetten"),
        ("fr", "que faut-il prévoir pour mon opération jeudi prochain ?", "que faut-il prévoir pour mon opération ?"),
        ("it", "cosa metto in borsa per il mio ricovero di martedì?", "cosa metto in borsa per il mio ricovero?"),
    ],
)
def test_the_day_of_somebodys_own_appointment_is_left_out(language: str, asked: str, searched: str) -> None:
    assert without_own_days(asked, language) == searched


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("en", "may I see my mother on Sunday"),
        ("nl", "is mijn dokter er op maandag"),
        ("fr", "mon fils peut-il venir le samedi"),
        ("it", "di domenica mio padre può ricevere visite"),
        ("en", "is the blood test open on Saturday"),
    ],
)
def test_a_day_that_is_asked_about_stays(language: str, asked: str) -> None:
    assert without_own_days(asked, language) == asked


def test_the_day_of_a_story_before_a_question_that_needs_it_is_left_out() -> None:
    assert "Tuesday" not in asked_part("They are keeping me in from Tuesday. What do I need to pack?", "en")
    assert "keeping me in" in asked_part("They are keeping me in from Tuesday. What do I need to pack?", "en")
