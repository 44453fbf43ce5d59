"""A text as recognisers see it: folded to ASCII, with spoken numbers as digits, and a way back to its own offsets."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property

from careline.model import Span, SpanType
from careline.privacy.dictation.runs import Run, runs
from careline.privacy.dictation.spoken_letters import with_letters
from careline.privacy.dictation.spoken_numbers import replacements
from careline.privacy.vocabulary import NOTHING, fold

_NOTHING = ord(NOTHING)


class NormalisedText:
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
        """The span of the text that `figures[start:end]` was read from, with what was begun and taken back before."""
        begun = bisect_right(self._mended, (start, end)) - 1
        if begun >= 0 and self._mended[begun][0] < start < self._mended[begun][1]:
            start = self._mended[begun][0]
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
    def _all_runs(self) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
        return runs(self.figures)

    @property
    def runs(self) -> tuple[Run, ...]:
        """Every run of digits, in order."""
        return self._all_runs[0]

    @property
    def dictated(self) -> tuple[Run, ...]:
        """Every run of digits and single letters, in order."""
        return self._all_runs[1]

    @cached_property
    def _mended(self) -> tuple[tuple[int, int], ...]:
        """Where groups are that were said again after a slip, from the first time on."""
        groups = (group for run in self.dictated for group in run.groups)
        return tuple((each.start, each.end) for each in groups if each.end - each.start > len(each.digits))

    @cached_property
    def run_at(self) -> Mapping[int, tuple[Run, int]]:
        """Where each group of digits starts → its run and its index there."""
        return {group.start: (run, index) for run in self.runs for index, group in enumerate(run.groups)}

    def dictated_around(self, position: int) -> tuple[Run, int] | None:
        """The run of digits and letters in which something stands, and the index of the group there or behind it."""
        index = bisect_right(self.dictated, position, key=lambda run: run.groups[0].start) - 1
        if index < 0:
            return None
        run = self.dictated[index]
        at = bisect_right(run.groups, position, key=lambda group: group.end)
        return (run, at) if at < len(run.groups) else None

    def _read(self, plain: bytes) -> bytes:
        pieces: list[bytes] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._sources: list[tuple[int, int]] = []
        self._letters: list[tuple[int, int]] = []
        length = done = 0
        written = plain.decode("ascii")
        for each in with_letters(written, tuple(replacements(written, self.language)), self.language):
            pieces += [plain[done : each.start], each.digits.encode("ascii")]
            length += each.start - done
            self._starts.append(length)
            length += len(each.digits)
            self._ends.append(length)
            self._sources.append((each.start, each.end))
            done = each.end
            if each.digits[:1].isalpha():
                self._letters.append((each.start, each.end))
        return b"".join([*pieces, plain[done:]])

    def is_spelled(self, start: int, end: int) -> bool:
        """Whether all words of the text from `start` to `end` were said for letters ("kilo lima")."""
        if self._kept is not None or not self._letters:
            return False
        index = bisect_right(self._letters, (start, len(self.text))) - 1
        while index >= 0 and index < len(self._letters) and self._letters[index][0] <= start < self._letters[index][1]:
            start = self._letters[index][1] + 1
            index += 1
        return start > end

    def _original(self, position: int) -> tuple[int, int]:
        """Start and end, in the plain text, of what the byte at a position was read from."""
        index = bisect_right(self._starts, position) - 1
        if index < 0:
            return position, position + 1
        if position < self._ends[index]:
            return self._sources[index]
        moved = self._sources[index][1] - self._ends[index]
        return position + moved, position + moved + 1
