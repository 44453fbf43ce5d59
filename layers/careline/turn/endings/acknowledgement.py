"""A caller's "ok" or "right" behind an answer asks for nothing and takes no leave: the turn asks what else there is."""

from __future__ import annotations

from collections.abc import Iterator

from careline.model import Disposition
from careline.safety.terminal import Terminal, TerminalVerdict
from careline.speech.backchannel import is_backchannel
from careline.text.sentences import split
from careline.turn.turn import Turn

ACKNOWLEDGED, ANYTHING_ELSE, REPEAT, VAGUE, HANDOFF = "ACKNOWLEDGED", "anything_else", "repeat", "vague", "handoff"
OFFERS = ("unknown", "unknown_plain")
"""Replies whose last sentence offers a person; others end in the same one."""
_STANDS = frozenset({Terminal.EMERGENCY, Terminal.SAFETY_REFUSAL, Terminal.HANDOFF_REQUEST})
"""What words may be besides: an acknowledgement is never made of these."""


def acknowledged(turn: Turn, verdict: TerminalVerdict) -> Turn | None:
    """The turn that asks whether there is anything else; None where the words say more than that they were heard.

    A yes to a person who was offered puts the caller through. Where nothing was said before, or something else was
    asked, what would be a leave is asked what it is about, and any other words go on to be read as an answer."""
    if verdict.terminal in _STANDS or turn.asked_back is not None or not is_backchannel(turn.question, turn.language):
        return None
    before = _last_said(turn)
    takes_leave = verdict.terminal is Terminal.FAREWELL
    if takes_leave and _offers_person(before, turn):
        return turn.finish(Disposition.ESCALATED, Terminal.HANDOFF_REQUEST.value, HANDOFF)
    if not before or (before.rstrip().endswith("?") and not _is_ours(before, turn)):
        return turn.finish(Disposition.CLARIFIED, ACKNOWLEDGED, VAGUE) if takes_leave else None
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


def _offers_person(text: str, turn: Turn) -> bool:
    """Whether the last sentence of an answer asks whether a person is wanted."""
    if HANDOFF not in turn.pack.replies[turn.pack.default_language]:
        return False
    offers = {split(turn.pack.template(key, turn.language), turn.language)[-1] for key in OFFERS}
    return any(offer.endswith("?") and text.rstrip().endswith(offer) for offer in offers)


def _without_openings(text: str, turn: Turn) -> str:
    openings = [turn.pack.template(REPEAT, language) for language in turn.pack.languages]
    while (opening := next((one for one in openings if text.startswith(one)), None)) is not None:
        text = text[len(opening) :].lstrip()
    return text
