"""Lets the screens see what a text means beside its words, as long as that takes no time that a caller would notice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

import numpy as np

from careline.errors import EmbedderUnavailable
from careline.installation import Installation
from careline.ports import Vector

TIMEOUT = 0.1
"""Seconds after which a text is screened by its words alone."""
Read = TypeVar("Read")


async def sentence_embedding_of(text: str, installation: Installation) -> Vector | None:
    """What the screens see of a text beside its words.

    None where nothing makes any, or not in time: the words are screened in any case.
    """
    embedder = installation.engines.meaning
    rows = None if embedder is None else await _in_time(embedder.sentence_embeddings([text]))
    return None if rows is None else np.asarray(rows[0], np.float32)


async def reading_of(question: str, installation: Installation) -> tuple[Vector | None, Vector | None]:
    """The sentence embedding of a question and, where the same model searches, the vector for that, which the same look
    at it gives.

    Neither where nothing makes any, or not in time.
    """
    embedder = installation.engines.meaning
    if embedder is None or installation.engines.embedder.is_external:
        return await sentence_embedding_of(question, installation), None
    return await _in_time(embedder.read(question)) or (None, None)


async def _in_time(work: Awaitable[Read]) -> Read | None:
    try:
        return await asyncio.wait_for(work, TIMEOUT)
    except (TimeoutError, EmbedderUnavailable):
        return None
