"""Says whether a new version is about something else than the version whose place it takes."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Sequence
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
"""Characters of which every run is compared. Of longer texts that much is, chosen by what a run says and not by where
it stands, so that both texts keep the same ones."""


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
    longest = max(sum(len(chunk.text) for chunk in chunks) for chunks in (before, after))
    every = 1 + longest // _COMPARED
    runs = [_runs(before, every), _runs(after, every)]
    if min(map(len, runs)) < _FEWEST - _RUN + 1:
        return 1.0
    return len(runs[0] & runs[1]) / min(map(len, runs))


def _runs(chunks: Sequence[Chunk], every: int) -> set[tuple[str, ...]]:
    """The runs of a text; one of so many of them."""
    found: set[tuple[str, ...]] = set()
    run: deque[str] = deque(maxlen=_RUN)
    for word in (word for chunk in chunks for word in _WORD.findall(chunk.text.casefold())):
        run.append(word)
        if len(run) == _RUN and crc32(" ".join(run).encode(errors="replace")) % every == 0:
            found.add(tuple(run))
    return found
