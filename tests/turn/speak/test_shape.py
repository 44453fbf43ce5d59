"""The same screened sentences for the eye and for the ear."""

from __future__ import annotations

from dataclasses import replace

import pytest

from careline.schemas import wire
from careline.screened import ScreenedText
from careline.turn.speak.screened_sentence import ScreenedSentence
from careline.turn.speak.shape import ChatShaper, shaper
from tests.turn.turns import a_turn

SOURCES = ("Bezoek mag van 14 tot 20 uur.", "Parkeren kost 2,50 euro.", "De cafetaria is open.")


def screened(text: str, *sources: int) -> ScreenedSentence:
    """A sentence as the screen lets it out; on the wire, text that was screened comes back as screened text."""
    return ScreenedSentence(
        wire.Token.model_validate_json(wire.Token.model_construct(text=text).model_dump_json()).text, sources
    )


def read(text: str, style: str = "inline") -> tuple[str, dict[int, int]]:
    """A sentence in chat, and which source got which number."""
    made = shaper(a_turn(sources=SOURCES, preferences=wire.Preferences.model_validate({"citation_style": style})))
    return made.push(screened(text)), made.cited


def heard(*sentences: tuple[str, tuple[int, ...]]) -> tuple[str, dict[int, int]]:
    """Sentences on the phone, and which sources they were taken from."""
    made = shaper(a_turn(sources=SOURCES, channel="voice"))
    said = "".join(made.push(screened(text, *sources)) for text, sources in sentences)
    return said + (made.flush() or ""), made.cited


def test_markers_are_numbered_in_the_order_in_which_the_reader_meets_them() -> None:
    text, cited = read("De cafetaria [3] en parkeren [2], en de cafetaria [3].")
    assert text == "De cafetaria [1] en parkeren [2], en de cafetaria [1]."
    assert cited == {3: 1, 2: 2}


def test_numbers_go_on_from_one_sentence_to_the_next() -> None:
    made = shaper(a_turn(sources=SOURCES))
    assert [made.push(screened(text)) for text in ("Eén [2].", "Twee [1].", "Drie [2].")] == [
        "Eén [1].", "Twee [2].", "Drie [1].",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["Bezoek [9].", "Bezoek [0].", "Bezoek [7, 8].", "Bezoek[99]."])
def test_a_marker_that_points_at_no_source_is_dropped_with_its_space(text: str) -> None:
    assert read(text) == ("Bezoek.", {})


@pytest.mark.parametrize("text", ["Bezoek [3, 1].", "Bezoek [3,1].", "Bezoek [3; 1].", "Bezoek [3][1]."])
def test_several_numbers_in_one_marker_are_several_markers(text: str) -> None:
    assert read(text) == ("Bezoek [1] [2].", {3: 1, 1: 2})


@pytest.mark.parametrize("text", ["Bezoek [2-3].", "Bezoek [2–3].", "Bezoek [2 - 3]."])
def test_a_range_is_every_source_in_it(text: str) -> None:
    assert read(text) == ("Bezoek [1] [2].", {2: 1, 3: 2})
    assert shaper(a_turn(sources=SOURCES)).push(replace(screened(text), unnamed=(2, 3))) == "Bezoek [1] [2]."


def test_a_range_that_names_no_source_is_an_interval_of_the_document() -> None:
    assert read("Normaal is [10–20] [2].") == ("Normaal is [10–20] [1].", {2: 1})


def test_a_range_that_goes_beyond_the_sources_is_a_scale() -> None:
    assert read("Een cijfer [1-10] voor pijn [2].") == ("Een cijfer [1-10] voor pijn [1].", {2: 1})


@pytest.mark.parametrize(
    ("style", "shown"), [("inline", "Bezoek [1]."), ("footnote", "Bezoek[^1]."), ("sidebar", "Bezoek.")]
)
def test_the_style_says_what_becomes_of_a_marker_and_never_of_the_citation(style: str, shown: str) -> None:
    assert read("Bezoek [2].", style) == (shown, {2: 1})


def test_a_number_in_brackets_that_cannot_be_a_marker_stays() -> None:
    assert read("In [2024] en [a] en [10-20].")[0] == "In [2024] en [a] en [10-20]."


def test_chat_keeps_its_markdown() -> None:
    assert read("- **Bezoek** mag van [14](https://elzenvoorde.example) uur.\n")[0].startswith("- **Bezoek** mag")


def test_the_phone_hears_neither_markdown_nor_markers_nor_links() -> None:
    text, _ = heard(("## **Bezoek** mag [1] van 14 uur, zie https://elzenvoorde.example/bezoek.", (1,)))
    assert [sign for sign in "#*[]/" if sign in text] == []
    assert text.startswith("Bezoek mag van veertien uur")


def test_the_phone_cites_what_a_sentence_was_taken_from_and_not_its_markers() -> None:
    assert heard(("Bezoek mag [2].", (1,)), ("Parkeren kan.", (3,)))[1] == {1: 1, 3: 2}


def test_two_sentences_are_said_and_no_more() -> None:
    assert heard(("Eén.", ()), ("Twee.", ()), ("Drie.", ()))[0] == "Eén. Twee."


def test_a_list_is_said_as_two_of_its_items() -> None:
    text, _ = heard(("Breng mee:\n", ()), ("- uw pas\n", ()), ("- uw pyjama\n", ()), ("- uw boek\n", ()))
    assert text == "Breng mee: onder andere uw pas en uw pyjama."


def test_shaped_text_is_still_screened_text() -> None:
    made = shaper(a_turn(sources=SOURCES))
    assert isinstance(made, ChatShaper)
    assert isinstance(made.push(screened("Bezoek [1].")), ScreenedText)
    assert isinstance(shaper(a_turn(channel="voice")).push(screened("Bezoek.")), ScreenedText)
