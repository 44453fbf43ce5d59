"""What a turn asks, as a text that stands by itself: read in the light of the messages before it."""

from __future__ import annotations

from collections.abc import Sequence

from careline.model import Message
from careline.safety.terminal import IN_ANY_LANGUAGE, Terminal
from careline.safety.utterance import Utterance
from careline.search.asked_part import LONGEST, asked_part
from careline.search.asked_words import topic_question, words_of
from careline.search.follow_up import Cues, carried_on, leans
from careline.search.named_title import meant_title
from careline.turn.turn import Turn

REACH = 3
"""Messages back that a chain of follow-ups may lead."""


def standalone(turn: Turn) -> tuple[str, bool]:
    """What is asked as a text that stands by itself, and whether earlier messages had to say what it is about."""
    messages, question = _messages(turn), _asked(turn)
    title = meant_title(question, messages, turn.language)
    if title is not None:
        return title, True
    asked = asked_part(question, turn.language)
    if not asked:
        return question, False
    if messages and leans(asked, turn.language, _cues(turn)):
        standing = _standing(messages, turn)
        if standing is not None:
            return carried_on(standing, asked, turn.language, _cues(turn)), True
    if len(words_of(asked)) == 1 and turn.language_clear:
        return topic_question(asked.strip(" ?.!…"), turn.language), False
    return asked, False


def _cues(turn: Turn) -> Cues:
    """The words of the pack by which a question leans on the one before."""
    written = turn.pack.follow_up.get(turn.language)
    return Cues((), ()) if written is None else Cues(written.opens, written.ends)


def _asked(turn: Turn) -> str:
    """The user's words without personal data; as they are when nobody could look, for then they stay in the house."""
    return turn.question if turn.phi is None or turn.phi.state == "assumed" else turn.phi.question


def _messages(turn: Turn) -> Sequence[Message]:
    return turn.phi.history if turn.phi is not None and turn.phi.history else turn.conversation.messages


def _standing(messages: Sequence[Message], turn: Turn) -> str | None:
    """What the last messages asked, as one question that stands by itself; None where they asked nothing that may be.

    What was refused is not asked for again by way of a follow-up, and a greeting is not leant on.
    """
    standing: str | None = None
    said = [n for n, message in enumerate(messages) if message.role == "user"]
    for n in said[-REACH:]:
        text = messages[n].text
        terminal = turn.pack.terminal.by_patterns(Utterance(text), turn.language).terminal
        if terminal in IN_ANY_LANGUAGE or _was_refused(messages[n + 1 : n + 2], turn):
            standing = None
        elif terminal is Terminal.FALLTHROUGH:
            asked = asked_part(text[:LONGEST], turn.language)
            follows = standing is not None and leans(asked, turn.language, _cues(turn))
            carried = carried_on(standing, asked, turn.language, _cues(turn)) if standing and follows else asked
            standing = carried or standing
    return standing


def _was_refused(reply: Sequence[Message], turn: Turn) -> bool:
    """Whether the message behind a question is the pack's refusal, in any language."""
    spoken = turn.pack.languages
    refusals = {turn.pack.template(key, each) for key in ("safety_refusal", "injection") for each in spoken}
    return any(message.role == "assistant" and message.text.strip() in refusals for message in reply)
