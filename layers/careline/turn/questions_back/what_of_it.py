"""Asks what is wanted of what a question names: of a thing alone ahead of the search, of any behind it where no page
answers surely."""

from __future__ import annotations

from careline.turn.outcome import Clarification
from careline.turn.question.asked_of_directory import asked_of, entry_name
from careline.turn.questions_back.which_part import named_alone, named_unsurely, which_part
from careline.turn.questions_back.which_word import which_word, word_alone
from careline.turn.turn import Turn
from careline.understanding.question import Entity


def of_thing_alone(turn: Turn) -> Clarification | None:
    """What is asked back where one thing is named and nothing more; None where it is not, or somebody was asked."""
    entity = named_alone(turn)
    if entity is None:
        return None
    return which_word(turn) if word_alone(turn) is not None else _part_of(turn, entity)


def unless_sure(turn: Turn) -> Clarification | None:
    """What is asked back where nothing that was found surely answers."""
    if turn.act is not None or turn.choice is not None:
        return None
    if (asked := which_word(turn)) is not None:
        return asked
    entity = named_unsurely(turn)
    return None if entity is None else _part_of(turn, entity)


def _part_of(turn: Turn, entity: Entity) -> Clarification | None:
    """The question what is wanted of something that the directory holds."""
    asked = asked_of(turn)
    if asked is None or entity.id is None:
        return None
    section = "campuses" if entity.kind == "campus" else f"{entity.kind}s"
    return which_part(turn, entity, asked, entry_name(asked, section, entity.id))
