"""Tells whether two questions that name the same ask for the same of it: what may be or what must be, and who does it
to whom.

Who does what stands in the order of the words, in the form of "I" and "me", and in the words before a noun. So what
both name must come in one order, but for a phrase with a preposition or a time, which may stand anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from careline.search.curated.closed_words import concepts_anywhere, marks, marks_at
from careline.search.curated.named_words import NamedWord
from careline.text.label_words import folded

_NEAR = 2
"""Words between which "tell" and "me" may stand."""
_FREE = "anywhere"
"""What stands for the preposition of a word that needs none to stand anywhere, such as a day."""
_HOUSE, _PATIENT, _SUBJECT = "house", "patient", "subject"
"""Names in the tables `parties` and `speaker`."""
_SHORTEST_PART = 6
"""Letters of what a compound names."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A word that names something, or the `person` that a word stands for, and the preposition before it; "" without.
    `at` is its place among all words."""

    word: NamedWord | None
    person: str
    preposition: str
    at: int

    def is_same(self, other: Placed) -> bool:
        """Whether both name the same."""
        if self.word is None or other.word is None:
            return self.word is other.word and self.person == other.person
        return self.word.is_same(other.word)


@dataclass(frozen=True, slots=True)
class QuestionRoles:
    """What a question says of what it names. `speaker` tells whether who asks does something or has it done."""

    placed: tuple[Placed, ...]
    modals: frozenset[str]
    speaker: frozenset[str]
    is_open: bool
    """Whether it asks for something and not only for a yes."""
    has_last_verb: bool
    """Whether its language has the verb at the end of a question that has another before."""
    length: int

    @classmethod
    def of(cls, words: Sequence[str], named: Sequence[NamedWord], language: str) -> QuestionRoles:
        """The roles in a text by its words in lower case and those of them that name something."""
        placed = tuple(_placed(words, named, language))
        is_open = bool(marks(words, "asks", language) | marks(words, "things", language))
        return cls(
            placed, marks(words, "modals", language), _speaker(words, placed, language), is_open, language == "nl",
            len(words),
        )  # fmt: skip

    def agree(self, other: QuestionRoles) -> bool:
        """Whether two questions that name the same ask for the same of it; False in doubt."""
        if self.speaker and other.speaker and self.speaker != other.speaker:
            return False
        if self._is_done_by_house(other) or other._is_done_by_house(self):
            return False
        return self._has_mood_of(other) and self._has_order_of(other)

    def _is_done_by_house(self, other: QuestionRoles) -> bool:
        """Whether the hospital does here what who asks, or a patient, does in the other question."""
        here, there = self._parties(), other._parties()
        return _HOUSE in here and _HOUSE not in there and _PATIENT in there and _PATIENT not in here

    def _parties(self) -> frozenset[str]:
        """The sides of a hospital that are named without a preposition; who asks is on that of patients."""
        named = {one.person for one in self.placed if one.person in (_HOUSE, _PATIENT) and not one.preposition}
        return frozenset(named | ({_PATIENT} if _SUBJECT in self.speaker else set()))

    def _has_mood_of(self, other: QuestionRoles) -> bool:
        """ "What do I bring" and "what must I bring" are one question; "do I get it" and "must I have it" are two."""
        if self.is_open and not (self.modals and other.modals):
            return True
        return "must" not in self.modals ^ other.modals

    def _has_order_of(self, other: QuestionRoles) -> bool:
        both = [
            (one, same)
            for one in self.placed
            if (same := next((each for each in other.placed if one.is_same(each)), None)) is not None
            and not (one.person in (_HOUSE, _PATIENT) and (one.preposition or same.preposition))
        ]
        return all(
            first[1].at <= second[1].at
            or _is_moved(first, second)
            or _is_moved(second, first)
            or any(self._is_moved_verb(one, other) for one in (first, second))
            for first, second in combinations(both, 2)
        )

    def _is_moved_verb(self, word: tuple[Placed, Placed], other: QuestionRoles) -> bool:
        """Whether a word stands last in one question and, in another form, begins the other or is its second word."""
        if not self.has_last_verb or word[0].word is None or word[1].word is None:
            return False
        ends = [(word[0].at, self.length - 1), (word[1].at, other.length - 1)]
        is_last, is_early = [at == last for at, last in ends], [at <= 1 for at, _ in ends]
        moved = (is_last[0] and is_early[1]) or (is_last[1] and is_early[0])
        return moved and word[0].word.word.text != word[1].word.word.text


def _is_moved(phrase: tuple[Placed, Placed], passed: tuple[Placed, Placed]) -> bool:
    """Whether a phrase only stands elsewhere than in the other question: it keeps its preposition, or is the only one
    of both words that has one."""
    (here, there), others = (one.preposition for one in phrase), [one.preposition for one in passed]
    return bool(here and there) and (here == there or not any(others))


def _placed(words: Sequence[str], named: Sequence[NamedWord], language: str) -> Iterator[Placed]:
    """The words that name something, and persons, in order."""
    left = list(named)
    before: dict[int, str] = {}
    for at, text in enumerate(words):
        number = next((n for n, one in enumerate(left) if _is_written(one, folded(text))), None)
        word = None if number is None else left[number]
        left = left if number is None else left[number + 1 :]
        person = "" if word else next(_persons_at(words, at, language), "")
        if word or person:
            is_free = word is not None and not word.word.concepts.isdisjoint(concepts_anywhere())
            before[at] = _FREE if is_free else _preposition(words, at, before, language)
            yield Placed(word, person, before[at], at)


def _persons_at(words: Sequence[str], at: int, language: str) -> Iterator[str]:
    yield from marks_at(words, at, "persons", language)
    yield from marks_at(words, at, "parties", language)


def _is_written(named: NamedWord, text: str) -> bool:
    """Whether a word is written so; of a compound the first part may be what is named."""
    name = named.word.text
    return text == name or (len(name) >= _SHORTEST_PART and text.startswith(name))


def _preposition(words: Sequence[str], at: int, before: dict[int, str], language: str) -> str:
    """The preposition before a word, or before its article, its number, or what is named with it."""
    has_article = False
    for place in range(at - 1, -1, -1):
        if place in before:
            # Before an article another phrase ends.
            return "" if has_article or before[place] == _FREE else before[place]
        if any(marks_at(words, place, "prepositions", language)):
            return words[place]
        is_article = any(marks_at(words, place, "determiners", language))
        has_article |= is_article
        if not (is_article or words[place].isdigit()):
            return ""
    return ""


def _speaker(words: Sequence[str], placed: Sequence[Placed], language: str) -> frozenset[str]:
    """Whether "I" and "me" stand in a question. "Can you tell me" is said in front of any."""
    first_named = min((one.at for one in placed), default=len(words))
    found: set[str] = set()
    for at in range(len(words)):
        roles = set(marks_at(words, at, "speaker", language))
        near = words[max(0, at - _NEAR) : at + _NEAR + 1]
        if roles == {"object"} and at < first_named and marks(near, "tells", language):
            continue
        found |= roles
    return frozenset(found)
