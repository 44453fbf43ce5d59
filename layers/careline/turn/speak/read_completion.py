"""Reads a language model's answer out of what it writes: without its reasoning, its markers in one notation."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import aclosing

from careline.errors import ModelUnavailable
from careline.ports import Source
from careline.text.completion.markers import CompletionMarkers
from careline.text.completion.notation import CitableSources, folded
from careline.text.completion.reasoning import Reasoning, Restart


async def read_completion(
    texts: AsyncGenerator[str, None], sources: Sequence[Source]
) -> AsyncGenerator[str | Restart, None]:
    """The pieces of the answer, and where it begins anew. Raises what the model raises, after the last piece."""
    reading = _Reading(citable(sources))
    async with aclosing(texts):
        try:
            async for text in texts:
                for piece in reading.push(text):
                    yield piece
        except ModelUnavailable:
            for piece in reading.flush(is_whole=False):
                yield piece
            raise
    for piece in reading.flush():
        yield piece


def citable(sources: Sequence[Source]) -> CitableSources:
    """What an answer from these sources may cite."""
    titles: dict[str, tuple[int, ...]] = {}
    for source in sources:
        passage = source.hit.passage
        for title in {folded(one) for one in (source.title, passage.facts.title, passage.file_name)}:
            titles[title] = (*titles.get(title, ()), source.number)
    text = "\n".join(source.hit.passage.chunk.text for source in sources)
    return CitableSources(frozenset(source.number for source in sources), titles, text)


class _Reading:
    """Both readings of one completion, one behind the other."""

    def __init__(self, sources: CitableSources) -> None:
        self._sources = sources
        self._reasoning = Reasoning()
        self._markers = CompletionMarkers(sources)

    def push(self, text: str) -> Iterator[str | Restart]:
        return self._marked(self._reasoning.push(text))

    def flush(self, *, is_whole: bool = True) -> Iterator[str | Restart]:
        yield from self._marked(self._reasoning.flush(is_whole=is_whole))
        if rest := self._markers.flush():
            yield rest

    def _marked(self, pieces: Iterable[str | Restart]) -> Iterator[str | Restart]:
        for piece in pieces:
            if isinstance(piece, Restart):
                self._markers = CompletionMarkers(self._sources)
                yield piece
            elif text := self._markers.push(piece):
                yield text
