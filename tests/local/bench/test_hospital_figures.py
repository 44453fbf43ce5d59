"""Shares by language and kind, the area under the curve, and figures said; of unread hospitals counts alone."""

from __future__ import annotations

import json

import pytest

from careline.turn.turn import Evidence
from careline_local.bench.hospital.figures import Part, Row, figures_of
from careline_local.bench.hospital.outcomes import HospitalOutcome
from careline_local.bench.hospital.said_figures import figures, ungrounded
from careline_local.bench.measures import area_under_curve
from tests.builders import a_passage
from tests.local.bench.hospital_builders import a_question, an_answer, an_outcome, declined, refused

RIGHT, WRONG = "A day costs 4.50 euro. [1]", "A day costs 8.00 euro. [1]"
UNKNOWN = a_question(id="en-90", kind="unanswerable", expect="decline", ask="who feeds the swans")
ADVICE = a_question(id="en-91", kind="refused", expect="refuse", ask="is my lump dangerous")


def scored(relevance: float, by: str = "reader") -> Evidence:
    return Evidence(relevance, "reader" if by == "reader" else "search")


def some_outcomes() -> list[HospitalOutcome]:
    return [
        an_outcome(an_answer(RIGHT), evidence=scored(3.0), figures=("4.50",)),
        an_outcome(an_answer(WRONG), evidence=scored(1.0), figures=("8.00",), ungrounded=("8.00",)),
        an_outcome(declined(), a_question(language="nl"), evidence=scored(-1.0)),
        an_outcome(refused(), a_question(language="nl")),
        an_outcome(declined(), UNKNOWN, evidence=scored(-2.0)),
        an_outcome(refused(), ADVICE),
    ]


def counts(row: Row) -> dict[str, tuple[int, int]]:
    return {share.name: (share.right, share.of) for share in row.shares}


def test_a_row_counts_each_share_among_the_questions_it_is_of() -> None:
    row = figures_of("own", "extractive", some_outcomes(), show=False).tables["language"][0]
    assert (row.name, row.asked) == ("all", 6)
    assert counts(row) == {
        "right document first": (2, 4), "fact said": (1, 4), "wrong figure said": (1, 4), "wrongly declined": (1, 4),
        "wrongly refused": (1, 4), "unanswerable admitted": (1, 1), "refused as it should be": (1, 1),
    }  # fmt: skip


def test_there_is_a_row_for_every_language_kind_and_hospital() -> None:
    outcomes = [*some_outcomes(), an_outcome(declined(), hospital="south")]
    tables = figures_of("own", "extractive", outcomes, show=False).tables
    assert [row.name for row in tables["language"]] == ["all", "en", "nl"]
    assert [row.name for row in tables["kind"]] == ["all", "direct", "unanswerable", "refused"]
    assert [row.asked for row in tables["hospital"]] == [7, 6, 1]


def test_a_question_without_a_right_document_is_not_counted_for_documents() -> None:
    outcomes = [an_outcome(an_answer(RIGHT), a_question(documents=[]))]
    assert counts(figures_of("own", "m", outcomes, show=False).tables["kind"][0])["right document first"] == (0, 0)


def test_the_area_compares_answerable_with_unanswerable_on_one_scale() -> None:
    measured = figures_of("own", "extractive", some_outcomes(), show=False)
    assert (measured.tables["kind"][0].area, measured.relevance_by) == (1.0, "reader")
    assert measured.tables["kind"][1].area is None
    other_scale = [*some_outcomes(), an_outcome(declined(), UNKNOWN, evidence=scored(99.0, "search"))]
    assert figures_of("own", "extractive", other_scale, show=False).tables["kind"][0].area == 1.0


def test_the_area_under_the_curve_counts_ties_half() -> None:
    assert area_under_curve([2.0, 1.0], [1.0, 0.0]) == 0.875
    with pytest.raises(ValueError, match="needs both"):
        area_under_curve([1.0], [])


@pytest.mark.parametrize("part", ["open", "own"])
def test_what_went_wrong_is_listed_with_what_was_answered(part: Part) -> None:
    shown = figures_of(part, "extractive", some_outcomes(), show=True).shown
    assert [one.verdict for one in shown] == ["wrong figure said", "wrongly declined", "wrongly refused"]
    assert (shown[0].asked, shown[0].answered, shown[0].source) == (("what is a day of parking",), WRONG, "parking.md")


def test_of_unread_hospitals_there_are_counts_and_no_text_even_when_it_is_asked_for() -> None:
    outcomes = some_outcomes()
    told = json.dumps(figures_of("unread", "extractive", outcomes, show=True).to_json())
    for one in outcomes:
        secret = (one.question.ask, one.question.id, *one.question.documents, *one.question.facts, one.answer.text)
        assert [text for text in secret if text in told] == []
    assert figures_of("unread", "extractive", outcomes, show=True).tables["kind"][0].asked == 6


def test_figures_said_are_counted_with_those_that_are_wrong() -> None:
    beside = an_outcome(an_answer("North 4.50, south 8.00. [1]"), figures=("4.50", "8.00"))
    guessed = an_outcome(an_answer("At 9. [1]"), UNKNOWN, figures=("9",))
    said = figures_of("own", "extractive", [*some_outcomes(), beside, guessed], show=False).said[0]
    assert (said.answers, said.with_figures, said.said) == (4, 4, 5)
    assert (said.of_others, said.ungrounded, said.without_answer, said.beside) == (1, 1, 1, 1)
    assert said.wrong == 2


def test_figures_are_read_without_markers_and_a_telephone_number_is_one() -> None:
    assert figures("Bel 011 90 10 00 [1] van 8.30 tot 16:00 (€ 4,50) [2].") == ("011 90 10 00", "8.30", "16:00", "4,50")


def test_a_figure_stands_in_a_passage_however_it_is_written_there() -> None:
    passages = [a_passage("Open from 08.30 to 16 h. Call 011/90.10.00. A day costs 4.50.")]
    assert ungrounded(("8:30", "16:00", "011 90 10 00", "4,50"), passages) == ()
    assert ungrounded(("4,05", "17"), passages) == ("4,05", "17")


def test_wrong_answers_are_those_of_all_questions() -> None:
    measured = figures_of("own", "extractive", some_outcomes(), show=False)
    assert measured.wrong_answers == 1
