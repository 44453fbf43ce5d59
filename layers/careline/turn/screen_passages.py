"""Reads what is about to be said for what a poisoned page would have the assistant say, whoever wrote the sentence.

Passages are screened when they are taken in; this stands behind that for pages that slipped through, for models that
make something of their own, and for passages that were released by mistake.
"""

from __future__ import annotations

from careline.installation import Installation
from careline.model import Chunk
from careline.safety.injection.document_findings import NEVER_SAID, SETTLED_BY_OTHERS
from careline.safety.injection.document_screen import read_document_screen
from careline.sentences import split
from careline.tenants import held_passages
from careline.turn.turn import Turn

_REASON = "document/"


async def poison(sentence: str, so_far: str, turn: Turn, installation: Installation) -> tuple[str, ...]:
    """Why a sentence may not be said after `so_far`, which was; empty when it may.

    A sentence that a source holds literally is read as it stands there: "ask for your PIN" may be told of fraudsters.
    A person's release holds for everything but what keeps callers from calling for help. Raises: TableUnavailable.
    """
    kinds = _kinds(sentence, so_far, turn.language)
    if not kinds:
        return ()
    for source in turn.sources:
        chunk = source.hit.passage.chunk
        if sentence.strip() and _plain(sentence) in _plain(chunk.text):
            kinds &= await _standing(chunk, source.language, turn, installation)
    return tuple(f"{_REASON}{kind}" for kind in sorted(kinds))


def _kinds(sentence: str, so_far: str, language: str) -> set[str]:
    screen = read_document_screen()
    alone = {each.reason for each in screen.judge(sentence, language)}
    before = split(so_far, language)[-1:]
    if not before:
        return alone
    together = {each.reason for each in screen.judge(f"{before[0]}\n{sentence}", language)}
    return alone | (together - {each.reason for each in screen.judge(before[0], language)})


async def _standing(chunk: Chunk, language: str, turn: Turn, installation: Installation) -> set[str]:
    """What stays of it where the sentence stands in its passage, which was read among the other pages when taken in."""
    found = read_document_screen().judge(chunk.text, language, headings=chunk.heading_path)
    kinds = {each.reason for each in found} - SETTLED_BY_OTHERS
    name = held_passages.passage_id(chunk)
    if kinds and await held_passages.is_released(installation.engines.table, turn.tenant.tenant_id, name):
        kinds &= NEVER_SAID
    return kinds


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
