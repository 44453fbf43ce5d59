"""Does what the first turn would otherwise wait for: loads models and lists and compiles patterns, a second's work."""

from __future__ import annotations

from contextlib import suppress

from careline.errors import EmbedderUnavailable
from careline.fault_injection import InjectedFault
from careline.installation import Installation
from careline.model import LANGUAGES
from careline.packs.packs import Pack
from careline.safety.in_context import InContext
from careline.safety.injection.document_screen import read_document_screen
from careline.turn.meaning import sentence_embedding_of

_ANYTHING = "this text makes the screens warm, and this is its second clause"
"""Long enough to be asked about, and of two clauses, so that every model is."""


async def warm(installation: Installation) -> None:
    """Make a process ready for its first caller. Nothing leaves the trust boundary for it.

    What fails here is left for the turn to meet, which knows what to do about it: a part made to fail, a slow model.
    """
    engines = installation.engines
    if not engines.embedder.is_external:
        with suppress(EmbedderUnavailable):
            await engines.embedder.embed_query(_ANYTHING)
    await sentence_embedding_of(_ANYTHING, installation)
    with suppress(InjectedFault):
        engines.detector.find(_ANYTHING, None)
    for pack in installation.packs.values():
        _screens(pack)
    for rule_set in read_document_screen().rule_sets.values():
        rule_set.compile()


def _screens(pack: Pack) -> None:
    for rule_set in pack.rule_sets:
        rule_set.compile()
    for language in LANGUAGES:
        with suppress(InjectedFault):
            pack.harm.judge(InContext(_ANYTHING), language)
    advice = pack.advice.learned if pack.advice is not None else None
    for models in (pack.terminal.learned, pack.injection.learned, advice):
        if models is not None:
            models.load()
    with suppress(InjectedFault):
        pack.terminal.classify(_ANYTHING, None)
    pack.injection.judge(_ANYTHING, None)
    if pack.advice is not None:
        for language in LANGUAGES:
            pack.advice.judge(InContext(_ANYTHING), language)
