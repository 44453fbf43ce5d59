"""Tells by how a word is written, and by what stands before it, that it is no name though a list has it."""

from __future__ import annotations

from careline.privacy.names.annotated_text import AnnotatedText
from careline.privacy.names.lists.lexicon import Strength
from careline.privacy.names.lists.word_kinds import NAME, Kind

_ABBREVIATED = 6
"""Letters that an abbreviation has at most that is also a name."""
_MOST = "max"
_LONG = 7
"""Letters from which a rare surname is hardly a word of some other language."""
_HEADED = Kind.CAPITAL | Kind.WORD


def is_doubtful(reading: AnnotatedText, at: int, strength: Strength) -> bool:
    """Whether a word without a sure cue is an abbreviation, an illness, a part of the world or one of a heading."""
    if reading.kind(at) & Kind.SHORT and not _is_surname(reading, at, strength):
        return True
    if strength < Strength.KIN and (reading.word(at) in reading.lexicon.persons.convent or _is_most(reading, at)):
        return True
    if strength < Strength.KIN and _is_word_here(reading, at, strength):
        return True
    if strength > Strength.FAINT:
        return False
    return _is_suffered(reading, at) or _is_land(reading, at) or _is_headed(reading, at)


def _is_most(reading: AnnotatedText, at: int) -> bool:
    """Whether "max" says how much of something there may be ("max load")."""
    told, after = reading.lexicon, reading.word(at + 1)
    if reading.word(at) != _MOST or reading.kind(at) & Kind.CAPITAL or not reading.follows(at + 1):
        return False
    acts = after in told.grammar.person_verbs | told.grammar.copulas | told.grammar.verbs | told.requests.wishes
    return bool(reading.kind(at + 1) & (Kind.WORD | Kind.UNKNOWN)) and not acts and not reading.kind(at + 1) & NAME


def _is_surname(reading: AnnotatedText, at: int, strength: Strength) -> bool:
    """Whether a word in capitals is a name all the same ("DUPONT Jean", but not "NASH")."""
    if not reading.kind(at) & Kind.LISTED:
        return False
    after = reading.kind(at + 1) if reading.follows(at + 1) else 0
    return strength >= Strength.KIN or len(reading.word(at)) > _ABBREVIATED or bool(after & NAME)


def _is_suffered(reading: AnnotatedText, at: int) -> bool:
    """Whether what stands before a word says that people suffer from it ("people with wilson")."""
    told = reading.lexicon.medical
    if reading.word(at - 1) not in told.has or reading.word(at - 2) not in told.sufferers:
        return False
    return not (reading.follows(at + 1) and reading.kind(at + 1) & NAME)


def _is_land(reading: AnnotatedText, at: int) -> bool:
    """Whether a word is a part of the world, or its people; "india is my daughter" is none."""
    if reading.word(at) not in reading.lexicon.medical.lands or reading.word(at + 1) in reading.lexicon.grammar.copulas:
        return False
    return not (reading.follows(at + 1) and reading.kind(at + 1) & NAME)


def _is_headed(reading: AnnotatedText, at: int) -> bool:
    """Whether a word that is also a name begins words of a heading ("Rose Ward")."""
    if reading.kind(at) & _HEADED != _HEADED or not reading.follows(at + 1):
        return False
    return reading.kind(at + 1) & (_HEADED | Kind.LISTED) == _HEADED


def _is_word_here(reading: AnnotatedText, at: int, strength: Strength) -> bool:
    """Whether a name that is also a word is the word: of a room, or at the beginning of what is typed ("Max stay")."""
    kind, told = reading.kind(at), reading.lexicon
    if reading.word(at) not in told.spelling.doubled:
        return False
    if reading.word(at - 1) in told.other_senses.chambers or (
        kind & Kind.OPENS and reading.word(at + 1) in told.requests.greeted
    ):
        return True
    if not kind & Kind.UPPER or _does_as_people(reading, at + 1):
        return False
    if any(token.word in told.other_senses.rooms for token in reading.tokens):
        return True
    if strength > Strength.FAINT or not kind & Kind.OPENS or not reading.follows(at + 1):
        return False
    word, after = reading.word(at + 1), reading.kind(at + 1)
    if word in told.grammar.alternatives or (word in told.grammar.conjunctions and not after & Kind.ACCENTED):
        return reading.word(at + 2) in told.spelling.doubled or not reading.kind(at + 2) & (
            NAME | Kind.COMMON_FIRST | Kind.CAPITAL
        )
    if word in told.grammar.quantities and not after & Kind.PARTICLE:
        # "Max two visitors"
        return True
    if after & Kind.PARTICLE:
        return not reading.kind(at + 2) & (Kind.CAPITAL | Kind.LAST)
    return not after & Kind.STOP


