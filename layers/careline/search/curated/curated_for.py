"""Finds the answers that a person wrote for what is asked, among what was found and in the same language, and tells how
an answer to another question stands: as a page does, or less.

An answer is told whole, so one to a question that only looks alike would be told as if it were for it. What the
question names and the answer does not is looked for here, as no reader is sure of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from careline.model import CuratedText, Hit, ReadWindow
from careline.search.curated.named_words import are_named_in
from careline.search.curated.same_question import (
    QuestionContent,
    are_figures_in,
    is_same_question,
    names_the_same,
)
from careline.search.read_windows import ReadHit
from careline.search.split_question import parts_of
from careline.text.asked_words import without_greeting

Nearness = Literal["covered", "unsure", "apart"]
"""Of an answer to another question than was asked: it has all that the question names; not all, or with others in its
roles; or the question sets a time, a person, a place by name, a figure or a "not" that it does not have."""
_KEPT = 2_000
"""Answers whose content is kept, of a few kilobytes each."""


@dataclass(frozen=True, slots=True)
class _Written:
    """The content of each question of an answer, and of all of it together with its text."""

    questions: tuple[QuestionContent, ...]
    whole: QuestionContent


def curated_for(read: Sequence[ReadHit], question: str, language: str) -> list[ReadHit]:
    """The answer to each question that was asked, under the wording it was asked in; none unless there is one to each,
    so that nobody is told half."""
    found: list[ReadHit] = []
    for number, part in enumerate(parts_of(without_greeting(question, language), language)):
        asked = QuestionContent.of(part, language)
        answer = next((led for one in read if (led := _led(one, number, asked, language)) is not None), None)
        if answer is None:
            return []
        found.append(answer)
    return _together(found)


def nearness(hit: Hit, question: str, language: str) -> Nearness | None:
    """How an answer stands to a question that it was not written for; None of a page, and of one in another language,
    whose words cannot be compared."""
    written = _written(hit, language)
    if written is None:
        return None
    asked, whole = QuestionContent.of(without_greeting(question, language), language), written.whole
    names = [word for word in asked.named if word.is_name]
    is_apart = not (
        asked.turns <= whole.turns
        and asked.persons <= whole.persons
        and are_named_in(names, whole.named)
        and are_figures_in(asked.figures, whole.figures)
    )
    if is_apart:
        return "apart"
    if any(names_the_same(asked, one) for one in written.questions):
        # Who does it, or whether it must be, is another than in its own question.
        return "unsure"
    asks = frozenset(name for one in written.questions for name in one.asks)
    return "covered" if asked.asks <= asks and are_named_in(asked.named, whole.named) else "unsure"


def _led(one: ReadHit, number: int, asked: QuestionContent, language: str) -> ReadHit | None:
    """An answer under the wording that is the question; None of any page, and of an answer to another question."""
    written = _written(one.hit, language)
    same: Iterator[int] = (
        n for n, each in enumerate(written.questions if written else ()) if is_same_question(asked, each)
    )
    wording = next(same, None)
    if wording is None:
        return None
    read = next((each for each in one.read if each.question == number), ReadWindow(wording, 0.0, question=number))
    return replace(one, read=(replace(read, number=wording, parts=()),))


def _written(hit: Hit, language: str) -> _Written | None:
    curated = hit.passage.chunk.curated
    if curated is None or hit.passage.facts.language != language:
        return None
    return _content(curated, hit.passage.chunk.text, language)


@lru_cache(maxsize=_KEPT)
def _content(curated: CuratedText, text: str, language: str) -> _Written:
    questions = tuple(QuestionContent.of(one, language) for one in curated.questions)
    return _Written(questions, QuestionContent.of("\n".join((*curated.questions, text)), language))


def _together(found: Sequence[ReadHit]) -> list[ReadHit]:
    """One answer to two questions is one source."""
    held: dict[str, ReadHit] = {}
    for one in found:
        name = one.hit.passage.chunk_id
        held[name] = replace(one, read=(*held[name].read, *one.read)) if name in held else one
    return list(held.values())
