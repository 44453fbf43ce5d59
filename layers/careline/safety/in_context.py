"""A sentence as the screens of answers read it: alone, and run on from what was said before it.

Advice or malice given over two sentences is caught that way: the end of what was said is read on into the sentence as
if no full stop stood between.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import chain

from careline.safety.clauses import clauses
from careline.safety.rules.plain_text import Plain, normalise_answer
from careline.safety.rules.prefilter import pieces
from careline.safety.rules.rule_sets import RuleSet
from careline.text.sentences import split

REMEMBERED = 300
"""Characters of the answer so far that a new sentence is read together with."""


class InContext:
    """A sentence that would be said after `so_far`, which was allowed. It is made plain once for all screens."""

    def __init__(self, sentence: str, so_far: str = "") -> None:
        self._sentence = sentence
        self.alone = normalise_answer(sentence)
        self._before = _run_on(normalise_answer(so_far[-REMEMBERED:]))
        self._together = Plain(f"{self._before.rstrip()}{_run_on(self.alone)}")

    def met(self, rule_set: RuleSet, groups: Collection[str] | None = None) -> Iterator[str]:
        """Ids of the rules of some classes, or of all, that the sentence meets alone or is what makes them met."""
        wanted = rule_set.groups if groups is None else frozenset(groups)
        yield from _reasons(rule_set.find(self.alone, self._pieces, wanted))
        if self._before.strip() and (found := _reasons(rule_set.find(self._together, self._pieces_together, wanted))):
            known = _reasons(rule_set.find(self._before, groups=wanted))
            yield from (reason for reason in found if reason not in known)

    def clauses(self, language: str) -> list[Plain]:
        """The parts of the sentence; none when it is all of one piece."""
        return [normalise_answer(part) for part in clauses(self._sentence, language)]

    @cached_property
    def _pieces(self) -> frozenset[str]:
        return pieces(self.alone)

    @cached_property
    def _pieces_together(self) -> frozenset[str]:
        return pieces(self._together)


def sentences(answer: str, language: str) -> Iterator[tuple[str, InContext]]:
    """Each sentence of an answer, and as it would be said after those before it."""
    so_far = ""
    for sentence in split(answer, language):
        yield sentence, InContext(sentence, so_far)
        so_far = f"{so_far} {sentence}"


def _reasons(found: Mapping[str, tuple[str, ...]]) -> list[str]:
    return list(chain.from_iterable(found.values()))


def _run_on(text: Plain) -> Plain:
    """The text as one sentence."""
    return Plain(text.replace(" . ", " "))