def _does_as_people(reading: AnnotatedText, at: int) -> bool:
    """Whether a surname stands here, or what somebody does."""
    told, kind = reading.lexicon, reading.kind(at)
    if not reading.follows(at):
        return False
    if kind & Kind.CAPITAL and kind & Kind.UNKNOWN:
        return True
    if reading.word(at) in told.grammar.conjunctions and not kind & Kind.ACCENTED:
        return False
    listed = (
        told.grammar.person_verbs,
        told.grammar.predicates,
        told.requests.wishes,
        told.corrections.called,
        told.persons.deeds,
        told.grammar.copulas,
    )
    if any(reading.word(at) in each for each in listed):
        return True
    return bool(kind & (NAME | Kind.UPPER | Kind.UNKNOWN)) and not kind & Kind.BUILT


def is_in_full(reading: AnnotatedText, at: int) -> bool:
    """Whether a first name and a surname stand behind "a" that no thing is called after ("a farida noorzai")."""
    kind, after = reading.kind(at), reading.kind(at + 1)
    no_surname = Kind.EPONYM | Kind.STOP | Kind.PLACE
    if not reading.follows(at + 1) or kind & (Kind.WORD | Kind.EPONYM) or after & no_surname:
        return False
    beyond = reading.word(at + 2) if reading.follows(at + 2) else ""
    if (
        beyond in reading.lexicon.persons.named_after
        or beyond in reading.lexicon.other_senses.disease
        or beyond in reading.lexicon.other_senses.shared_eponyms
    ):
        return False
    is_surname = after & (Kind.LAST | Kind.SURELY) and not after & (Kind.WORD | Kind.BUILT | Kind.FIRST)
    if is_surname and kind & Kind.FIRST:
        return reading.word(at - 2) in reading.lexicon.persons.led_by or bool(after & Kind.LAST)
    is_led = reading.word(at - 2) in reading.lexicon.persons.led_by or reading.strengths[at] >= Strength.KIN
    return bool(is_led and kind & (Kind.FIRST | Kind.SURELY) and after & (Kind.COMMON_LAST | Kind.SURELY))


def is_made_as_surname(reading: AnnotatedText, at: int) -> bool:
    """Whether a word is made as no town is: "D'Hondt", "Wils-Aerts"."""
    word, kind = reading.word(at), reading.kind(at)
    if not kind & Kind.LAST or kind & (Kind.PLACE | Kind.WORD | Kind.STOP):
        return False
    if kind & Kind.CAPITAL and reading.follows(at + 1) and reading.kind(at + 1) & Kind.INITIAL:
        # "Brambilla S."
        return True
    return "-" in word or bool(word[1] == "'" and kind & Kind.UPPER)


def is_corrected(reading: AnnotatedText, at: int) -> bool:
    """Whether a word is one of the two of "not maes but maas"."""
    for first in (at, at - 2):
        if (
            reading.word(first - 1) in reading.lexicon.corrections.denied
            and reading.word(first + 1) in reading.lexicon.corrections.corrected
        ):
            both = reading.kind(first), reading.kind(first + 2)
            return all(kind & Kind.LISTED for kind in both) and any(kind & NAME for kind in both)
    return False


def is_long_surname(reading: AnnotatedText, at: int) -> bool:
    """Whether a rare surname stands where it is said what somebody does ("wojciechowska has")."""
    word = reading.word(at)
    return len(word) >= _LONG and "'" not in word and reading.word(at + 1) in reading.lexicon.grammar.person_verbs
