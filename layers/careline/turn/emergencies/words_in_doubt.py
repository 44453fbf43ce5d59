"""What an utterance is where its turn cannot go the usual way, and its words leave open whether it is an emergency."""

from __future__ import annotations

import asyncio

import numpy as np

from careline.errors import kind_and_place
from careline.log.event_log import EventLog
from careline.ports import SentenceEmbedder
from careline.safety.terminal import Terminal, TerminalScreen, TerminalVerdict
from careline.safety.utterance import Utterance
from careline.turn.endings.words_alone import first_look_alone

log = EventLog(__name__)


async def words_in_doubt(
    text: str, language: str | None, screen: TerminalScreen, embedder: SentenceEmbedder | None, patience: float
) -> TerminalVerdict | None:
    """What the utterance is, by its sentence embedding where words leave open that it is an emergency.

    None where the embedding is not there in `patience` seconds or cannot be had. Where nothing makes any, and where it
    would not make them an emergency, words decide. It raises nothing.
    """
    look = first_look_alone(text, language, screen)
    verdict = look.verdict()
    if verdict.terminal is Terminal.EMERGENCY or embedder is None or not look.in_doubt:
        return verdict
    if not _may_be_emergency(text, language, screen):
        return verdict
    try:
        async with asyncio.timeout(patience):
            rows = await embedder.sentence_embeddings([text])
        return look.verdict(np.asarray(rows[0], np.float32))
    except Exception as error:
        log.write("utterance_not_screened", **kind_and_place(error))
    return None


def _may_be_emergency(text: str, language: str | None, screen: TerminalScreen) -> bool:
    """Whether words leave open that it is one; so too where they cannot be read again."""
    try:
        return screen.may_be_emergency(Utterance(text), language)
    except Exception as error:
        log.write("utterance_not_screened", **kind_and_place(error))
    return True
