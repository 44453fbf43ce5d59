"""Tells by how a word is written, and by what stands before it, that it is no name though a list has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from careline.privacy.person_cues import Strength
from careline.privacy.person_kinds import NAME, Kind

if TYPE_CHECKING:
    from careline.privacy.person_run import Reading

_ABBREVIATED = 6
"""Letters that an abbreviation has at most that is also a name."""
_HEADED = Kind.CAPITAL | Kind.WORD


def is_doubtful(reading: Reading, at: int, strength: Strength) -> bool:
    """Whether a word without a sure cue is an abbreviation, an illness, a part of the world or one of a heading."""
    if reading.kind(at) & Kind.SHORT and not _is_surname(reading, at, strength):
        return True
    if strength > Strength.FAINT:
        return False
    return _is_suffered(reading, at) or _is_land(reading, at) or _is_headed(reading, at)


def _is_surname(reading: Reading, at: int, strength: Strength) -> bool:
    """Whether a word in capitals is a name all the same ("DUPONT Jean", but not "NASH")."""
    if not reading.kind(at) & Kind.LISTED:
        return False
    after = reading.kind(at + 1) if reading.follows(at + 1) else 0
    return strength >= Strength.KIN or len(reading.word(at)) > _ABBREVIATED or bool(after & NAME)


def _is_suffered(reading: Reading, at: int) -> bool:
    """Whether what stands before a word says that people suffer from it ("people with wilson")."""
    told = reading.cues.medical
    if reading.word(at - 1) not in told.has or reading.word(at - 2) not in told.sufferers:
        return False
    return not (reading.follows(at + 1) and reading.kind(at + 1) & NAME)


def _is_land(reading: Reading, at: int) -> bool:
    """Whether a word is a part of the world, or its people; "india is my daughter" is none."""
    if reading.word(at) not in reading.cues.medical.lands or reading.word(at + 1) in reading.cues.copulas:
        return False
    return not (reading.follows(at + 1) and reading.kind(at + 1) & NAME)


def _is_headed(reading: Reading, at: int) -> bool:
    """Whether a word that is also a name begins words of a heading ("Rose Ward")."""
    if reading.kind(at) & _HEADED != _HEADED or not reading.follows(at + 1):
        return False
    return reading.kind(at + 1) & (_HEADED | Kind.LISTED) == _HEADED
