"""Finds what must not leave the trust boundary: personal data in the question and in the messages that a model would
see.

When the detector fails, personal data is assumed to be there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from careline.errors import kind_and_place
from careline.installation import Installation
from careline.log.event_log import EventLog
from careline.model import Message, Span
from careline.privacy.redaction.redact import Vault
from careline.schemas import wire
from careline.turn.turn import PersonalData, Turn

log = EventLog(__name__)
LOOKED_AT = frozenset({"clear", "found"})
"""States of a turn in which somebody looked for personal data."""


async def detect_phi(turn: Turn, installation: Installation) -> Turn:
    """The turn with its personal data found and replaced by typed tokens."""
    vault = Vault(installation.engines.key, turn.conversation.redaction)
    if installation.settings.privacy.phi_mode == "off":
        return replace(turn, phi=PersonalData("off", vault, turn.question, turn.conversation.messages, case=turn.case))
    try:
        return replace(turn, phi=_detected(turn, vault, installation))
    except Exception as error:
        # Whatever fails here, the only safe reading is that there is personal data.
        log.write("phi_not_detected", **kind_and_place(error))
        assumed = turn.warn("PHI_ASSUMED", "Personal data could not be looked for; the question stays in the house.")
        return replace(assumed, phi=PersonalData("assumed", vault))


def _detected(turn: Turn, vault: Vault, installation: Installation) -> PersonalData:
    messages = [_looked_through(message, turn, installation) for message in turn.conversation.messages]
    # The user's messages first: a value keeps the number of the message that it came in with.
    redacted = {at: vault.redact(one.text, one.personal or ()) for at, one in enumerate(messages) if one.role == "user"}
    kept, spans = _parted(_personal(turn.question, turn, installation), turn)
    question = vault.redact(turn.question, spans)
    answers = ((at, one) for at, one in enumerate(messages) if one.role != "user")
    redacted.update((at, vault.redact(one.text, _given(one, vault))) for at, one in answers)
    case = _redacted_case(turn, vault, installation)
    earlier = any(redacted[at] != one.text for at, one in enumerate(messages)) or case != turn.case
    history = tuple(replace(one, text=redacted[at]) for at, one in enumerate(messages))
    return PersonalData("found" if spans or earlier else "clear", vault, question, history, spans, kept, case)


def _redacted_case(turn: Turn, vault: Vault, installation: Installation) -> wire.ClinicalContext:
    """What is known of the patient with typed tokens in place of personal data."""

    def redacted(text: str) -> str:
        return vault.redact(text, _personal(text, turn, installation))

    case = turn.case
    told = {name: [redacted(each) for each in getattr(case, name)] for name in ("history", "medications", "allergies")}
    complaint = redacted(case.chief_complaint) if case.chief_complaint else None
    return case.model_copy(update={**told, "chief_complaint": complaint})


def _looked_through(message: Message, turn: Turn, installation: Installation) -> Message:
    if message.personal is not None:
        return message
    return replace(message, personal=_personal(message.text, turn, installation))


def _personal(text: str, turn: Turn, installation: Installation) -> tuple[Span, ...]:
    """The personal data in a text; what the hospital publishes of itself is none."""
    found = installation.engines.detector.find(text, turn.language, turn.tenant.staff)
    return turn.edition.directory.published.without(found, text)


def _given(answer: Message, vault: Vault) -> list[Span]:
    """What the user gave of what an answer holds: the hospital's own numbers and names stand in its documents."""
    found = answer.personal or ()
    return [span for span in found if vault.knows(span.type, answer.text[span.start : span.end])]


def found_in_answer(answer: str, turn: Turn, installation: Installation) -> tuple[Span, ...] | None:
    """The spans of an answer, for the turns after it; None where nobody may look, or looking fails and they must."""
    if turn.phi is None or turn.phi.state not in LOOKED_AT:
        return None
    try:
        return _personal(answer, turn, installation)
    except Exception as error:
        log.write("answer_phi_not_detected", **kind_and_place(error))
        return None


def _parted(found: Sequence[Span], turn: Turn) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Spans that the user marked as no personal data, and the others."""
    marked = {_folded(text) for text in turn.request.not_phi}
    kept = tuple(span for span in found if _folded(turn.question[span.start : span.end]) in marked)
    return kept, tuple(span for span in found if span not in kept)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
