"""Recognises names that are spelled: "p e e t e r s", "p van peter e van eduard"."""

from __future__ import annotations

from dataclasses import dataclass

from careline.privacy.names.annotated_text import AnnotatedText
from careline.privacy.names.lists.lexicon import Strength
from careline.privacy.names.lists.word_kinds import Kind
from careline.privacy.vocabulary import tables

_NEAR = 5
"""Words before or after the letters in which "spelled" or "written" is looked for."""

_FEW = 3
_MANY = 5
"""Letters that are a name beside a cue, and without one ("m r i" is none)."""

_SURE = 2
"""Letters whose names are no other words, among few letters."""

_LONGEST = 40
"""Words that letters said by their names take at most."""

_OF_I = frozenset({"lunga", "greca"})
"""What follows an i that is a j or a y."""

_SENTENCE = 14
"""Letters that are no name any more without a cue."""


@dataclass(frozen=True, slots=True)
class Spelled:
    """Letters up to the word `end`, exclusive. `is_name`: enough of them, and said to be a name."""

    end: int
    is_name: bool


def spelled_out(reading: AnnotatedText, at: int, after_name: bool = False) -> Spelled | None:
    """The letters that begin at a word; None if there are none. `after_name`: a name has just been said."""
    if not reading.kind(at) & Kind.LETTER and not _is_double(reading, at):
        return None
    end, letters, explained = _letters(reading, at)
    if after_name:
        return Spelled(end, True) if letters >= _FEW else None
    if explained and letters == 1 and reading.word(at) in reading.lexicon.grammar.conjunctions:
        # "di giada e di mirko"
        return None
    if explained:
        return Spelled(end, letters >= _FEW)
    said = reading.strengths[at] >= Strength.TITLE or _is_said_to_be(reading, at, end)
    if letters >= (_FEW if said else _MANY):
        return Spelled(end, said or letters < _SENTENCE)
    return None


def said_in_letters(reading: AnnotatedText, at: int) -> int:
    """The end of letters that are said by their names from a word on ("erre u doppia esse o"); 0 if none are."""
    told = reading.lexicon
    if reading.kind(at) & Kind.PARTICLE and reading.follows(at) and reading.kind(at - 1) & Kind.WORD:
        # "il valore di ti esse acca"
        return 0
    end, letters, sure = at, 0, 0
    while end < min(at + _LONGEST, len(reading.tokens)) and (end == at or reading.follows(end)):
        word = reading.word(end)
        if word in _OF_I and end > at and reading.word(end - 1) == "i":
            end += 1
            continue
        doubled = word in told.spelling.doubles and _is_letter_said(reading, end + 1)
        if not doubled and not _is_letter_said(reading, end):
            break
        letters += not doubled
        sure += word in told.spelling.letters_said
        end += 1
    if letters > _FEW and reading.word(end - 1) in told.grammar.conjunctions and reading.kind(end) & Kind.STOP:
        # "acca e il nome è"
        end, letters = end - 1, letters - 1
    if letters < _FEW or reading.word(end) in ("punto", "chiocciola"):
        return 0
    is_said = (
        _is_of_word_before(reading, at) or reading.strengths[at] >= Strength.TITLE or _is_said_to_be(reading, at, end)
    )
    # "il ti esse acca" is a hormone, which nobody says to be a name.
    return end if is_said and sure >= (_SURE if letters == _FEW else 1) else 0


def _is_of_word_before(reading: AnnotatedText, at: int) -> bool:
    """Whether the letter said at a word is that with which the name before it begins."""
    before = reading.kind(at - 1) if at else Kind.STOP
    if before & Kind.STOP or not before & (Kind.LISTED | Kind.LIKELY):
        return False
    said = reading.word(at + 1 if reading.word(at) in reading.lexicon.spelling.doubles else at)
    letters: dict[str, str] = tables("it")["spelling"]["letters"]
    return reading.word(at - 1)[0] == letters.get(said, said[:1])


def _is_letter_said(reading: AnnotatedText, at: int) -> bool:
    word = reading.word(at)
    return word in reading.lexicon.spelling.letters_said or (
        bool(word) and word in reading.lexicon.spelling.letters_also
    )


def spelled_after(reading: AnnotatedText, at: int) -> int:
    """The end of the letters that spell the word before them ("adrienson a d r i"); 0 if none do."""
    word = reading.word(at)
    if len(word) < _FEW or reading.kind(at) & Kind.STOP or not reading.kind(at + 1) & Kind.LETTER:
        return 0
    said = "".join(reading.word(at + 1 + step) for step in range(_FEW))
    letters = spelled_out(reading, at + 1, after_name=True) if word.startswith(said) else None
    return letters.end if letters else 0


def _letters(reading: AnnotatedText, at: int) -> tuple[int, int, bool]:
    """Where the letters end, how many there are, and whether words explain them ("p as in peter")."""
    letters, explained = 0, False
    end = at
    while end < len(reading.tokens):
        if _is_double(reading, end) and reading.kind(end + 1) & Kind.LETTER:
            end += 1
        if not reading.kind(end) & Kind.LETTER:
            break
        letters += 1
        end += 1
        link = end
        while reading.word(link) in reading.lexicon.spelling.links and link - end < 2:
            link += 1
        if link > end and link < len(reading.tokens) and not reading.kind(link) & Kind.LETTER:
            if not explained and not _explains(reading, end - 1, link):
                break
            end, explained = link + 1, True
    return end, letters, explained


def _explains(reading: AnnotatedText, letter: int, at: int) -> bool:
    """Whether a word is one that a letter is said by ("p as in peter", but not "c/a di iolanda")."""
    return bool(reading.kind(at) & (Kind.LISTED | Kind.PLACE)) and reading.word(at)[0] == reading.word(letter)


def _is_double(reading: AnnotatedText, at: int) -> bool:
    return reading.word(at) in reading.lexicon.spelling.doubles and bool(reading.kind(at + 1) & Kind.LETTER)


def _is_said_to_be(reading: AnnotatedText, at: int, end: int) -> bool:
    around = (*reading.tokens[max(0, at - _NEAR) : at], *reading.tokens[end : end + _NEAR])
    return any(token.word in reading.lexicon.spelling.spelled for token in around)
