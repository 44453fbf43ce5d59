"""Tells from its words which patterns a text may meet at all, so that the others are never compiled nor tried.

A rule set holds hundreds of patterns, an utterance ten words. What a pattern needs is found out once, when its pack is
sealed: a few sets of short pieces of text, of each of which whatever it matches contains at least one. Looking for the
pieces of an utterance in a table then leaves a handful of patterns. It may leave too many, never too few.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any

LONGEST = 6
"""Characters of a piece; a longer run of letters in a pattern stands for its rarest part of this length."""
SETS = 3
"""Sets of pieces kept for a pattern, those that the fewest texts contain a piece of."""
SHORTEST = 3
"""Characters of a piece of text; a mark (see `slots`) is a piece by itself."""
_LAST_MARK = "\x1f"
_FEW = 6
"""Characters of a class that are looked at one by one."""
_MARKED = 0.25
"""Share of texts that are taken to hold a mark: a slot is a long list of words."""

Needs = tuple[tuple[str, ...], ...]
"""Sets of pieces: a text that the pattern matches contains one of each."""


class PatternIndex:
    """The needs of all patterns of a rule set. Safe to use from several threads at once."""

    def __init__(self, needs: Sequence[Needs]) -> None:
        self._always = [number for number, sets in enumerate(needs) if not sets]
        self._all_met = [(1 << len(sets)) - 1 for sets in needs]
        self._wanted_by: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, sets in enumerate(needs):
            for bit, wanted in enumerate(sets):
                for piece in wanted:
                    self._wanted_by[piece].append((number, 1 << bit))
        self._wanted = frozenset(self._wanted_by)

    def candidates(self, held: Set[str], marked: str) -> list[int]:
        """Numbers of the patterns, rising, that need nothing which is not among the pieces of a text or its marks."""
        met: dict[int, int] = defaultdict(int)
        for wanted in (self._wanted & held, self._wanted.intersection(marked)):
            for piece in wanted:
                for number, bit in self._wanted_by[piece]:
                    met[number] |= bit
        all_met = self._all_met
        return sorted([*self._always, *(number for number, bits in met.items() if bits == all_met[number])])


def pieces(text: str) -> frozenset[str]:
    """Every piece of a text that is not marked."""
    sizes = range(SHORTEST, LONGEST + 1)
    return frozenset({text[at : at + size] for size in sizes for at in range(len(text) - size + 1)})


@dataclass(frozen=True, slots=True)
class _Texts:
    """How many texts there are, and how many hold each piece."""

    count: int
    holding: Counter[str]

    def meeting(self, needed: frozenset[str]) -> float:
        """About how many texts hold one of the pieces; a piece that none holds counts a little all the same."""
        return sum(_MARKED * self.count if each <= _LAST_MARK else self.holding[each] + 0.5 for each in needed)


def of_patterns(patterns: Iterable[str], texts: Sequence[str]) -> list[Needs]:
    """What each RE2 pattern needs; of its needs those that the fewest of `texts` meet. No needs: it is always tried."""
    known = _Texts(len(texts), Counter(piece for text in texts for piece in pieces(text)))
    return [_of(pattern, known) for pattern in patterns]


def _of(pattern: str, texts: _Texts) -> Needs:
    from re import _parser  # type: ignore[attr-defined]  # what `re` itself reads patterns with; never while serving

    try:
        parsed = _parser.parse(pattern.replace(r"\z", r"\Z"))
    except re.error:
        return ()  # RE2 reads more than `re` does: such a pattern is always tried.
    rarest = sorted(_sets(parsed, texts), key=lambda each: (texts.meeting(each), sorted(each)))
    return tuple(tuple(sorted(each)) for each in list(dict.fromkeys(rarest))[:SETS])


def _sets(parsed: Any, texts: _Texts, before: str = "", after: str = "") -> Iterator[frozenset[str]]:
    """Sets of pieces of which a text that matches contains one each, from what `re` made of a pattern.

    `before` and `after` are the characters that stand beside what was parsed wherever it matches: " a " says more than
    "a".
    """
    items, run = list(parsed), before
    for number, (operation, argument) in enumerate(items):
        name = str(operation)
        character = chr(argument) if name == "LITERAL" else ""
        if character > _LAST_MARK or _is_nothing(name, argument):
            run += character
            continue
        yield from _of_run(run, texts)
        if character:
            yield frozenset([character])
        elif name == "MAX_REPEAT" and argument[0] > 0:
            yield from _sets(argument[-1], texts)
        elif alternatives := _alternatives(name, argument):
            yield from _of_alternatives(alternatives, texts, run, _following(items[number + 1 :], after))
        run = ""
    yield from _of_run(run + after, texts)


def _is_nothing(name: str, argument: Any) -> bool:
    """Whether this matches nothing, or the marks between a word and the next: pieces are those of a text without."""
    if name != "MAX_REPEAT" or argument[0] > 0:
        return name == "AT"
    ((inner, held), *others) = argument[-1]
    return not others and str(inner) == "IN" and all(_is_marks(str(kind), bounds) for kind, bounds in held)


def _is_marks(kind: str, bounds: Any) -> bool:
    return kind == "RANGE" and bool(bounds[1] <= ord(_LAST_MARK))


def _following(items: Sequence[Any], after: str) -> str:
    """The characters that stand first in what follows."""
    run = ""
    for operation, argument in items:
        name = str(operation)
        character = chr(argument) if name == "LITERAL" else ""
        if character <= _LAST_MARK and not _is_nothing(name, argument):
            return run
        run += character
    return run + after


def _alternatives(name: str, argument: Any) -> Sequence[Any]:
    """What a group, a choice or a class of characters may be; none of a class of more than a few, which says nothing
    but parts what stands before it from what follows."""
    if name == "IN":
        few = len(argument) <= _FEW and all(str(kind) == "LITERAL" and at > ord(_LAST_MARK) for kind, at in argument)
        return [[one] for one in argument] if few else []
    if name == "SUBPATTERN":
        return [argument[-1]]
    return list(argument[-1]) if name == "BRANCH" else []


def _of_run(run: str, texts: _Texts) -> Iterator[frozenset[str]]:
    if len(run) >= SHORTEST:
        parts = [run[at : at + LONGEST] for at in range(max(1, len(run) - LONGEST + 1))]
        yield frozenset([min(parts, key=lambda part: texts.holding[part])])


def _of_alternatives(alternatives: Sequence[Any], texts: _Texts, before: str, after: str) -> Iterator[frozenset[str]]:
    """One set for all of them, or all of the only one; none when one of the alternatives needs nothing."""
    if len(alternatives) == 1:
        yield from _sets(alternatives[0], texts, before, after)
        return
    needed = [
        min(_sets(each, texts, before, after), key=texts.meeting, default=frozenset[str]()) for each in alternatives
    ]
    if all(needed):
        yield frozenset[str]().union(*needed)
