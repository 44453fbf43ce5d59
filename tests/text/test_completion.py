"""What a language model writes around its answer is read alike however its text is cut into pieces."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from careline.text.completion.markers import CompletionMarkers, in_one_notation
from careline.text.completion.notation import CitableSources
from careline.text.completion.reasoning import Reasoning, Restart, without_reasoning

SOURCES = CitableSources(
    frozenset({1, 2, 3}), {"op bezoek": (1,), "parkeren": (2, 3)}, "Kamer (2) telt 25 m² en {3} bedden, 10³ per jaar."
)
SAID = "Bezoek is welkom tot 20 uur"

LEFT_ALONE = (
    "De kamer telt 25 m² in totaal.", "Wel 10³ bezoekers.", "Kamer (2).", "Er zijn {3} bedden.", "Tussen [40-60] jaar.",
    "Kruis [x] of [ ] aan.", "Bel [PERSON_1].", "Sinds [2024].", "Eerst (1) aanmelden en (2) wachten.", "Tel. (7).",
    "Is 2 < 3 en 5 > 4?", "[1] Bezoek is welkom.", "Zie [de brochure](https://a.example/b).", "Pagina [p. 3].", "[1.5]",
)  # fmt: skip


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_is_no_marker_stays_as_it_is(text: str) -> None:
    assert in_one_notation(text, SOURCES) == text


@pytest.mark.parametrize(
    ("marker", "written"),
    [
        ("[1–3]", "[1, 2, 3]"), ("[7]", ""), ("[1, 7]", "[1]"), ("【4:0†source】", ""), ("[2][1]", "[2, 1]"),
        ("[1] en [2]", "[1, 2]"), ("[parkeren]", ""), ("([1], [2])", "[1, 2]"), ("[source]", ""),
        ("[1]、[2]", "[1, 2]"),
    ],
)  # fmt: skip
def test_a_marker_names_the_sources_that_are_known(marker: str, written: str) -> None:
    assert in_one_notation(f"{SAID} {marker}.", SOURCES) == f"{SAID} {written}.".replace(" .", ".")


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


@given(THOUGHTS, st.lists(st.integers(0, 120), max_size=8))
@settings(max_examples=300, deadline=None)
def test_reasoning_is_left_out_alike_however_the_text_comes(parts: list[str], cuts: list[int]) -> None:
    text = "".join(parts)
    reading, told = Reasoning(), ""
    pieces = [one for piece in cut(text, cuts) for one in reading.push(piece)]
    for one in (*pieces, *reading.flush()):
        told = "" if isinstance(one, Restart) else told + one
    assert told == without_reasoning(text)


@pytest.mark.parametrize("text", [SAID, "Tot 5 < 6 uur.", "Wat denkt u?", "```\ncode\n```", "[x] ja", "Analyse: goed."])
def test_a_text_without_reasoning_stays_as_it_is(text: str) -> None:
    assert without_reasoning(text) == text


def cut(text: str, cuts: list[int]) -> list[str]:
    return [text[start:end] for start, end in pairwise([0, *sorted(cuts), len(text)])]
