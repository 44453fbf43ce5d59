"""Puts what a short question names in the place of what the one before it named: "and on Sunday?"."""

from __future__ import annotations

from collections.abc import Iterator

from careline.understanding.intents.read_intent import ReadQuestion
from careline.understanding.intents.slots import THING
from careline.understanding.question import Entity

DRUG = "drug"
_ENDS = " ?.!…,;"


def replaced(before: ReadQuestion, said: ReadQuestion) -> str:
    """The question before with the things, the campus and the time of the one that follows it; what it had none of
    stands behind it."""
    text, taken = before.text, list(_changes(before, said))
    behind = [new for start, _, new in taken if start < 0]
    for start, end, new in sorted((one for one in taken if one[0] >= 0), reverse=True):
        text = f"{text[:start]}{new}{text[end:]}"
    return f"{' '.join((text.strip(_ENDS), *behind))}?"


def _changes(before: ReadQuestion, said: ReadQuestion) -> Iterator[tuple[int, int, str]]:
    """What is put where, from a start to an end; behind everything where the start is none."""
    done: set[int] = set()
    for entity in said.recognised.entities:
        if entity.text not in said.text:
            continue
        start, end = _place_of(entity, before)
        if start not in done:
            yield start, end, entity.text
        done |= {start} - {-1}
    new = " ".join(said.text[start:end] for start, end in sorted(said.recognised.time.spans))
    if new:
        start, end = next(iter(sorted(before.recognised.time.spans)), (-1, -1))
        yield start, end, new


def _place_of(entity: Entity, before: ReadQuestion) -> tuple[int, int]:
    """Where the question before named something of the kind: the last of several, as of two medicines. What is said
    beside a medicine, such as "and in pregnancy?", adds to it."""
    held = before.recognised.entities
    of_medicine = any(one.kind == DRUG for one in held)
    for one in reversed(held):
        start = before.text.find(one.text)
        is_thing = {one.kind, entity.kind} <= THING
        if start >= 0 and (not of_medicine if is_thing else one.kind == entity.kind):
            return start, start + len(one.text)
    return -1, -1
