"""Lets the screens see what a text means beside its words, as long as that takes no time that a caller would notice."""

from __future__ import annotations

import asyncio

import numpy as np

from careline.errors import EmbedderUnavailable
from careline.ports import Vector
from careline.turn.turn import Installation

PATIENCE = 0.1
"""Seconds after which a text is screened by its words alone."""


async def meaning_of(text: str, installation: Installation) -> Vector | None:
    """The text's vector; None where nothing makes any, or not in time: the words are screened in any case."""
    embedder = installation.engines.meaning
    if embedder is None:
        return None
    try:
        rows = await asyncio.wait_for(embedder.embed_queries([text]), PATIENCE)
    except (TimeoutError, EmbedderUnavailable):
        return None
    return np.asarray(rows[0], np.float32)
