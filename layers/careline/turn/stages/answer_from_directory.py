"""Answers from what a person has confirmed of the hospital, where that holds it: no search, no model, no luck."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from careline.directory.capabilities.reach import HOSPITAL
from careline.installation import Installation
from careline.turn.directory_answers.each_asked import each_asked
from careline.turn.directory_answers.sureness import as_meant, likely_pair, may_answer, who_is_meant
from careline.turn.directory_answers.told import Told, answer_of, told
from careline.turn.endings.end_by_verdict import answered
from careline.turn.outcome import Clarification, DirectoryAnswer
from careline.turn.turn import Turn


async def answer_from_directory(turn: Turn, installation: Installation) -> Turn:
    """The turn; finished where the directory holds what is asked, or where it is to be asked which of several is meant.

    Of two things that are asked it holds both or says nothing. What it does not hold, and what asks for something else
    besides, goes on to the documents; words that a model alone took for a greeting, a goodbye or a wish for a person
    are answered as that.
    """
    parts = await each_asked(turn, installation)
    outcome = _of_each(parts, turn) if parts else _of_one(turn)
    if outcome is None and turn.terminal is not None and turn.awaits_courtesy:
        return answered(turn, turn.terminal)
    return turn if outcome is None else replace(turn, outcome=outcome)


def _of_one(turn: Turn) -> DirectoryAnswer | Clarification | None:
    """What is told to one question; of one that may ask either of two things, both."""
    meant_as = as_meant(turn)
    if may_answer(meant_as) or meant_as is not turn:
        found = told(meant_as) if may_answer(meant_as) else None
        return _answered([found], turn) if isinstance(found, Told) else found
    if (meant := who_is_meant(turn)) is not None and isinstance(asked := told(meant), Clarification):
        return asked
    pair = likely_pair(turn)
    return _of_each(pair, turn, {one.intent.label for one in pair}) if pair else None


def _of_each(
    parts: Sequence[Turn], turn: Turn, labels: Collection[str] = ()
) -> DirectoryAnswer | Clarification | None:
    """What is told to each of several; which one is meant where one of them does not tell."""
    found = [_of_part(part, labels) for part in parts]
    asked = next((one for one in found if isinstance(one, Clarification)), None)
    if asked is not None or None in found:
        return asked if None not in found else None
    return _answered([one for one in found if isinstance(one, Told)], turn)


def _of_part(part: Turn, labels: Collection[str]) -> Told | Clarification | None:
    """What is told to one of several; to one that may ask either of two things, that which the directory holds."""
    if may_answer(part):
        return told(part, labels)
    likely = likely_pair(part)
    found = (told(one, {each.intent.label for each in likely}) for one in likely)
    return next((one for one in found if one is not None), None)


def _answered(found: Sequence[Told], turn: Turn) -> DirectoryAnswer | None:
    """The answer; none where who seems to want a person would be told no more than the hospital's own number."""
    cites = {cite for part in found for one in part.said for cite in one.cites}
    return None if turn.awaits_courtesy and cites <= {HOSPITAL} else answer_of(found, turn)
