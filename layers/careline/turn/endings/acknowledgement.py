"""A caller's "ok" or "right" behind an answer asks for nothing and takes no leave: the turn asks what else there is."""

from __future__ import annotations

from collections.abc import Iterator

from careline.model import Disposition
from careline.safety.terminal import Terminal, TerminalVerdict
from careline.speech.backchannel import is_backchannel
from careline.turn.turn import Turn

ACKNOWLEDGED, ANYTHING_ELSE, REPEAT = "ACKNOWLEDGED", "anything_else", "repeat"
_STANDS = frozenset({Terminal.EMERGENCY, Terminal.SAFETY_REFUSAL, Terminal.HANDOFF_REQUEST})
"""What words may be besides: an acknowledgement is never made of these."""


def acknowledged(turn: Turn, verdict: TerminalVerdict) -> Turn | None:
    """The turn that asks whether there is anything else; None where the words say more than that they were heard, where
    nothing was said before, or where they answer a question: a person was offered, or it was asked what is meant."""
    before = _last_said(turn)
    is_asked = before.rstrip().endswith("?") and not _is_ours(before, turn)
    if not before or is_asked or turn.asked_back is not None or verdict.terminal in _STANDS:
        return None
    if not is_backchannel(turn.question, turn.language):
        return None
    return turn.finish(Disposition.ANSWERED, ACKNOWLEDGED, ANYTHING_ELSE)


def answer_to_repeat(turn: Turn) -> str:
    """The last answer that was told, without what a repetition of it began with; "" where nothing was said. What asked
    for more behind it is no answer."""
    for text in _said(turn):
        if not _is_ours(text, turn):
            return _without_openings(text, turn)
    return ""


def _last_said(turn: Turn) -> str:
    return next(_said(turn), "")


def _said(turn: Turn) -> Iterator[str]:
    """What the assistant said, the last first."""
    return (message.text for message in reversed(turn.conversation.messages) if message.role == "assistant")


def _is_ours(text: str, turn: Turn) -> bool:
    return text.strip() in {turn.pack.template(ANYTHING_ELSE, language) for language in turn.pack.languages}


def _without_openings(text: str, turn: Turn) -> str:
    openings = [turn.pack.template(REPEAT, language) for language in turn.pack.languages]
    while (opening := next((one for one in openings if text.startswith(one)), None)) is not None:
        text = text[len(opening) :].lstrip()
    return text
