"""Windows of passages: what the reader reads and what is embedded beside a passage."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from careline.model import Chunk, Table, TableRow
from careline.passages.window_vectors import cosines, packed
from careline.passages.windows import MOST, WORDS, cells_of, embedded_text, in_context, windows_of

TARIFFS = Table(
    "",
    ("",),
    (("Bezoekers",), ("Bewoners",)),
    (TableRow(("Eerste uur",), ("1,50 €", "gratis")), TableRow(("Dag",), ("14 €", "–"))),
)


def a_chunk(text: str = "", table: Table | None = None) -> Chunk:
    return Chunk(0, text, "text" if table is None else "table", ("Parkeren", "Tarieven"), 1, 1, 10, table)


def test_sentences_under_one_heading_share_a_window_up_to_its_length() -> None:
    text = " ".join(f"Zin {n} heeft tien woorden en nog een paar woorden meer." for n in range(9))
    windows = windows_of(a_chunk(text), "nl")
    assert len(windows) > 1
    assert all(len(one.text.split()) <= WORDS for one in windows)
    assert " ".join(one.text for one in windows) == text


def test_another_heading_begins_another_window() -> None:
    windows = windows_of(a_chunk("Parkeren kan hier.\n\nBetalen\nU betaalt aan de automaat."), "nl")
    assert [one.text for one in windows] == ["Parkeren kan hier.", "U betaalt aan de automaat."]
    assert windows[1].heading.endswith("Betalen")


def test_each_row_of_a_table_is_a_window_with_the_labels_of_its_columns() -> None:
    windows = windows_of(a_chunk(table=TARIFFS), "nl")
    assert [(one.row, one.text) for one in windows] == [
        (0, "Eerste uur – Bezoekers: 1,50 €; Bewoners: gratis."),
        (1, "Dag – Bezoekers: 14 €."),
    ]


def test_cells_are_told_with_their_own_labels_and_missing_ones_not_at_all() -> None:
    assert cells_of(TARIFFS, 0) == ((0, "Eerste uur – Bezoekers: 1,50 €."), (1, "Eerste uur – Bewoners: gratis."))
    assert [column for column, _ in cells_of(TARIFFS, 1)] == [0]


def test_a_window_is_embedded_under_its_title_which_stands_once() -> None:
    (window,) = windows_of(a_chunk("Parkeren kan hier."), "nl")
    assert embedded_text("Parkeren Tarieven", window) == "Parkeren Tarieven\nParkeren kan hier."
    assert in_context("Campus Oost", window.heading) == "Campus Oost - Parkeren Tarieven"


@given(st.text(max_size=4_000))
def test_any_text_is_cut_into_a_bounded_number_of_windows_the_same_each_time(text: str) -> None:
    windows = windows_of(a_chunk(text), "nl")
    assert len(windows) <= MOST
    assert windows == windows_of(a_chunk(text), "nl")


@given(st.integers(1, 20), st.integers(0, 1_000))
def test_packed_vectors_give_the_cosines_back(rows: int, seed: int) -> None:
    numbers = np.random.default_rng(seed).normal(size=(rows + 1, 384)).astype(np.float32)
    numbers /= np.linalg.norm(numbers, axis=1, keepdims=True)
    found = cosines(packed(numbers[1:]), numbers[0])
    assert np.allclose(found, numbers[1:] @ numbers[0], atol=0.004)


def test_vectors_of_another_length_and_none_at_all_give_no_cosines() -> None:
    vector = np.ones(384, np.float32)
    assert cosines(b"", vector) == ()
    assert cosines(b"123", vector) == ()
    assert len(cosines(packed(np.zeros((1, 384), np.float32)), vector)) == 1
