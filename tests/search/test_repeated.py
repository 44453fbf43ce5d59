"""No fact is said twice in an answer."""

from __future__ import annotations

import pytest

from careline.search.repeated import repeated


@pytest.mark.parametrize(
    ("texts", "language", "gone"),
    [
        (["Bezoek mag van 14 tot 20 uur.", "Bezoek mag van 14 tot 20 uur!"], "nl", {1}),
        (["Bezoek mag van 14 tot 20 uur.", "Elke dag: bezoek mag van 14 tot 20 uur."], "nl", {0}),
        (["The car park costs €5 a day on campus East.", "The car park costs €5 per day on campus East."], "en", {1}),
        (["Kinderen mogen op bezoek tot 20 uur.", "Kinderen mogen niet op bezoek tot 20 uur."], "nl", set()),
        (["Visites de 14h à 20h.", "Visites de 14h à 19h."], "fr", set()),
        (["Parcheggio: 5 €.", "Visite dalle 15 alle 19."], "it", set()),
        ([], "nl", set()),
    ],
)  # fmt: skip
def test_what_another_quotation_says_is_left_out(texts: list[str], language: str, gone: set[int]) -> None:
    assert repeated(texts, language) == gone


def test_cells_of_a_row_that_another_text_tells_with_more_of_them_are_not_told_again() -> None:
    whole = "Carpaletunnel – Douchen: na 4 dagen; Sporten: na 5 weken."
    part = "Carpaletunnel – Sporten: na 5 weken."
    assert repeated([whole, part], "nl") == {1}
    assert repeated([part, whole], "nl") == {0}
    assert not repeated([whole, "Liesbreuk – Sporten: na 5 weken."], "nl")
    assert not repeated([whole, "Carpaletunnel – Sporten: na 6 weken."], "nl")
