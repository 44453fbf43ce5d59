"""Tells whether a sentence says the contrary of its source: "you may eat" where the source says "you may not eat".

The statements of the source that are nearest in words decide. Only what is nearly the same in words is compared, since
a denial can be written in many ways and a sentence must not be withheld on a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from careline.safety.grounding.bounds import LETTERS, Bound, are_apart, bounds
from careline.safety.grounding.opposites import State, are_contrary, states
from careline.tables.row_wording import row_wording
from careline.text.figure_words import Denials, words
from careline.text.languages import frequent_words

NEAR = 0.72
"""Share of the weighted words of both, counted twice where shared, from which two statements are about the same."""
NEAR_ANSWERED = 0.4
"""The same for a sentence that begins with yes or no: it answers in words of its own, and what it answers is one of two
things. Of 33 right and 31 wrong answers to four pages, in four languages, none and 24 are withheld at .72, none and 31
at .4 (`tests/safety/test_answered_denials.py`). For what stands whole behind the yes or no; not for its clauses."""
NEARLY_AS_NEAR = 0.06
"""Statements this much less near than the nearest also count, so that a source which says both is not contradicted."""
SMALL_WORD = 0.25
"""What a frequent word weighs against any other."""
LONG_CLAUSE = 3
ELLIPSIS = 2
"""Informative words of its own that a clause behind "but" has at most where it leaves the others to the first."""
_NE = frozenset({"ne", "n"})

_ENDS = re.compile(r"\n\s*\n|\n\s*(?=[-*•|#>])|(?<![.!?;:|])[.!?;:|]+(?=\s|$)")
_PARTS = re.compile(r",\s|\s\(|\)|\s-\s")
_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or clause: the beginnings of its words, what they weigh together, and whether it denies.

    `rest` is the text without the words that deny, of which there are `denials`; `exception` what stands behind a word
    such as "unless".
    """

    stems: frozenset[str]
    weight: float
    denies: bool
    rest: str
    denials: int
    bounds: frozenset[Bound]
    states: frozenset[State]
    exception: frozenset[str]
    is_whole: bool


def statements(text: str, language: str) -> list[Statement]:
    """The sentences of a `readable` text and, where they have several, their clauses.

    None in a language whose denials are not listed.
    """
    known = words()
    if language not in known.denials:
        return []
    small = frequent_words().get(language, frozenset())
    found: list[Statement] = []
    for written in _ENDS.split(text):
        sentence = _without_answer(written, language)
        if both := _completed(sentence, language, small):
            found.extend(both)
        elif whole := _statement(sentence, language, small):
            found.append(whole)
            found.extend(replace(each, exception=whole.exception) for each in _clauses(sentence, language, small))
    return found


def contradicts(sentence: str, language: str, said: Iterable[Statement]) -> bool:
    """Whether a `readable` sentence denies what the nearest statements affirm, or the other way round."""
    held = list(said)
    answers = _without_answer(sentence, language) != sentence
    return any(
        _dropped(one, held) or _flipped(one, held, language, answers=answers) for one in statements(sentence, language)
    )


def forbids(text: str, language: str) -> bool:
    """Whether a `readable` text has a word that denies, other than "without" and the no that answers a question."""
    denials = words().denials.get(language)
    said = set(_WORD.findall(_without_answer(text, language)))
    return denials is not None and not said.isdisjoint(denials.words | words().contracted)


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


def _flipped(one: Statement, held: Sequence[Statement], language: str, *, answers: bool) -> bool:
    if len(one.stems) < 2:
        return False
    small = frequent_words().get(language, frozenset())
    least = NEAR_ANSWERED if answers and one.is_whole else NEAR
    near = [
        (likeness, other)
        for other in held
        if (likeness := _likeness(one, other, small, least)) >= least and _may_differ(one, other)
    ]
    if answers:
        rare = _rare(one, held, small)
        own = [each for each in near if not rare.isdisjoint(each[1].stems)]
        near = own or near
    if not near:
        return False
    nearest = max(likeness for likeness, _ in near)
    compared = [other for likeness, other in near if likeness >= nearest - NEARLY_AS_NEAR]
    return all(_differ(one, other) for other in compared)


