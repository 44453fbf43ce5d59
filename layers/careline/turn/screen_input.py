"""Ends the turn where no search and no model may: emergencies, requests for medical advice, a wish for a person,
and words that need no answer from the documents."""

from __future__ import annotations

from careline.model import Disposition
from careline.safety.terminal import Terminal
from careline.turn.turn import Installation, Turn

ANSWERS: dict[Terminal, tuple[Disposition, str]] = {
    Terminal.EMERGENCY: (Disposition.ESCALATED, "emergency"),
    Terminal.SAFETY_REFUSAL: (Disposition.REFUSED, "safety_refusal"),
    Terminal.HANDOFF_REQUEST: (Disposition.ESCALATED, "handoff"),
    Terminal.REPEAT_REQUEST: (Disposition.ANSWERED, "repeat"),
    Terminal.OFF_TOPIC_PERSONAL: (Disposition.REFUSED, "off_topic"),
    Terminal.FAREWELL: (Disposition.FAREWELLED, "farewell"),
    Terminal.GREETING: (Disposition.ANSWERED, "greeting"),
}


async def screen_input(turn: Turn, installation: Installation) -> Turn:
    """The turn, finished when its utterance is of a terminal class."""
    verdict = turn.pack.terminal.classify(turn.question, turn.language)
    if verdict.terminal is Terminal.FALLTHROUGH:
        return turn
    disposition, reply = ANSWERS[verdict.terminal]
    language = verdict.language if verdict.terminal is Terminal.EMERGENCY and not turn.request.language else None
    said = _said_before(turn) if verdict.terminal is Terminal.REPEAT_REQUEST else ""
    if verdict.terminal is Terminal.REPEAT_REQUEST and not said:
        disposition, reply = Disposition.CLARIFIED, "vague"
    return turn.finish(
        disposition, verdict.terminal.value, reply, rules=verdict.reasons, language=language, said_before=said
    )


def _said_before(turn: Turn) -> str:
    answers = [message.text for message in turn.conversation.messages if message.role == "assistant"]
    return answers[-1] if answers else ""
