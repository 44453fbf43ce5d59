"""The windows of the sources that were read, each with what the reader made of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from careline.model import ReadWindow
from careline.passages.windows import PassageWindow
from careline.ports import Source
from careline.search.select_windows import cut


@dataclass(frozen=True, slots=True)
class WindowRead:
    """A window with what the reader made of it."""

    source: Source
    window: PassageWindow
    read: ReadWindow

    @property
    def document(self) -> str:
        """The document it stands in."""
        return self.source.hit.passage.document_id


def windows_read(sources: Sequence[Source]) -> Iterator[WindowRead]:
    """Every window of the sources that was read."""
    for source in sources:
        windows = cut(source.hit.passage.chunk, source.hit.passage.facts.language)
        for read in source.read:
            if read.number < len(windows):
                yield WindowRead(source, windows[read.number], read)
