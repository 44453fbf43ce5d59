"""Finds the answers that a person wrote for what is asked, among what was found and in the same language.

What was read stands as it is in every other case: an answer to a question that is merely near is a passage among others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from careline.model import Hit, ReadWindow
from careline.search.curated.same_question import is_same_question
from careline.search.read_windows import ReadHit
from careline.search.split_question import parts_of


def curated_for(read: Sequence[ReadHit], question: str, language: str) -> list[ReadHit]:
    """The answer to each question that was asked, under the wording it was asked in; none unless there is one to each,
    so that nobody is told half."""
    found: list[ReadHit] = []
    for number, part in enumerate(parts_of(question, language)):
        answer = next((led for one in read if (led := _led(one, number, part, language)) is not None), None)
        if answer is None:
            return []
        found.append(answer)
    return _together(found)


def _led(one: ReadHit, number: int, question: str, language: str) -> ReadHit | None:
    """An answer under the wording that is the question; None of any page, and of an answer to another question."""
    wording = _wording(one.hit, question, language)
    if wording is None:
        return None
    read = next((each for each in one.read if each.question == number), ReadWindow(wording, 0.0, question=number))
    return replace(one, read=(replace(read, number=wording, parts=()),))


def _wording(hit: Hit, question: str, language: str) -> int | None:
    curated = hit.passage.chunk.curated
    if curated is None or hit.passage.facts.language != language:
        return None
    found = (n for n, one in enumerate(curated.questions) if is_same_question(question, one, language))
    return next(found, None)


def _together(found: Sequence[ReadHit]) -> list[ReadHit]:
    """One answer to two questions is one source."""
    held: dict[str, ReadHit] = {}
    for one in found:
        name = one.hit.passage.chunk_id
        held[name] = replace(one, read=(*held[name].read, *one.read)) if name in held else one
    return list(held.values())
