"""What was asked before, as far as a question may lean on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from careline.model import Message
from careline.packs.packs import Pack
from careline.safety.terminal import IN_ANY_LANGUAGE, Terminal
from careline.safety.utterance import Utterance
from careline.understanding.asked_part import LONGEST, asked_part
from careline.understanding.joined import joined, leans
from careline.understanding.transitions import without_change_of_topic

REACH = 3
"""Messages back that a chain of follow-ups may lead."""


@dataclass(frozen=True, slots=True)
class QuestionInContext:
    """What somebody says now, and the messages before it, oldest first; without personal data where it was found."""

    question: str
    messages: Sequence[Message]
    language: str
    pack: Pack
    language_clear: bool = True


@dataclass(frozen=True, slots=True)
class EarlierQuestion:
    """The last question as one that stands by itself; `topic`: it, and the ones before that it does not lean on."""

    text: str = ""
    topic: str = ""


NOTHING = EarlierQuestion()


def earlier_question(asking: QuestionInContext) -> EarlierQuestion:
    """What the last messages asked that may be asked.

    What was refused is not asked for again by way of a follow-up, and a greeting is not leant on.
    """
    before = NOTHING
    own = [message for message in asking.messages if message.role == "user"]
    for message in own[-REACH:]:
        text = message.text
        terminal = asking.pack.terminal.by_patterns(Utterance(text), asking.language).terminal
        if terminal in IN_ANY_LANGUAGE or _was_refused(message, asking):
            before = NOTHING
        elif terminal is Terminal.FALLTHROUGH:
            before = _with_one_more(before, asked_part(text[:LONGEST], asking.language), asking.language)
    return before


def _with_one_more(before: EarlierQuestion, asked: str, language: str) -> EarlierQuestion:
    """What was asked with one more question behind it."""
    asked, is_new = without_change_of_topic(asked, language)
    if not asked or not before.text or is_new:
        return EarlierQuestion(asked, asked) if asked else before
    if leans(asked, language):
        whole = joined(before.text, asked)
        return EarlierQuestion(whole, whole)
    return EarlierQuestion(asked, f"{before.text} {asked}"[-LONGEST:])


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
