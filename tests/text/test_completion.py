"""What a language model writes around its answer is read alike however its text is cut into pieces."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from careline.text.completion.markers import CompletionMarkers, in_one_notation
from careline.text.completion.notation import CitableSources
from careline.text.completion.reasoning import Reasoning, Restart, without_reasoning
from tests.growth import grows_no_faster_than_its_length

SOURCES = CitableSources(
    frozenset({1, 2, 3}), {"op bezoek": (1,), "parkeren": (2, 3)}, "Kamer (2) telt 25 m² en {3} bedden, 10³ per jaar."
)
SAID = "Bezoek is welkom tot 20 uur"

LEFT_ALONE = (
    "De kamer telt 25 m² in totaal.", "Wel 10³ bezoekers.", "Kamer (2).", "Er zijn {3} bedden.", "Tussen [40-60] jaar.",
    "Kruis [x] of [ ] aan.", "Bel [PERSON_1].", "Sinds [2024].", "Eerst (1) aanmelden en (2) wachten.", "Tel. (7).",
    "Is 2 < 3 en 5 > 4?", "[1] Bezoek is welkom.", "Zie [de brochure](https://a.example/b).", "Pagina [p. 3].", "[1.5]",
    "De gang meet 9 m².", "In totaal 40 m³ lucht.", "Nu 25m² groot.", "Dat is 30 kg/m² en 2 m/s².", "Wel 10^2 keer.",
    "Ongeveer 10^{3}.", "Het is $10^2$.", "Goed 4 m<sup>2</sup>.", "Tel 60 min⁻¹.", "Een waarde van 10⁻³.", "Per m^2.",
    "Een cijfer [1-10] voor pijn.", "Een cijfer [0–3].", "Vul in [2-4].", "Note 2: neem uw kaart mee.",
    "Document 1: uw kaart.", "Nr. 3: de lift.", "Documenten:\n- uw kaart", "Zie https://a.example/zaal_(1).",
    "Zie www.a.example/zaal_{1}.",
)  # fmt: skip


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_is_no_marker_stays_as_it_is(text: str) -> None:
    assert in_one_notation(text, SOURCES) == text


@pytest.mark.parametrize(
    ("marker", "written"),
    [
        ("[1–3]", "[1, 2, 3]"), ("[7]", ""), ("[1, 7]", "[1]"), ("【4:0†source】", ""), ("[2][1]", "[2, 1]"),
        ("[1] en [2]", "[1, 2]"), ("[parkeren]", ""), ("([1], [2])", "[1, 2]"), ("[source]", ""),
        ("[1]、[2]", "[1, 2]"), ("[sources 2-5]", "[2, 3]"), ("²", "[2]"), ("^2^", "[2]"), ("<sup>2</sup>", "[2]"),
    ],
)  # fmt: skip
def test_a_marker_names_the_sources_that_are_known(marker: str, written: str) -> None:
    assert in_one_notation(f"{SAID} {marker}.", SOURCES) == f"{SAID} {written}.".replace(" .", ".")


@pytest.mark.parametrize("text", [f"{SAID} [1-4].", f"{SAID}. [1–4]", f"{SAID} [1-4].\n\nTot dan."])
def test_a_range_at_the_end_of_a_sentence_that_goes_beyond_the_sources_names_those_there_are(text: str) -> None:
    assert in_one_notation(text, SOURCES) == text.replace("[1-4]", "[1, 2, 3]").replace("[1–4]", "[1, 2, 3]")


@pytest.mark.parametrize("scale", ["[1-4]", "[1–4]"])
def test_such_a_range_that_a_source_has_is_its_scale(scale: str) -> None:
    sources = CitableSources(frozenset({1, 2, 3}), {}, f"Geef een cijfer {scale}.")
    assert in_one_notation("Geef een cijfer [1-4].", sources) == "Geef een cijfer [1-4]."


def test_a_source_is_named_before_what_it_says() -> None:
    assert in_one_notation(f"Bron 2: {SAID}.", SOURCES) == f"[2] {SAID}."


PIECES = st.lists(
    st.sampled_from(
        ["Bezoek ", "tot 20 uur", ".", " ", "\n", "\n\n", "[1]", "【2】", "[", "]", "1", "(", ")", "Bron: ", "¹", "a",
         "Sources:\n", "**", " en ", "[source 1]", "Op bezoek", "<sup>1</sup>", "<", ">", "\\[", "\\]", "^", "- ",
         "e.g. ", "[^1]: "]
    ),
    max_size=14,
)  # fmt: skip


@given(PIECES, st.lists(st.integers(0, 80), max_size=8))
@example(["Bezoek ", ".", "\n\n", "Bron: ", "[1]"], [9, 10])
@settings(max_examples=300, deadline=None)
def test_markers_are_written_alike_however_the_text_comes(parts: list[str], cuts: list[int]) -> None:
    text = "".join(parts)
    reading = CompletionMarkers(SOURCES)
    told = "".join(reading.push(piece) for piece in cut(text, cuts)) + reading.flush()
    assert told == in_one_notation(text, SOURCES)


THOUGHTS = st.lists(
    st.sampled_from(
        ["<think>", "</think>", "[THINK]", "[/THINK]", "<", ">", "/", "think", "Answer: ", "\n", "tot 20 uur", " ", "|",
         "<|channel|>", "analysis", "final", "<|message|>", "<|end|>", "```", "thinking\n", "Reasoning: ", "</thought>",
         "<answer>"]
    ),
    max_size=14,
)  # fmt: skip


@example(["<think>", "<think>", "<think>", "</think>", "\n", "</think>"], [32])
@given(THOUGHTS, st.lists(st.integers(0, 120), max_size=8))
@settings(max_examples=300, deadline=None)
def test_reasoning_is_left_out_alike_however_the_text_comes(parts: list[str], cuts: list[int]) -> None:
    text = "".join(parts)
    reading, told = Reasoning(), ""
    pieces = [one for piece in cut(text, cuts) for one in reading.push(piece)]
    for one in (*pieces, *reading.flush()):
        told = "" if isinstance(one, Restart) else told + one
    assert told == without_reasoning(text)


@pytest.mark.parametrize(
    "text",
    [
        SAID, "Tot 5 < 6 uur.", "Wat denkt u?", "```\ncode\n```", "[x] ja", "Analyse: goed.",
        f"Lees [details](https://a.example/b). {SAID}.", f"Een [onredelijke] vraag. {SAID}.", "Vul [reden] in.",
        f"[Rethink] heet de groep. {SAID}.", f"[Analyse](https://a.example/b) duurt kort. {SAID}.",
        f"Neem de [oplossing] mee.\n[Solution](https://a.example/c) is klaar. {SAID}.",
        f"{SAID} [1].\nResponse: 40 % [2].", f"Vraag: tot wanneer?\nAntwoord: {SAID}.\nVraag: wie?\nAntwoord: u.",
    ],
)  # fmt: skip
def test_a_text_without_reasoning_stays_as_it_is(text: str) -> None:
    assert without_reasoning(text) == text


@pytest.mark.parametrize("label", ["Reasoning", "**Rationale:**", "Gedachten", "Response", "Answer", "Antwoord"])
def test_a_label_that_a_text_begins_with_goes_and_what_stands_behind_it_stays(label: str) -> None:
    assert without_reasoning(f"{label.rstrip(':*')}: {SAID}.\n\nDaarna niet.") == f"{SAID}.\n\nDaarna niet."


@pytest.mark.parametrize("label", ["Answer", "Response", "Antwoord", "Final answer", "Eindantwoord"])
def test_between_a_label_of_reasoning_and_one_of_an_answer_nothing_stays(label: str) -> None:
    assert without_reasoning(f"Rationale: eerst kijken.\n\n{'Nog eens. ' * 40}\n{label}: {SAID}.") == f"{SAID}."


def test_behind_a_label_of_reasoning_a_text_that_broke_off_is_none_of_the_answer() -> None:
    reading = Reasoning()
    assert [*reading.push(f"Reasoning: {SAID}. Nu nog"), *reading.flush(is_whole=False)] == []


@pytest.mark.parametrize("unit", ["[", "(a b ", "¹", "< a ", "[1] ", "<think></think>", "woord en ", "\n", "a"])
def test_a_text_in_which_nothing_ends_is_read_in_linear_time(unit: str) -> None:
    def read(size: int) -> None:
        reasoning, markers = Reasoning(), CompletionMarkers(SOURCES)
        for text in (unit,) * (size // len(unit)):
            for piece in reasoning.push(text):
                markers.push(piece if isinstance(piece, str) else "")
        markers.flush()

    grows_no_faster_than_its_length(read, 1200)


def cut(text: str, cuts: list[int]) -> list[str]:
    return [text[start:end] for start, end in pairwise([0, *sorted(cuts), len(text)])]
