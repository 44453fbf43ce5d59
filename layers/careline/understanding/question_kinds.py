"""The parts of what is told that a question takes over: the campus, the department and the examination."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from careline.text.asked_words import AskedWord, kinds, listed, words_of
from careline.text.label_words import LabelWord, question_words, vocabulary

PLACE = "place"
"""The kind of the names of campuses and houses, which no list has."""
CODE = "code"
"""The kind of what has a letter and a number for its name: "P1", "line N2"."""
_CODE = re.compile(r"[a-z]{1,2}[0-9]{1,3}")
TAKEN_OVER = frozenset((PLACE, "service", "examination"))
"""Kinds that a question about something else takes over from what was said before."""
_QUALIFYING = frozenset(("room", "colour", "order"))
"""Kinds whose words stand before a noun, which keeps its article."""
_SMALL_BEFORE = 3
"""Small words before a name or noun that go with it: "in the", "de la"."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of words, `start` to `end`, small words before it included, that is of one kind."""

    kind: str
    start: int
    end: int
    plain: str


def parts(text: str, language: str) -> list[Part]:
    """The parts of a question, in order; none overlap.

    A place is known by its capital, or by a word such as "campus" beside it.
    """
    words = words_of(text)
    labels = _labels(words, language)
    known = listed("small", language)
    found: list[Part] = []
    at = 0
    while at < len(words):
        kind, length = _kind_at(_Reading(words, labels, language), at)
        if length:
            start, least = at, max(found[-1].end if found else 0, at - _SMALL_BEFORE)
            while kind not in _QUALIFYING and start > least and words[start - 1].plain in known:
                start -= 1
            found.append(Part(kind, start, at + length, " ".join(word.plain for word in words[at : at + length])))
        at += length or 1
    return found


def carried_over(earlier: str, question: str, language: str) -> str:
    """The campus, department and examination of what was said before, of kinds that the question has none of."""
    words, own = words_of(earlier), {part.kind for part in parts(question, language)}
    taken = [part for part in parts(earlier, language) if part.kind in TAKEN_OVER and part.kind not in own]
    last = {part.kind: part for part in taken}.values()
    return " ".join(earlier[words[part.start].start : words[part.end - 1].end] for part in taken if part in last)


@dataclass(frozen=True, slots=True)
class _Reading:
    """A text whose parts are looked for."""

    words: Sequence[AskedWord]
    labels: Sequence[LabelWord | None]
    language: str

    def may_name(self, at: int) -> bool:
        """Whether a word may be the name of a place: no talk, no number, nothing that a hospital's tables speak of."""
        label = self.labels[at] if at < len(self.labels) else None
        return label is not None and not label.is_talk and label.number is None and not label.concepts

    def name_length(self, at: int) -> int:
        """How many words the name has that begins at a place: those with capitals, and those joined by a hyphen."""
        end = at + 1
        while end < len(self.words) and (
            self.words[end].hyphened or (self.words[end].text[0].isupper() and self.words[at].text[0].isupper())
        ):
            end += 1
        return end - at


def _labels(words: Sequence[AskedWord], language: str) -> Sequence[LabelWord | None]:
    """What each word is. All are read at once, and one by one where some are several to `question_words` ("K3")."""
    found = question_words(" ".join(word.text for word in words), language)
    if len(found) == len(words):
        return found
    apart = (question_words(word.text, language) for word in words)
    return [read[0] if read else None for read in apart]


def _kind_at(reading: _Reading, at: int) -> tuple[str, int]:
    """The kind of the part that begins at a word, and how many words it has; 0 where none does."""
    if _CODE.fullmatch(reading.words[at].plain):
        return CODE, 1
    place = _place_at(reading, at)
    if place:
        return PLACE, place
    words, language, label = reading.words, reading.language, reading.labels[at]
    behind = words[at + 1].plain if at + 1 < len(words) else ""
    hyphened = f"{words[at].plain}-{behind}" if behind else ""
    # "pronto soccorso" is one thing.
    is_pair = bool(behind) and words[at].plain + behind in vocabulary().concepts.get(language, {})
    for name, kind in kinds().items():
        if hyphened in kind.words[language]:
            return name, 2
        if label is not None and kind.has(label, language):
            return name, 1 + is_pair
    return "", 0


def _place_at(reading: _Reading, at: int) -> int:
    """How many words the name of a place has that begins here: "campus Oost", "the other building", "Rivalago"."""
    words, sites, others = reading.words, listed("sites", reading.language), listed("others", reading.language)
    word, behind = words[at].plain, words[at + 1].plain if at + 1 < len(words) else ""
    if word in others:
        return 2 if behind in sites or behind == "one" else int(not behind)
    if word in sites:
        return 1 + reading.name_length(at + 1) if reading.may_name(at + 1) else 0
    before = words[at - 1].plain if at else ""
    if not reading.may_name(at) or not words[at].text[0].isupper():
        return 0
    return reading.name_length(at) if before in vocabulary().before_places else 0
