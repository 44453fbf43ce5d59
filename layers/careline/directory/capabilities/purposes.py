"""Numbers by what they are for: lost property, an interpreter, an appointment."""

from __future__ import annotations

from collections.abc import Sequence

from careline.directory.capabilities.facts import AppointmentWith, Asked, Facts, PhoneOf
from careline.directory.capabilities.reach import HOSPITAL, appointment_line, lines_for
from careline.directory.phrase_tables import found_in
from careline.directory.sentences import wording
from careline.text.asked_words import words_of

NAME = "purposes"
APPOINTMENTS = "appointments"
COMPLAINTS = "complaints"
LOST, NOT_LOST, PEOPLE = "lost_property", "not_lost_property", "people"
"""Something that was lost, words that say that it is nothing of the kind, as "I lost weight", and people."""


def purposes_in(text: str, language: str) -> frozenset[str]:
    """What a number is asked for, by the words that say so."""
    found = list(found_in(words_of(text), NAME, language))
    tables = frozenset(table for table, _, _ in found)
    if NOT_LOST in tables or _is_of_people(found):
        tables -= {LOST}
    return tables - {NOT_LOST, PEOPLE}


def _is_of_people(found: Sequence[tuple[str, int, int]]) -> bool:
    """Whether it is somebody who was lost: "j'ai perdu ma mère", and not "ma mère a perdu ses lunettes"."""
    lost = [(start, end) for table, start, end in found if table == LOST]
    people = [(start, end) for table, start, end in found if table == PEOPLE]
    return any(start >= after or end == before for before, after in lost for start, end in people)


def line_by_purpose(asked: Asked) -> Facts | None:
    """The number for the one thing that it is asked for; None where that is none or several, or there is no such
    number."""
    # Who asks for the number of appointments to cancel one has lost nothing; who lost something complains of nothing.
    wanted = sorted(asked.purposes - {APPOINTMENTS}) or sorted(asked.purposes)
    if len(wanted) != 1:
        return None
    (purpose,) = wanted
    if purpose == APPOINTMENTS:
        line = appointment_line(asked)
        return AppointmentWith("", line, (HOSPITAL,)) if line.phone and not line.is_general else None
    lines = lines_for(purpose, asked)
    if len(lines) != 1:
        return None
    name = lines[0].name or str(wording(asked.language)["purposes"].get(purpose, ""))
    return PhoneOf(name, (lines[0].reach,), (lines[0].cite,)) if name else None
