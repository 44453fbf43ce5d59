"""What was asked before, as far as a question may lean on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from careline.model import Message
from careline.packs.packs import Pack
from careline.safety.terminal import IN_ANY_LANGUAGE, Terminal
from careline.safety.utterance import Utterance
from careline.understanding.joined import joined, leans

REACH = 3
"""Messages back that a chain of follow-ups may lead."""
LONGEST = 1_000
"""Characters of a message that are looked at."""


@dataclass(frozen=True, slots=True)
class QuestionInContext:
    """What somebody says now, and the messages before it, oldest first; without personal data where it was found."""

    question: str
    messages: Sequence[Message]
    language: str
    pack: Pack


def earlier_question(asking: QuestionInContext) -> str:
    """The last question that may be asked, as one that stands by itself; empty without any.

    What was refused is not asked for again by way of a follow-up, and a greeting is not leant on.
    """
    before = ""
    own = [message for message in asking.messages if message.role == "user"]
    for message in own[-REACH:]:
        text = message.text
        terminal = asking.pack.terminal.by_patterns(Utterance(text), asking.language).terminal
        if terminal in IN_ANY_LANGUAGE or _was_refused(message, asking):
            before = ""
        elif terminal is Terminal.FALLTHROUGH:
            before = _with_one_more(before, text[:LONGEST], asking.language)
    return before


def _with_one_more(before: str, asked: str, language: str) -> str:
    """What was asked with one more question behind it."""
    return joined(before, asked) if before and leans(asked, language) else asked


def behind_refusals(asking: QuestionInContext) -> Sequence[Message]:
    """The messages behind the last question that was refused and what was said to it."""
    messages = asking.messages
    refused = [n for n, one in enumerate(messages) if one.role == "user" and _was_refused(one, asking)]
    behind = refused[-1] + 1 if refused else 0
    while 0 < behind < len(messages) and messages[behind].role != "user":
        behind += 1
    return messages[behind:]


def _was_refused(message: Message, asking: QuestionInContext) -> bool:
    """Whether a question was refused; where nobody has noted that, whether its words alone are. What would have waited
    for what the hospital publishes counts as asked."""
    if message.refused is not None:
        return message.refused
    pack, language = asking.pack, asking.language
    is_terminal = pack.terminal.classify(message.text, language).before_search in IN_ANY_LANGUAGE
    return is_terminal or pack.injection.judge(message.text, language).injection
