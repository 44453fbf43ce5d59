"""What is quoted to who asks for a number, when to call, how much fever, whether to book, or for a day."""

from __future__ import annotations

from careline.engines.embedded.prose_quotes import OTHER_KIND
from careline.model import ReadWindow
from tests.engines.test_evidence_quotes import a_source, quoted


def test_a_window_without_a_number_comes_behind_where_a_telephone_number_is_asked_for() -> None:
    text = "De balie helpt op route 18.\nBellen\nBel de balie op 011 22 33 44."
    source = a_source(text, ReadWindow(0, 4.0), ReadWindow(1, 4.1 - OTHER_KIND))
    assert quoted("welk nummer heeft de balie", source)[0] == "Bel de balie op 011 22 33 44."


def test_a_price_is_no_answer_to_when_to_call() -> None:
    source = a_source("Wie chemotherapie krijgt, betaalt 2 euro per dag.", ReadWindow(0, 4.0))
    assert quoted("wanneer moet ik bellen als ik chemotherapie krijg", source) == []
    assert quoted("wat betaal ik als ik chemotherapie krijg", source) != []


def test_nothing_without_a_temperature_answers_how_much_fever() -> None:
    near = a_source("Bel bij koorts het dagcentrum.", ReadWindow(0, 4.0))
    assert quoted("vanaf welke temperatuur bel ik het dagcentrum", near) == []
    told = a_source("Bel het dagcentrum vanaf 38 °C.", ReadWindow(0, 4.0))
    assert quoted("vanaf welke temperatuur bel ik het dagcentrum", told) == ["Bel het dagcentrum vanaf 38 °C."]


def test_nothing_that_does_not_speak_of_booking_answers_whether_one_books() -> None:
    price = a_source("Een griepvaccin kost 20 euro.", ReadWindow(0, 4.0))
    assert quoted("moet ik reserveren voor een griepvaccin", price) == []
    told = a_source("Een griepvaccin krijgt u zonder afspraak.", ReadWindow(0, 4.0))
    assert quoted("moet ik reserveren voor een griepvaccin", told) == ["Een griepvaccin krijgt u zonder afspraak."]


def test_what_is_closed_on_the_day_is_told_before_the_hours_of_others() -> None:
    text = "Op zaterdag is het labo open van 8:00 tot 12:00 uur.\nSluiting\nOp zondag is het labo gesloten."
    source = a_source(text, ReadWindow(0, 6.0), ReadWindow(1, 2.5))
    assert quoted("tot hoe laat is het labo open op zondag", source) == ["Op zondag is het labo gesloten."]


def test_the_word_hospital_in_a_title_of_another_page_is_no_name_that_a_text_lacks() -> None:
    told = a_source("De apotheek sluit om 18:00 uur.", ReadWindow(0, 4.0), number=1, facts={"title": "Winkels"})
    other = a_source("Parkeren kan vooraan.", number=2, facts={"title": "Parkeren aan het Ziekenhuis Noord"})
    assert quoted("hoe laat sluit de apotheek van het ziekenhuis", told, other) == ["De apotheek sluit om 18:00 uur."]
