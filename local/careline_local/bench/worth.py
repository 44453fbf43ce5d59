"""The counts by which variants of the product are compared, one line each."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from careline_local.bench.hospital.figures import Part
from careline_local.bench.hospital.outcomes import HospitalOutcome


@dataclass(frozen=True, slots=True)
class Worth:
    """What the questions of some hospitals come to in one variant.

    Of `answerable` questions: `facts` said, `right_document` first, `declined` wrongly, `follow_ups` of `asked_on` with
    their fact. `wrong_figures` of all questions; `admitted` of `unanswerable` ones. `beside` are neighbours' figures
    told beside the fact, `characters` the median length of an answer, `unhedged` the answers that are not right and
    were said without a notice, of `not_right`; `hedged` those that are right and were said with one.
    """

    part: Part
    variant: str
    answerable: int
    facts: int
    right_document: int
    declined: int
    wrong_figures: int
    unanswerable: int
    admitted: int
    asked_on: int
    follow_ups: int
    beside: int
    characters: int
    not_right: int
    unhedged: int
    hedged: int

    def to_json(self) -> dict[str, Any]:
        """The counts for programs."""
        return {name: getattr(self, name) for name in self.__slots__}


def worth(part: Part, variant: str, outcomes: Sequence[HospitalOutcome]) -> Worth:
    """The counts of one variant. Raises: BadRequest for a pattern that takes too long."""
    asked = [one for one in outcomes if one.question.expect == "answer"]
    unanswerable = [one for one in outcomes if one.question.expect == "decline"]
    told = [one for one in outcomes if one.is_answered]
    right = [one for one in told if one.fact]
    followed = [one for one in asked if one.how != "alone"]
    wrong = [one for one in told if not one.fact]
    return Worth(
        part,
        variant,
        answerable=len(asked),
        facts=sum(one.fact for one in asked),
        right_document=sum(one.right_document for one in asked),
        declined=sum(one.is_declined for one in asked),
        wrong_figures=sum(one.wrong_figure for one in outcomes),
        unanswerable=len(unanswerable),
        admitted=sum(not one.is_answered for one in unanswerable),
        asked_on=len(followed),
        follow_ups=sum(one.fact for one in followed),
        beside=sum(one.values_of_others for one in right),
        characters=int(statistics.median(len(one.answer.text) for one in told)) if told else 0,
        not_right=len(wrong),
        unhedged=sum(not one.is_unsure for one in wrong),
        hedged=sum(one.is_unsure for one in right),
    )
