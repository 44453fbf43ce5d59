"""Characters as they are dictated: groups with pauses, separators and slips of the tongue between them.

A caller says "oh one six one sorry oh one six one four nine six": what was begun twice is read once, and a value still
covers all that was said of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from careline.privacy.dictation.hesitations import begins, past

_SAID_TOO_EARLY = 3
"""Characters that are enough to see that a part was said before its turn ("555 hang on area code 412 555")."""

_LOOKED_BACK = 12
"""Groups before a slip that may be said again after it."""
_TOKEN = re.compile(r"[a-z0-9~]+")
_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\d+")
_CHARACTERS = re.compile(r"[a-z]{0,4}\d[a-z0-9]*|[a-z]")
_MARKS = re.compile(r"[ ./,()-]{1,4}")
_PAUSE = re.compile(r"[ ,.'/-]{1,3}")


@dataclass(frozen=True, slots=True)
class Group:
    """Characters without a gap, at `start` to `end` of the figures of a reading."""

    start: int
    end: int
    digits: str


@dataclass(frozen=True, slots=True)
class Run:
    """Groups with nothing between them but spaces, punctuation, words for it, hesitations and slips."""

    groups: tuple[Group, ...]

    def spellings(self, first: int, lengths: range) -> Iterator[tuple[int, str]]:
        """Values of some length that start at a group and end with one: the index of the last, and the characters."""
        said = ""
        for last in range(first, len(self.groups)):
            said += self.groups[last].digits
            if len(said) >= lengths.stop:
                return
            if len(said) in lengths:
                yield last, said

    def written(self) -> tuple[str, dict[int, int], dict[int, int]]:
        """All characters, and where among them groups start and end → the offsets in the figures."""
        said, starts, ends = "", {}, {}
        for group in self.groups:
            starts[len(said)] = group.start
            said += group.digits
            ends[len(said)] = group.end
        return said, starts, ends


def runs(figures: bytes) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """Every run of digits, and every run of digits and single letters with a digit in it, in order."""
    written = figures.decode("ascii")
    if not _DIGIT.search(written):
        return (), ()
    tokens = [match.span() for match in _TOKEN.finditer(written)]
    reader = _Reader(written, tokens)
    dictated = (run for run in reader.runs(_CHARACTERS) if any(_DIGIT.search(each.digits) for each in run.groups))
    return tuple(reader.runs(_DIGITS)), tuple(dictated)


class _Reader:
    """Walks over the words of one text."""

    def __init__(self, written: str, tokens: Sequence[tuple[int, int]]) -> None:
        self._written = written
        self._tokens = tokens
        self._words = [written[start:end] for start, end in tokens]

    def runs(self, part: re.Pattern[str]) -> Iterator[Run]:
        """Groups that look like `part` with nothing but pauses between them."""
        groups: list[Group] = []
        slips: list[int] = []
        at = 0
        while at < len(self._tokens):
            if not self._is_part(at, part):
                at += 1
                continue
            if groups:
                yield Run(_mended(groups, slips) if slips else tuple(groups))
            groups, slips = [self._group(at)], []
            at += 1
            while (found := self._next(at, part)) is not None:
                at, slipped = found
                if slipped:
                    slips.append(len(groups))
                groups.append(self._group(at))
                at += 1
        if groups:
            yield Run(_mended(groups, slips) if slips else tuple(groups))

    def _next(self, at: int, part: re.Pattern[str]) -> tuple[int, bool] | None:
        """The next group of the run that ends before a word, and whether a slip stands before it."""
        if at >= len(self._tokens):
            return None
        between = self._between(at)
        if self._is_part(at, part):
            return (at, False) if _MARKS.fullmatch(between) else None
        end, slipped = past(self._words, at)
        if end == at or end >= len(self._tokens) or not self._is_part(end, part):
            return None
        return (end, slipped) if all(_PAUSE.fullmatch(self._between(each)) for each in range(at, end + 1)) else None

    def _between(self, at: int) -> str:
        return self._written[self._tokens[at - 1][1] : self._tokens[at][0]]

    def _is_part(self, at: int, part: re.Pattern[str]) -> bool:
        # "c'est" and "there's" have a letter beside the apostrophe.
        word, (start, end) = self._words[at], self._tokens[at]
        if not part.fullmatch(word):
            return False
        joined = self._written.startswith("'", end) or (start > 0 and self._written[start - 1] == "'")
        return not word.isalpha() or not (joined or begins(self._words, at))

    def _group(self, at: int) -> Group:
        return Group(*self._tokens[at], self._words[at])


def _mended(groups: Sequence[Group], slips: Sequence[int]) -> tuple[Group, ...]:
    """The groups without those that a slip took back; what comes instead of them starts where they did."""
    kept = list(groups[: slips[0]])
    for slip, end in zip(slips, [*slips[1:], len(groups)], strict=True):
        again = groups[slip:end]
        back = _taken_back(kept, again)
        if back < len(kept):
            again = [Group(kept[back].start, again[0].end, again[0].digits), *again[1:]]
        kept[back:] = again
    return tuple(kept)


def _taken_back(before: Sequence[Group], again: Sequence[Group]) -> int:
    """The first group that is said again after a slip; the number of groups when none is."""
    said, more = ("".join(group.digits for group in each) for each in (before, again))
    if said[:2] == more[:2] or (len(said) >= _SAID_TOO_EARLY and said in more):
        return 0
    for at in range(max(0, len(before) - _LOOKED_BACK), len(before) - 1):
        if more.startswith("".join(group.digits for group in before[at:])):
            return at
    for at in range(len(before) - 1, max(-1, len(before) - _SAID_TOO_EARLY - 1), -1):
        if before[at].digits == again[0].digits:
            return at
    last = before[-1].digits
    if len(last) == len(again[0].digits) > 1 and 1 in (len(before), len(again)):
        return len(before) - 1
    return len(before)
