"""Says whether a new version is about something else than the version whose place it takes."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Iterator, Sequence
from zlib import crc32

from careline.errors import NotFound
from careline.knowledge import catalogue
from careline.knowledge.ingestion import stage_files as artefacts
from careline.model import Chunk, Document
from careline.ports import Engines

_WORD = re.compile(r"\w+")
_RUN = 3
_FEWEST = 8
"""Words from which on two texts can be compared."""
_SHARED = 0.1
"""A new price or another layout leaves far more runs of three words as they were; two documents of one hospital that
have nothing to do with each other share less than a twentieth."""
_COMPARED = 200_000
"""Characters of the shorter text up to which every run is compared. Of more that much is, chosen by what a run says and
not by where it stands, so that both texts keep the same ones."""
Run = tuple[str, ...]


async def warning(document: Document, chunks: Sequence[Chunk], engines: Engines) -> tuple[str, ...]:
    """What is said of a version that shares almost nothing with the live one."""
    head = await catalogue.head(engines.table, document.tenant, document.doc_key)
    if head.live is None or head.live >= document.version:
        return ()
    before = (await catalogue.version(engines.table, document.tenant, document.doc_key, head.live)).document
    try:
        earlier = await artefacts.chunks(engines.files, before)
    except NotFound:
        return ()
    if await asyncio.to_thread(share_of_runs, earlier, chunks) >= _SHARED:
        return ()
    return (
        f"it shares almost nothing with version {head.live}, whose place it takes ({before.facts.title}); if both "
        f"hold, take that version in again with a doc_key of its own: its file is kept",
    )


def share_of_runs(before: Sequence[Chunk], after: Sequence[Chunk]) -> float:
    """The share of runs of words that the shorter text has in common with the other; 1 where they are too short."""
    shorter, longer = sorted((before, after), key=_length)
    every = 1 + _length(shorter) // _COMPARED
    few = set(_runs(shorter, every))
    shared: set[Run] = set()
    others: set[Run] = set()
    for run in _runs(longer, every):
        if run in few:
            shared.add(run)
        elif len(others) < len(few):
            others.add(run)
    # A long text that says little again and again has fewer runs than the short one.
    fewest = min(len(few), len(shared) + len(others))
    return 1.0 if fewest < _FEWEST - _RUN + 1 else len(shared) / fewest


def _length(chunks: Sequence[Chunk]) -> int:
    return sum(len(chunk.text) for chunk in chunks)


def _runs(chunks: Sequence[Chunk], every: int) -> Iterator[Run]:
    """The runs of a text; one of so many of them."""
    run: deque[str] = deque(maxlen=_RUN)
    for word in (found[0] for chunk in chunks for found in _WORD.finditer(chunk.text.casefold())):
        run.append(word)
        if len(run) == _RUN and crc32(" ".join(run).encode(errors="replace")) % every == 0:
            yield tuple(run)
