"""What tells whom a turn asks for, beside the names that a directory has."""

from __future__ import annotations

from careline.quoting.persons_named import AskedPersons
from careline.turn.turn import Turn
from careline.understanding.entities.name_forms import small_words, title_words


def asked_persons(turn: Turn) -> AskedPersons:
    """What tells people in the tables of documents, and whether the question names a doctor whom nobody knows."""
    named = turn.said.recognised.entities if turn.said is not None else ()
    is_unknown = any(one.kind == "doctor" and not one.ids for one in named)
    return AskedPersons(title_words(), small_words(), is_unknown)
