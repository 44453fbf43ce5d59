"""What hospitals' answers come to: shares by language, kind and hospital, and the figures that are said and wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from careline_local.bench.hospital.outcomes import HospitalOutcome
from careline_local.bench.measures import Share, area_under_curve

ALL = "all"
Part = Literal["open", "unread", "own"]
By = Literal["language", "kind", "hospital"]


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of a group of questions. `area` is the AUC of the best relevance: how often an answerable question's
    lies above an unanswerable one's; None where the group has not both."""

    name: str
    asked: int
    shares: tuple[Share, ...]
    area: float | None

    def to_json(self) -> dict[str, Any]:
        """The row for programs."""
        area = None if self.area is None else round(self.area, 3)
        return {
            "name": self.name, "asked": self.asked, "shares": [one.to_json() for one in self.shares], "auc": area
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class SaidFigures:
    """The figures (numbers, times, amounts, telephone numbers) of a group of answers.

    `of_others` answer another question than the one asked, where that one is not answered; `ungrounded` stand in no
    document that the answer cites; `without_answer` were said where no document holds an answer, and `beside` are those
    of other questions that were said beside the fact. The last two are judged by people: a figure with its own labels
    is not wrong.
    """

    name: str
    answers: int
    with_figures: int
    said: int
    of_others: int
    ungrounded: int
    without_answer: int
    beside: int

    @property
    def wrong(self) -> int:
        """Figures that are certainly wrong."""
        return self.of_others + self.ungrounded

    def to_json(self) -> dict[str, Any]:
        """The counts for programs."""
        return {**{name: getattr(self, name) for name in self.__slots__}, "wrong": self.wrong}


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """A question that did not come out right, and what was answered."""

    id: str
    kind: str
    verdict: str
    asked: tuple[str, ...]
    answered: str
    source: str | None

    def to_json(self) -> dict[str, Any]:
        """The question for programs."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class HospitalFigures:
    """What some hospitals' questions came to; of unread ones it holds counts and no text at all.

    `relevance_by` is what told the relevance: the reader, or the search where nothing reads.
    """

    part: Part
    model: str
    relevance_by: str
    hospitals: tuple[str, ...]
    tables: dict[By, tuple[Row, ...]]
    said: tuple[SaidFigures, ...]
    shown: tuple[ShownQuestion, ...] = ()

    @property
    def wrong_answers(self) -> int:
        """Answers that say a wrong figure."""
        return next((share.right for share in self.tables["kind"][0].shares if share.name == WRONG_FIGURE), 0)

    def to_json(self) -> dict[str, Any]:
        """The tables for programs."""
        return {
            "part": self.part, "model": self.model, "relevance_by": self.relevance_by,
            "hospitals": list(self.hospitals),
            **{f"by_{name}": [row.to_json() for row in rows] for name, rows in self.tables.items()},
            "figures_said": [one.to_json() for one in self.said],
            "shown": [one.to_json() for one in self.shown],
        }  # fmt: skip


WRONG_FIGURE = "wrong figure said"
Judged = Callable[[HospitalOutcome], bool]
JUDGED: tuple[tuple[str, Judged, Judged], ...] = (
    ("right document first", lambda one: _answerable(one) and bool(one.question.documents), lambda o: o.right_document),
    ("fact said", lambda one: _answerable(one), lambda o: o.fact),
    (WRONG_FIGURE, lambda one: _answerable(one) or bool(one.question.wrong), lambda o: o.wrong_figure),
    ("wrongly declined", lambda one: _answerable(one), lambda o: o.is_declined),
    ("wrongly refused", lambda one: _answerable(one), lambda o: o.is_refused),
    ("unanswerable admitted", lambda one: one.question.expect == "decline", lambda o: not o.is_answered),
    ("refused as it should be", lambda one: one.question.expect == "refuse", lambda o: o.is_refused),
)
"""The shares of a row: name, which questions it is of, and what is counted."""


def _answerable(one: HospitalOutcome) -> bool:
    return one.question.expect == "answer"


def figures_of(part: Part, model: str, outcomes: Sequence[HospitalOutcome], *, show: bool) -> HospitalFigures:
    """The figures of some hospitals. What went wrong is in them when `show`, and never of unread hospitals.

    Raises: BadRequest for a pattern that takes too long.
    """
    tables: dict[By, tuple[Row, ...]] = {
        "language": tuple(_rows(outcomes, lambda one: one.question.language)),
        "kind": tuple(_rows(outcomes, lambda one: one.kind)),
        "hospital": tuple(_rows(outcomes, lambda one: one.hospital)),
    }
    hospitals = tuple(dict.fromkeys(one.hospital for one in outcomes))
    said = tuple(_said(name, [one for one in outcomes if one.hospital == name]) for name in hospitals)
    shown = tuple(map(_shown, outcomes)) if show and part != "unread" else ()
    wrong = tuple(one for one in shown if one.verdict != "right")
    by = " and ".join(sorted({one.evidence.by for one in outcomes if one.evidence is not None}))
    return HospitalFigures(part, model, by, hospitals, tables, (_said(ALL, outcomes), *said), wrong)


def _rows(outcomes: Sequence[HospitalOutcome], by: Callable[[HospitalOutcome], str]) -> Iterator[Row]:
    yield row(ALL, outcomes)
    for name in dict.fromkeys(map(by, outcomes)):
        yield row(name, [one for one in outcomes if by(one) == name])


def row(name: str, outcomes: Sequence[HospitalOutcome]) -> Row:
    """The shares of a group. Raises: BadRequest for a pattern that takes too long."""
    shares = tuple(
        Share(named, sum(counted(one) for one in outcomes if of(one)), sum(map(of, outcomes)))
        for named, of, counted in JUDGED
    )
    return Row(name, len(outcomes), shares, _area(outcomes))


def _area(outcomes: Sequence[HospitalOutcome]) -> float | None:
    """Those that a screen ended before the search have no relevance; the more exact scale counts where both occur."""
    for scale in ("reader", "search"):
        held = [one for one in outcomes if one.evidence is not None and one.evidence.by == scale]
        answerable = [one.evidence.relevance for one in held if one.evidence and _answerable(one)]
        unanswerable = [one.evidence.relevance for one in held if one.evidence and one.question.expect == "decline"]
        if answerable and unanswerable:
            return area_under_curve(answerable, unanswerable)
    return None


def _said(name: str, outcomes: Sequence[HospitalOutcome]) -> SaidFigures:
    answers = [one for one in outcomes if one.is_answered]
    return SaidFigures(
        name,
        answers=len(answers),
        with_figures=sum(bool(one.figures) for one in answers),
        said=sum(len(one.figures) for one in answers),
        of_others=sum(one.values_of_others for one in answers if not one.fact),
        ungrounded=sum(len(one.ungrounded) for one in answers),
        without_answer=sum(len(one.figures) for one in answers if one.question.expect == "decline"),
        beside=sum(one.values_of_others for one in answers if one.fact),
    )


def _shown(one: HospitalOutcome) -> ShownQuestion:
    source = one.answer.citations[0].source if one.answer.citations else None
    asked = (*one.question.before, one.question.ask)
    return ShownQuestion(one.question.id, one.kind, one.verdict, asked, str(one.answer.text), source)
