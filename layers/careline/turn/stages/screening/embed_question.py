"""Makes the sentence embedding that the screens see beside words, as long as a caller would not notice the time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from careline.errors import EmbedderUnavailable
from careline.installation import Installation
from careline.ports import Vector
from careline.safety.utterance import Utterance
from careline.turn.endings.fails_closed import fails_closed
from careline.turn.turn import EmbeddedText, Turn

TIMEOUT = 0.1
"""Seconds after which a text is screened by its words alone."""
IN_DOUBT = 2.0
"""The same of one whose words leave open that it is an emergency: a caller would rather wait than be misunderstood."""
Read = TypeVar("Read")


@fails_closed
async def embed_question(turn: Turn, installation: Installation) -> Turn:
    """The turn with the embedding of its question where words left a doubt, and what that gave for the search."""
    looks = turn.first_looks
    if looks is None:
        return turn
    terminal = turn.pack.terminal
    waits = looks.terminal.in_doubt and terminal.may_be_emergency(Utterance(turn.question), turn.language)
    patience = max(TIMEOUT, IN_DOUBT) if waits else TIMEOUT
    read = await _read_in_time(turn.question, installation, patience)
    sentence_embedding, vector = read or (None, None)
    embedded = None if vector is None else EmbeddedText(turn.question, vector)
    missed = is_missed(sentence_embedding, installation)
    return replace(turn, sentence_embedding=sentence_embedding, embedding_missed=missed, embedded=embedded)


async def sentence_embedding_of(text: str, installation: Installation, patience: float | None = None) -> Vector | None:
    """What the screens see of a text beside its words.

    None where nothing makes any, or not in time: the words are screened in any case.
    """
    embedder = installation.engines.sentence_embedder
    rows = None if embedder is None else await _in_time(embedder.sentence_embeddings([text]), patience)
    return None if rows is None else np.asarray(rows[0], np.float32)


def is_missed(sentence_embedding: Vector | None, installation: Installation) -> bool:
    """Whether something makes sentence embeddings and this one was not there in time."""
    return sentence_embedding is None and installation.engines.sentence_embedder is not None


async def _read_in_time(
    question: str, installation: Installation, patience: float
) -> tuple[Vector, Vector] | None:
    """The sentence embedding of a question and its vector, from one look at it; None where nothing makes any, or not
    in time."""
    embedder = installation.engines.sentence_embedder
    return None if embedder is None else await _in_time(embedder.read(question), patience)


async def _in_time(work: Awaitable[Read], patience: float | None) -> Read | None:
    try:
        return await asyncio.wait_for(work, TIMEOUT if patience is None else patience)
    except (TimeoutError, EmbedderUnavailable):
        return None
