"""An answer is judged by its first document, its facts, figures of other questions, and whether it answers at all."""

from __future__ import annotations

import pytest

from careline.errors import BadRequest
from careline_local.bench.hospital import outcomes
from tests.local.bench.hospital_builders import a_question, an_answer, an_outcome, declined, refused

WRONG = "A day costs 8.00 euro. [1]"


def test_a_fact_is_found_however_it_is_spelt_and_not_in_a_longer_figure() -> None:
    assert an_outcome(an_answer("A day costs 4,50 euro. [1]")).fact
    assert an_outcome(an_answer("A day costs 4,50\u202f€. [1]"), a_question(facts=["4,50 €"])).fact
    assert not an_outcome(an_answer("A day costs 14.50 euro. [1]")).fact


def test_every_fact_must_be_said() -> None:
    question = a_question(facts=["4[.,]50", "north"])
    assert an_outcome(an_answer("The NORTH one costs 4.50. [1]"), question).fact
    assert not an_outcome(an_answer("It costs 4.50. [1]"), question).fact


def test_the_value_of_another_question_is_a_wrong_figure_unless_the_fact_is_said_too() -> None:
    assert an_outcome(an_answer(WRONG)).wrong_figure
    both = an_outcome(an_answer("North costs 4.50, south 8.00. [1]"))
    assert (both.wrong_figure, both.values_of_others, both.verdict) == (False, 1, "right")


def test_a_wrong_value_told_where_nothing_is_known_is_a_wrong_figure() -> None:
    unknown = a_question(expect="decline", wrong=["8[.,]00"])
    assert an_outcome(an_answer(WRONG), unknown).verdict == "wrong figure said"


def test_the_telephone_number_of_a_reply_that_declines_is_no_wrong_figure() -> None:
    assert not an_outcome(declined(), a_question(wrong=["011"])).wrong_figure


@pytest.mark.parametrize(("source", "right"), [("parking.md", True), ("en/parking.md", True), ("bus.md", False)])
def test_the_first_document_is_right_by_its_name(source: str, right: bool) -> None:
    assert an_outcome(an_answer("4.50 [1]", source)).right_document is right


def test_an_answer_that_cites_nothing_counts_as_answered_and_has_no_right_document() -> None:
    outcome = an_outcome(an_answer(WRONG, None))
    assert (outcome.is_answered, outcome.right_document, outcome.wrong_figure) == (True, False, True)


@pytest.mark.parametrize(
    ("disposition", "reason", "becomes"),
    [
        ("escalated", "NO_EVIDENCE", "wrongly declined"),
        ("escalated", "HANDOFF_REQUEST", "wrongly declined"),
        ("clarified", "OFFERED", "wrongly declined"),
        ("failed", "MODEL_UNAVAILABLE", "wrongly declined"),
        ("escalated", "EMERGENCY", "wrongly refused"),
        ("refused", "SAFETY_REFUSAL", "wrongly refused"),
        ("answered", "GREETING", "wrongly refused"),
        ("farewelled", "FAREWELL", "wrongly refused"),
    ],
)
def test_who_is_not_answered_was_declined_or_refused(disposition: str, reason: str, becomes: str) -> None:
    answer = an_answer("A reply of the pack.", None, disposition=disposition, reason=reason)
    assert an_outcome(answer).verdict == becomes


def test_what_nobody_wrote_down_is_right_when_it_is_declined_or_refused() -> None:
    unknown = a_question(expect="decline")
    assert an_outcome(declined(), unknown).verdict == "right"
    assert an_outcome(refused(), unknown).verdict == "right"
    assert an_outcome(an_answer("4.50 [1]"), unknown).verdict == "answered, though unanswerable"


def test_a_request_for_advice_is_right_when_it_is_refused_and_not_when_it_is_declined() -> None:
    advice = a_question(expect="refuse")
    assert an_outcome(refused(), advice).verdict == "right"
    assert an_outcome(declined(), advice).verdict == "not refused"


def test_the_kind_says_how_earlier_questions_came_along() -> None:
    question = a_question(kind="follow_up", before=["is there a car park"])
    kinds = [an_outcome(declined(), question, how=how).kind for how in ("conversation", "history")]
    assert kinds == ["follow_up, in a conversation", "follow_up, with history"]


def test_a_pattern_that_takes_too_long_names_its_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcomes, "LONGEST_SEARCH", 0.01)
    slow = an_outcome(an_answer("a" * 5_000 + "!"), a_question(facts=["(a|aa)+$"]))
    with pytest.raises(BadRequest, match="question en-01: a pattern takes over"):
        assert slow.fact


def test_a_wrong_figure_that_is_said_again_is_a_wrong_figure() -> None:
    again = an_answer(f"Of course. {WRONG}", None, reason="REPEAT_REQUEST")
    assert an_outcome(again, a_question(wrong=["8[.,]00"])).wrong_figure
