"""Figures of a quotation in another language stand beside it as the caller writes them, worth the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.model import LANGUAGES
from careline.tables.caller_forms import beside, in_forms, without_forms
from careline.text.figures import figures, readable


@pytest.mark.parametrize(
    ("text", "written_in", "language", "said"),
    [
        ("Visites de 14h30 à 20h.", "fr", "nl", "“Visites de 14h30 à 20h” (14.30 uur; 20.00 uur)."),
        ("Bezoek van 14 tot 20 uur.", "nl", "fr", "“Bezoek van 14 tot 20 uur” (14h; 20h)."),
        ("Open from 2.30 pm to 8 pm.", "en", "it", "“Open from 2.30 pm to 8 pm” (14:30; 20:00)."),
        ("Dalle 8:30 alle 12:00.", "it", "fr", "“Dalle 8:30 alle 12:00” (8h30; 12h)."),
        ("Un jour coûte 12,50 €.", "fr", "en", "“Un jour coûte 12,50 €” (€12.50)."),
        ("A year costs €1,250.50.", "en", "nl", "“A year costs €1,250.50” (€ 1.250,50)."),
        ("Dat kost 1.250 euro", "nl", "fr", "“Dat kost 1.250 euro” (1 250 €)"),
        ("Dat kost 5 euro", "nl", "it", "“Dat kost 5 euro”"),
        ("Open van 9:00 tot 12:30 uur.", "nl", "en", "“Open van 9:00 tot 12:30 uur.”"),
        ("Open 14:30-16:00.", "en", "it", "“Open 14:30-16:00.”"),
        ("Dat kost € 5.", "nl", "nl", "“Dat kost € 5.”"),
        ("Preis: 5 €.", "de", "nl", "“Preis: 5 €.”"),
    ],
)
def test_times_and_amounts_are_written_as_the_caller_writes_them(
    text: str, written_in: str, language: str, said: str
) -> None:
    assert beside(text, written_in, language, quoted=True) == said
    assert without_forms(said, written_in, language) == (text if "(" in said else said.strip("“”"))


@pytest.mark.parametrize(
    "text",
    ["Restez à jeun pendant 2h.", "La visite dure 1h30.", "Attendez 24h.", "Route 22, étage 2.", "Le 12/05/2026.",
     "Appelez le 050 12 34 56.", "Prenez 1,5 mg par jour.", "Entre 2.10 et 4.50 mmol/l."],
)  # fmt: skip
def test_what_may_be_no_time_of_day_and_no_amount_is_left_as_it_is(text: str) -> None:
    assert in_forms(text, "fr", "nl") == ()


def test_an_item_of_a_list_has_no_quotation_marks() -> None:
    said = beside("café : 2,50 €", "fr", "en", quoted=False)
    assert said == "café : 2,50 € (€2.50)"
    assert without_forms(said, "fr", "en") == "café : 2,50 €"


def test_a_sentence_with_another_amount_beside_it_was_not_made_so() -> None:
    said = "“Un jour coûte 12,50 €” (€12.60)."
    assert without_forms(said, "fr", "en") == said


_clocks = ["à {0}h{1}", "{0}:{1}", "van {0}.{1} tot 23.00 uur", "at {0}.{1}", "om {0} uur", "de {0}h à 23h"]
_halves = ["{} pm", "{}.30 am", "{}:15 p.m."]
_sums = ["€ {0}{1}", "{0}{1} €", "{0}{1} euro", "{0}{1} mg", "{0}{1}"]
_others = ["1.250 €", "1 250,50 €", "€1,250.50", "050 12 34 56", "12/05/2026", "café", "tot"]
_pieces = st.one_of(
    st.builds(
        lambda h, m, form: form.format(h, m),
        st.integers(0, 23),
        st.sampled_from(["00", "15", "45"]),
        st.sampled_from(_clocks),
    ),
    st.builds(lambda h, form: form.format(h), st.integers(1, 12), st.sampled_from(_halves)),
    st.builds(
        lambda n, cents, form: form.format(n, cents),
        st.integers(0, 9999),
        st.sampled_from(["", ",50", ".75"]),
        st.sampled_from(_sums),
    ),
    st.sampled_from(_others),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(_pieces, min_size=1, max_size=4), st.sampled_from(LANGUAGES), st.sampled_from(LANGUAGES))
def test_no_figure_beside_a_quotation_is_worth_anything_else(pieces: list[str], written_in: str, language: str) -> None:
    text = " ; ".join(pieces)
    held = {each for one in figures(readable(text), (written_in,), articles=True) for each in one.amounts}
    for form in in_forms(text, written_in, language):
        (figure,) = figures(readable(f" {form}"), (language,))
        assert held & set(figure.amounts), (text, form)
    for quoted in (True, False):
        made = beside(text, written_in, language, quoted=quoted)
        assert text.rstrip(".;,") in made
