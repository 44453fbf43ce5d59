"""Says whether a new version is about something else than the version whose place it takes."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
    if _shared(earlier, chunks) >= _SHARED:
        return ()
    return (
        f"it shares almost nothing with version {head.live}, whose place it takes ({before.facts.title}); if both "
        f"hold, take that version in again with a doc_key of its own: its file is kept",
    )


def _shared(before: Sequence[Chunk], after: Sequence[Chunk]) -> float:
    """The share of runs of words that the shorter text has in common with the other; 1 where they are too short."""
    runs = [_runs(before), _runs(after)]
    if min(map(len, runs)) < _FEWEST - _RUN + 1:
        return 1.0
    return len(runs[0] & runs[1]) / min(map(len, runs))


def _runs(chunks: Sequence[Chunk]) -> set[tuple[str, ...]]:
    words = [word for chunk in chunks for word in _WORD.findall(chunk.text.casefold())]
    return {tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)}
