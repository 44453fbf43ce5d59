"""A text as recognisers see it: folded to ASCII, with spoken numbers as digits, and a way back to its own offsets."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from careline.model import Span, SpanType
from careline.privacy.figures import replacements
from careline.privacy.vocabulary import NOTHING, either, fold, pattern, words

_NOTHING = ord(NOTHING)


@dataclass(frozen=True, slots=True)
class Group:
    """Digits without a gap, at `start` to `end` of the figures of a reading."""

    start: int
    end: int
    digits: str


@dataclass(frozen=True, slots=True)
class Run:
    """Groups of digits with nothing between them but spaces, punctuation and hesitations."""

    groups: tuple[Group, ...]

    def spellings(self, first: int, lengths: range) -> Iterator[tuple[int, str]]:
        """Numbers of some length that start at a group and end with one: the index of the last, and the digits."""
        digits = ""
        for last in range(first, len(self.groups)):
            digits += self.groups[last].digits
            if len(digits) >= lengths.stop:
                return
            if len(digits) in lengths:
                yield last, digits


class Reading:
    """One text, read once for all recognisers.

    They look in `figures`, ASCII bytes in lower case where a number said in words stands in digits; `span` brings an
    offset there back to the text.
    """

    def __init__(self, text: str, language: str | None = None, names: Sequence[int] = ()) -> None:
        self.text = text
        self.language = language
        self.names = names
        """Where in the text the names of people end."""
        plain = fold(text)
        self._kept: list[int] | None = None
        if _NOTHING in plain:
            self._kept = [index for index, byte in enumerate(plain) if byte != _NOTHING]
            plain = plain.replace(NOTHING.encode("ascii"), b"")
        self.figures = self._read(plain)

    def span(self, start: int, end: int, kind: SpanType, rule: str) -> Span:
        """The span of the text that `figures[start:end]` was read from."""
        first, last = self.origin(start, end)
        return Span(first, last, kind, rule)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Where in the text the figures from `start` to `end` were read from; `start` is less than `end`."""
        first, last = self._original(start)[0], self._original(end - 1)[1]
        return (first, last) if self._kept is None else (self._kept[first], self._kept[last - 1] + 1)

    @cached_property
    def has_small_letters(self) -> bool:
        """Whether a capital means something here."""
        return any(character.islower() for character in self.text)

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """Every run of digits, in order."""
        found = []
        for match in _run().finditer(self.figures):
            start = match.start()
            groups = (_group(each, start) for each in _digits().finditer(match.group()))
            found.append(Run(tuple(groups)))
        return tuple(found)

    @cached_property
    def run_at(self) -> Mapping[int, tuple[Run, int]]:
        """Where each group of digits starts → its run and its index there."""
        return {group.start: (run, index) for run in self.runs for index, group in enumerate(run.groups)}

    def _read(self, plain: bytes) -> bytes:
        pieces: list[bytes] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._sources: list[tuple[int, int]] = []
        length = done = 0
        for each in replacements(plain.decode("ascii"), self.language):
            pieces += [plain[done : each.start], each.digits.encode("ascii")]
            length += each.start - done
            self._starts.append(length)
            length += len(each.digits)
            self._ends.append(length)
            self._sources.append((each.start, each.end))
            done = each.end
        return b"".join([*pieces, plain[done:]])

    def _original(self, position: int) -> tuple[int, int]:
        """Start and end, in the plain text, of what the byte at a position was read from."""
        index = bisect_right(self._starts, position) - 1
        if index < 0:
            return position, position + 1
        if position < self._ends[index]:
            return self._sources[index]
        moved = self._sources[index][1] - self._ends[index]
        return position + moved, position + moved + 1


def _group(match: Any, offset: int) -> Group:
    return Group(offset + match.start(), offset + match.end(), match.group().decode("ascii"))


@cache
def _digits() -> Any:
    return pattern(r"\d+")


@cache
def _run() -> Any:
    fillers = either(words("numbers", "fillers"))
    gap = rf"(?:[ ./,()-]{{1,4}}|[ ,]{{1,2}}{fillers}[ ,]{{1,2}}(?:{fillers}[ ,]{{1,2}})?)"
    return pattern(rf"\b\d+\b(?:{gap}\d+\b)*")
