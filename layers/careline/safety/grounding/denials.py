"""Tells whether a sentence says the contrary of its source: "you may eat" where the source says "you may not eat".

The statements of the source that are nearest in words decide. Only what is nearly the same in words is compared, since
a denial can be written in many ways and a sentence must not be withheld on a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from careline.tables.row_wording import row_wording
from careline.text.figure_words import Denials, words
from careline.text.languages import frequent_words

NEAR = 0.72
"""Share of the weighted words of both, counted twice where shared, from which two statements are about the same."""
NEAR_ANSWERED = 0.4
"""The same for a sentence that begins with yes or no: it answers in words of its own, and what it answers is one of two
things. Of 33 right and 31 wrong answers to four pages, in four languages, none and 24 are withheld at .72, none and 31
at .4 (`tests/safety/test_answered_denials.py`)."""
NEARLY_AS_NEAR = 0.06
"""Statements this much less near than the nearest also count, so that a source which says both is not contradicted."""
SMALL_WORD = 0.25
"""What a frequent word weighs against any other."""
LONG_CLAUSE = 3
_NE = frozenset({"ne", "n"})
_STEM = 6

_ENDS = re.compile(r"\n\s*\n|\n\s*(?=[-*•|#>])|(?<![.!?;:|])[.!?;:|]+(?=\s|$)")
_PARTS = re.compile(r",\s|\s\(|\)|\s-\s")
_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or clause: the beginnings of its words, what they weigh together, and whether it denies.

    `rest` is the text without the words that deny, of which there are `denials`.
    """

    stems: frozenset[str]
    weight: float
    denies: bool
    rest: str
    denials: int


def statements(text: str, language: str) -> list[Statement]:
    """The sentences of a `readable` text and, where they have several, their clauses.

    None in a language whose denials are not listed.
    """
    known = words()
    denials = known.denials.get(language)
    if denials is None:
        return []
    small = frequent_words().get(language, frozenset())
    found: list[Statement] = []
    for written in _ENDS.split(text):
        sentence = _without_answer(written, language)
        if whole := _statement(sentence, denials, small):
            found.append(whole)
            found.extend(_clauses(sentence, denials, small))
    return found


def contradicts(sentence: str, language: str, said: Iterable[Statement]) -> bool:
    """Whether a `readable` sentence denies what the nearest statements affirm, or the other way round."""
    held = list(said)
    near = NEAR if _without_answer(sentence, language) == sentence else NEAR_ANSWERED
    return any(_dropped(one, held) or _flipped(one, held, language, near) for one in statements(sentence, language))


def _without_answer(sentence: str, language: str) -> str:
    """The sentence without the yes or no before it, which answers a question and denies nothing of what follows: "No,
    the terrace is closed"."""
    answer, comma, rest = sentence.partition(",")
    wording = row_wording(language)
    return rest if comma and wording is not None and wording.is_answer(answer.strip()) else sentence


def _dropped(one: Statement, held: Sequence[Statement]) -> bool:
    """Whether nothing but words that deny was left out or put in."""
    same = [other.denials for other in held if other.rest == one.rest]
    return bool(same) and one.denials not in same and " " in one.rest


def _flipped(one: Statement, held: Sequence[Statement], language: str, least: float) -> bool:
    if len(one.stems) < 2:
        return False
    small = frequent_words().get(language, frozenset())
    near = [(likeness, other) for other in held if (likeness := _likeness(one, other, small)) >= least]
    if not near:
        return False
    nearest = max(likeness for likeness, _ in near)
    compared = [other for likeness, other in near if likeness >= nearest - NEARLY_AS_NEAR]
    return all(other.denies is not one.denies for other in compared)


def _likeness(one: Statement, other: Statement, small: frozenset[str]) -> float:
    if 2 * min(one.weight, other.weight) < NEAR * (one.weight + other.weight):
        return 0.0
    both = one.stems & other.stems
    return 2 * (len(both) - (1 - SMALL_WORD) * len(both & small)) / (one.weight + other.weight)


def _clauses(sentence: str, denials: Denials, small: frozenset[str]) -> Iterator[Statement]:
    """What stands between commas, brackets and words such as "but", where a sentence has several of these.

    "You may not drink, eat or smoke": a clause that goes on after a denial may share it and is left out.
    """
    contrasts = [_parts(each) for each in _contrasted(sentence)]
    if sum(map(len, contrasts)) < 2:
        return
    for parts in contrasts:
        denied = False
        for part in parts:
            statement = _statement(part, denials, small)
            if statement is None:
                continue
            if len(part.split()) >= LONG_CLAUSE and (statement.denies or not denied):
                yield statement
            denied = denied or statement.denies


def _parts(clause: str) -> list[str]:
    return [part for part in _PARTS.split(clause) if part.strip()]


def _contrasted(sentence: str) -> list[str]:
    """The sentence cut at words such as "but"."""
    known = words().clauses
    held = sentence.split()
    if known.isdisjoint(held):
        return [sentence]
    cut: list[list[str]] = [[]]
    for word in held:
        if word in known:
            cut.append([])
        else:
            cut[-1].append(word)
    return [" ".join(each) for each in cut]


def _statement(part: str, denials: Denials, small: frozenset[str]) -> Statement | None:
    said = _WORD.findall(part)
    if not said:
        return None
    there = set(said)
    denying = denials.words | words().contracted
    if not _NE.isdisjoint(there):
        denying |= denials.with_ne
    denies = denying.isdisjoint(there) is not denials.without.isdisjoint(there)
    denying |= denials.without
    count = 0 if denying.isdisjoint(there) else sum(word in denying for word in said)
    denying |= _NE
    rest = " ".join(word for word in said if word not in denying)
    there -= denying
    frequent = there & small
    kept = frozenset(frequent | {word[:_STEM] for word in there - small})
    return Statement(kept, len(kept) - (1 - SMALL_WORD) * len(frequent), denies, rest, count)
