"""Finds what must not leave the house: personal data in the question and in the messages that a model would see.

When the detector fails, personal data is assumed to be there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from careline.model import Message, Span
from careline.privacy.redact import Vault
from careline.turn.turn import Installation, PersonalData, Turn


async def detect_phi(turn: Turn, installation: Installation) -> Turn:
    """The turn with its personal data found and replaced by typed tokens."""
    vault = Vault(installation.engines.key, turn.conversation.redaction)
    if installation.settings.phi_mode == "off":
        return replace(turn, phi=PersonalData("off", vault, turn.question, turn.conversation.messages))
    try:
        return replace(turn, phi=_detected(turn, vault, installation))
    except Exception:
        # Whatever fails here, the only safe reading is that there is personal data.
        assumed = turn.warn("PHI_ASSUMED", "Personal data could not be looked for; the question stays in the house.")
        return replace(assumed, phi=PersonalData("assumed", vault))


def _detected(turn: Turn, vault: Vault, installation: Installation) -> PersonalData:
    # Earlier messages first: a value keeps the number of the message that it came in with.
    history = tuple(_redacted(message, turn, vault, installation) for message in turn.conversation.messages)
    kept, spans = _parted(installation.engines.detector.find(turn.question, turn.language, turn.tenant.staff), turn)
    question = vault.redact(turn.question, spans)
    earlier = any(old.text != new.text for old, new in zip(turn.conversation.messages, history, strict=True))
    return PersonalData("found" if spans or earlier else "clear", vault, question, history, spans, kept)


def _redacted(message: Message, turn: Turn, vault: Vault, installation: Installation) -> Message:
    spans = message.personal
    if spans is None:
        spans = tuple(installation.engines.detector.find(message.text, turn.language, turn.tenant.staff))
    return replace(message, text=vault.redact(message.text, spans), personal=spans)


def _parted(found: Sequence[Span], turn: Turn) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Spans that the user marked as no personal data, and the others."""
    marked = {_folded(text) for text in turn.request.not_phi}
    kept = tuple(span for span in found if _folded(turn.question[span.start : span.end]) in marked)
    return kept, tuple(span for span in found if span not in kept)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
