"""Reads what is about to be said for what a poisoned page would have the assistant say, whoever wrote the sentence.

Passages are screened when they are taken in; this stands behind that for pages that slipped through, for models that
make something of their own, and for passages that were released by mistake.
"""

from __future__ import annotations

from careline.installation import Installation
from careline.knowledge.quarantine import held_passages
from careline.model import Passage
from careline.safety.injection.document_screen import read_document_screen
from careline.safety.injection.document_signals import Reader
from careline.text.sentences import split
from careline.turn.turn import Turn

_REASON = "document/"


async def poison(
    sentence: str, so_far: str, turn: Turn, installation: Installation, reader: Reader | None = None
) -> tuple[str, ...]:
    """Why a sentence may not be said after `so_far`, which was; empty when it may.

    A sentence that a source holds literally is read as it stands there: "ask for your PIN" may be told of fraudsters.
    A person's release, of a passage or of its parts, holds for everything but what keeps callers from calling for help.
    `reader` is that of the turn, which has read the sentences before. Raises: TableUnavailable.
    """
    reader = read_document_screen().reader() if reader is None else reader
    kinds = _kinds(sentence, so_far, turn.language, reader)
    if not kinds:
        return ()
    for source in turn.sources:
        passage = source.hit.passage
        if sentence.strip() and _plain(sentence) in _plain(passage.chunk.text):
            kinds &= await _standing(passage, source.language, turn, installation, reader)
    return tuple(f"{_REASON}{kind}" for kind in sorted(kinds))


def _kinds(sentence: str, so_far: str, language: str, reader: Reader) -> set[str]:
    alone = _told(sentence, language, reader)
    before = split(so_far, language)[-1:]
    if not before:
        return alone
    together = _told(f"{before[0]}\n{sentence}", language, reader)
    return alone | (together - _told(before[0], language, reader) if together else together)


def _told(text: str, language: str, reader: Reader) -> set[str]:
    return {each.reason for each in read_document_screen().judge(text, language, reader=reader)}


async def _standing(
    passage: Passage, language: str, turn: Turn, installation: Installation, reader: Reader
) -> set[str]:
    """What stays of it where the sentence stands in its passage, which was read among the other pages when taken in."""
    screen, chunk = read_document_screen(), passage.chunk
    found = screen.judge(chunk.text, language, headings=chunk.heading_path, reader=reader)
    kinds = {each.reason for each in found} - screen.kinds.settled_by_another_page
    if kinds and await held_passages.is_released(installation.engines.table, turn.tenant.tenant_id, passage):
        kinds &= screen.kinds.never_said
    return kinds


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
