"""Cuts an answer into sentences while it comes, and tells of each which sources it was taken from."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import takewhile

from careline.quoting.writer import Quotation
from careline.text.sentences import SentenceStream

_COVERED = {ord(stop): 0xF0000 + number for number, stop in enumerate(".!?…؟۔。！？\n\r")}
"""A character of private use for each that may end a sentence."""
_CLOSED = re.compile(r"(?:[.!?…][\"”»)*_]*[ \t]?\[[\d, ]{1,40}\]|\[[\d, ]{1,40}\][*_]*[.!?…])[\"”»)*_]*$")
_UNCOVERED = {cover: stop for stop, cover in _COVERED.items()}


def is_closed(sentence: str) -> bool:
    """Whether the last sentence of a text that broke off is whole: its full stop and its marker are both there. "It
    costs € 9." may have been about to go on, and so may "5 mg."."""
    return _CLOSED.search(sentence.rstrip()) is not None


class SentenceCutter:
    """Cuts pieces of an answer into sentences. A notice is one, or part of one, whatever full stops it has inside."""

    def __init__(self, language: str, is_notice: Callable[[str], bool], is_endless: Callable[[str], bool]) -> None:
        self.stream = SentenceStream(language)
        self._is_notice, self._is_endless = is_notice, is_endless

    def of(self, quotation: Quotation) -> list[str]:
        """The sentences that have ended with a quotation. A row of a table is one, with what introduces it, whatever
        full stops its cells hold: it is checked as a whole against the table. What introduces a list is read as any
        text."""
        if not quotation.is_cells:
            is_notice = self._is_notice(quotation.text)
            return self._read(self.stream.push(_covered(quotation.text) if is_notice else quotation.text))
        lines = quotation.text.splitlines(keepends=True)
        said = [n for n, line in enumerate(lines) if line.strip()]
        first = said[min(1, len(said) - 1)] if said else 0
        ended = self._read([*self.stream.push("".join(lines[:first])), *self.stream.flush()])
        rows = lines[first:]
        if rows and ended and ended[-1].rstrip()[-1:] in {":", ""}:
            rows[0] = ended.pop() + rows[0]
        return [*ended, *rows]

    def pushed(self, piece: str | Quotation, origins: Origins) -> list[str]:
        """The sentences that have ended with a piece. One that is too long is none, nor is anything behind it."""
        if isinstance(piece, str):
            origins.push(len(piece))
            ended = self.stream.push(piece)
            if self._is_endless(self.stream.unfinished):
                # Behind a whole sentence it may be white space that does not end.
                ended += filter(is_closed, self.rest())
            return list(takewhile(lambda sentence: not self._is_endless(sentence.strip()), ended))
        origins.push(len(piece.text), piece.sources)
        return self.of(piece)

    def rest(self) -> list[str]:
        """What is left at the end."""
        return self._read(self.stream.flush())

    def _read(self, sentences: list[str]) -> list[str]:
        return [sentence.translate(_UNCOVERED) for sentence in sentences]


def _covered(notice: str) -> str:
    """A notice of the same length in which no sentence ends but at its end: a title may hold a full stop."""
    start, end = len(notice) - len(notice.lstrip()), len(notice.rstrip()) - 1
    return f"{notice[:start]}{notice[start:end].translate(_COVERED)}{notice[end:]}"


@dataclass(slots=True)
class Origins:
    """Which sources each stretch of an answer was taken from; sentences come later than the pieces that hold them."""

    pieces: list[tuple[int, int, tuple[int, ...]]] = field(default_factory=list)
    pushed: int = 0
    taken: int = 0

    def push(self, characters: int, sources: tuple[int, ...] = ()) -> None:
        """Note the next stretch, and the sources that it was taken from."""
        self.pieces.append((self.pushed, self.pushed + characters, sources))
        self.pushed += characters

    def of_next(self, sentence: str) -> tuple[int, ...]:
        """The sources of the sentence that follows those asked about before; white space at its end is nobody's."""
        start, end = self.taken, self.taken + len(sentence.rstrip())
        self.taken += len(sentence)
        held = (sources for begin, until, sources in self.pieces if begin < end and start < until)
        return tuple(dict.fromkeys(number for sources in held for number in sources))