def _rare(one: Statement, held: Sequence[Statement], small: frozenset[str]) -> frozenset[str]:
    """The words of a statement that one sentence alone has, which tell what it speaks of: kettles, where all sorts of
    things are allowed or not."""
    wholes = [other.stems for other in held if other.is_whole]
    return frozenset(stem for stem in one.stems - small if sum(stem in stems for stems in wholes) == 1)


def _may_differ(one: Statement, other: Statement) -> bool:
    """Whether one that denies what the other affirms contradicts it: not where one speaks of the time after and one of
    that before, nor of what the other excepts."""
    return not are_apart(one.bounds, other.bounds) and other.exception.isdisjoint(one.stems)


def _differ(one: Statement, other: Statement) -> bool:
    return (other.denies is not one.denies) is not are_contrary(one.states, other.states)


def _likeness(one: Statement, other: Statement, small: frozenset[str], least: float) -> float:
    if 2 * min(one.weight, other.weight) < least * (one.weight + other.weight):
        return 0.0
    both = one.stems & other.stems
    return 2 * (len(both) - (1 - SMALL_WORD) * len(both & small)) / (one.weight + other.weight)


def _clauses(sentence: str, language: str, small: frozenset[str]) -> Iterator[Statement]:
    """What stands between commas, brackets and words such as "but", where a sentence has several of these.

    "You may not drink, eat or smoke": a clause that goes on after a denial may share it and is left out.
    """
    contrasts = [_parts(each) for each in _contrasted(sentence)]
    if sum(map(len, contrasts)) < 2:
        return
    for parts in contrasts:
        denied = False
        for part in parts:
            statement = _statement(part, language, small, is_whole=False)
            if statement is None:
                continue
            if len(part.split()) >= LONG_CLAUSE and (statement.denies or not denied):
                yield statement
            denied = denied or statement.denies


def _completed(sentence: str, language: str, small: frozenset[str]) -> tuple[Statement, ...]:
    """The two statements of "You need no letter for a scan, but you do for a consultation", of which the second stands
    for the words of the first. Empty where a sentence is none such."""
    first, second = _ellipsis(sentence, words().denials[language])
    said, shortly = _statement(first, language, small), _statement(second, language, small)
    if said is None or shortly is None or said.denies is shortly.denies:
        return ()
    if len(shortly.stems - said.stems - small) > ELLIPSIS:
        return ()
    stems = said.stems | shortly.stems
    weight = len(stems) - (1 - SMALL_WORD) * len(stems & small)
    return said, replace(shortly, stems=stems, weight=weight)


def _ellipsis(sentence: str, known: Denials) -> tuple[str, str]:
    """What stands before and behind a "but"; both empty where no such word stands there, or several."""
    held = sentence.split()
    at = [number for number, word in enumerate(held) if word in known.but]
    if len(at) == 1:
        return " ".join(held[: at[0]]), " ".join(held[at[0] + 1 :])
    first, comma, second = sentence.rpartition(", ")
    return (first, second) if comma and not known.but_does.isdisjoint(held[-1:]) else ("", "")


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


def _statement(part: str, language: str, small: frozenset[str], *, is_whole: bool = True) -> Statement | None:
    said = _WORD.findall(part)
    if not said:
        return None
    denials = words().denials[language]
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
    kept = frozenset(frequent | {word[:LETTERS] for word in there - small})
    weight = len(kept) - (1 - SMALL_WORD) * len(frequent)
    excepting = next((at for at, word in enumerate(said) if word in words().exceptions), len(said))
    exception = frozenset(word[:LETTERS] for word in said[excepting + 1 :] if word not in small)
    bounded = bounds(said, language, denies=denies)
    return Statement(kept, weight, denies, rest, count, bounded, states(said, language), exception, is_whole)
