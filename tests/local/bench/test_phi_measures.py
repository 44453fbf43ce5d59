"""Overlap, exact span and leaked characters, each where the others would say something else."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from rich.console import Console

from careline.model import SpanType
from careline_local.bench.privacy.phi_measures import PhiSpan, SpanCounts, compare
from careline_local.bench.safety import Measured, phi_shares
from careline_local.cli.benches.safety_figures import promises

PERSON, DATE, BORN = SpanType.PERSON, SpanType.DATE, SpanType.DATE_OF_BIRTH
TEXT = "Ask for Ada van den Broeck, 3 May."
NAME: PhiSpan = (8, 26, PERSON)
DAY: PhiSpan = (28, 33, DATE)


def found(*spans: PhiSpan, wanted: tuple[PhiSpan, ...] = (NAME,)) -> SpanCounts:
    return compare(TEXT, wanted, spans)


def test_the_spans_of_these_cases_are_what_they_are_meant_to_be() -> None:
    assert (TEXT[NAME[0] : NAME[1]], TEXT[DAY[0] : DAY[1]]) == ("Ada van den Broeck", "3 May")


@pytest.mark.parametrize(
    ("case", "spans", "overlapped", "overlapping", "exact", "leaked", "needless"),
    [
        ("the span itself", (NAME,), 1, 1, 1, 0, 0),
        ("nothing", (), 0, 0, 0, 15, 0),
        ("one particle of a name", ((12, 15, PERSON),), 1, 1, 0, 12, 0),
        ("half of a name", ((8, 15, PERSON),), 1, 1, 0, 9, 0),
        ("a word too many", ((4, 26, PERSON),), 1, 1, 0, 0, 3),
        ("the wrong kind", ((8, 26, SpanType.ADDRESS),), 0, 0, 0, 0, 0),
        ("two spans over one", ((8, 11, PERSON), (12, 26, PERSON)), 1, 2, 0, 0, 0),
        ("two spans with a gap in one", ((8, 11, PERSON), (20, 26, PERSON)), 1, 2, 0, 6, 0),
        ("the span twice", (NAME, NAME), 1, 1, 1, 0, 0),
        ("a span beside it", ((4, 7, PERSON),), 0, 0, 0, 15, 3),
        ("the blank before it alone", ((7, 8, PERSON),), 0, 0, 0, 15, 0),
    ],
    ids=lambda value: value if isinstance(value, str) else "_",
)
def test_each_measure_says_of_a_name(
    case: str, spans: tuple[PhiSpan, ...], overlapped: int, overlapping: int, exact: int, leaked: int, needless: int
) -> None:
    counts = found(*spans)
    got = (counts.overlapped, counts.overlapping, counts.exact, counts.leaked, counts.needless)
    assert got == (overlapped, overlapping, exact, leaked, needless)
    assert (counts.wanted, counts.characters) == (1, 15)


def test_one_span_over_two_finds_only_what_is_of_its_kind() -> None:
    counts = found((8, 33, PERSON), wanted=(NAME, DAY))
    assert (counts.wanted, counts.found, counts.overlapped, counts.exact, counts.leaked) == (2, 1, 1, 0, 0)


def test_a_date_is_not_taken_for_a_date_of_birth_but_hides_it() -> None:
    counts = found(DAY, wanted=((28, 33, BORN),))
    assert (counts.overlapped, counts.exact, counts.leaked) == (0, 0, 0)


def test_signs_and_blanks_are_no_characters_that_leak() -> None:
    counts = compare("a.b@c.d", [(0, 7, SpanType.EMAIL)], [(1, 2, SpanType.EMAIL)])
    assert (counts.characters, counts.leaked, counts.masked) == (4, 4, 0)


def test_a_line_without_personal_data_counts_what_is_masked_in_it_as_needless() -> None:
    counts = found((0, 3, PERSON), wanted=())
    assert (counts.wanted, counts.characters, counts.masked, counts.needless) == (0, 0, 3, 3)


def test_counts_of_lines_add_up() -> None:
    assert found(NAME) + found() == SpanCounts(2, 1, 1, 1, 1, 30, 15, 15, 0)


def measured() -> Measured:
    return Measured("en", tuple(phi_shares(found((8, 15, PERSON)))), Counter(), (), found((8, 15, PERSON)), ())


def test_the_table_tells_all_three_and_promises_nothing_for_the_exact_span() -> None:
    paper = io.StringIO()
    Console(file=paper, width=200).print(promises([measured()]))
    rows = [[cell.strip() for cell in line.split("│")[1:4]] for line in paper.getvalue().splitlines() if "│" in line]
    printed = {name: (promised, value) for name, promised, value in rows}
    assert printed["personal data found, by overlap"] == ("0.97", "1.000  1/1  0.21-1.00")
    assert printed["personal data found, exact span"] == ("", "0.000  0/1  0.00-0.79")
    assert printed["characters of personal data leaked"] == ("", "0.600  9/15")


def test_programs_read_all_three() -> None:
    held = measured().to_json()
    assert held["personal_data"] | {"characters": 15, "leaked": 9, "exact": 0, "overlapped": 1} == held["personal_data"]
    assert [share["promised"] for share in held["shares"]] == [0.97, 0.95, None, None]
