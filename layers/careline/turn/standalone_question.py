"""What a turn asks, as a text that stands by itself: read in the light of the messages before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from careline.model import Message
from careline.safety.terminal import IN_ANY_LANGUAGE, Terminal
from careline.safety.utterance import Utterance
from careline.search.asked_part import LONGEST, asked_part
from careline.search.asked_words import topic_question, words_of
from careline.search.follow_up import (
    Cues,
    asks_by_itself,
    carried_on,
    is_variation,
    leans,
    names_place,
    without_change_of_topic,
    without_other_site,
)
from careline.search.named_title import meant_title
from careline.search.other_end import with_other_end
from careline.search.travel_direction import with_way_back
from careline.turn.turn import Turn

REACH = 3
"""Messages back that a chain of follow-ups may lead."""


@dataclass(frozen=True, slots=True)
class Standalone:
    """What is asked as a text that stands by itself. `leans`: earlier messages had to say what it is about. `topic` is
    what these asked, where the question may be about the same; else empty. `varies`: nothing but a day, a place or the
    like is another than was asked before. `of_first_site` is the question with the site that it is not about, where it
    asks about "the other campus"; else empty."""

    text: str
    leans: bool = False
    topic: str = ""
    varies: bool = False
    of_first_site: str = ""


def standalone(turn: Turn) -> Standalone:
    """What a turn asks, read in the light of the messages before it."""
    messages, question = _messages(turn), _asked(turn)
    title = meant_title(question, messages, turn.language)
    if title is not None:
        return Standalone(title, True)
    asked = asked_part(question, turn.language)
    if not asked:
        return Standalone(question)
    asked, is_new = without_change_of_topic(asked, turn.language)
    before = _Before() if is_new else _before(messages, turn)
    if before.standing and leans(asked, turn.language, _cues(turn)):
        varies = is_variation(asked, turn.language) or _asks_the_other(before.standing, asked, turn.language)
        after = _followed(before, asked, turn)
        if after.at_other_site:
            text = carried_on(before.standing, asked, turn.language, _cues(turn))
            return Standalone(text, True, before.topic, varies, after.standing)
        return Standalone(after.standing, True, before.topic, varies)
    if len(words_of(asked)) == 1 and turn.language_clear:
        return Standalone(topic_question(asked.strip(" ?.!…"), turn.language))
    if asks_by_itself(asked, turn.language):
        return Standalone(asked)
    return Standalone(asked, False, before.topic)


def _asks_the_other(standing: str, asked: str, language: str) -> bool:
    """Whether the last is asked for where the first was before, or the way back."""
    return bool(with_other_end(standing, asked, language) or with_way_back(standing, asked, language))


def _cues(turn: Turn) -> Cues:
    """The words of the pack by which a question leans on the one before."""
    written = turn.pack.follow_up.get(turn.language)
    return Cues((), ()) if written is None else Cues(written.opens, written.ends)


def _asked(turn: Turn) -> str:
    """The user's words without personal data; as they are when nobody could look, for then they stay in the house."""
    return turn.question if turn.phi is None or turn.phi.state == "assumed" else turn.phi.question


def _messages(turn: Turn) -> Sequence[Message]:
    return turn.phi.history if turn.phi is not None and turn.phi.history else turn.conversation.messages


@dataclass(frozen=True, slots=True)
class _Before:
    """What was asked before: the last question as one that stands by itself, and it with what led to it; and whether
    another site is meant than the one that it names."""

    standing: str = ""
    topic: str = ""
    at_other_site: bool = False


def _before(messages: Sequence[Message], turn: Turn) -> _Before:
    """What the last messages asked that may be asked.

    What was refused is not asked for again by way of a follow-up, and a greeting is not leant on.
    """
    before = _Before()
    said = [n for n, message in enumerate(messages) if message.role == "user"]
    for n in said[-REACH:]:
        text = messages[n].text
        terminal = turn.pack.terminal.by_patterns(Utterance(text), turn.language).terminal
        if terminal in IN_ANY_LANGUAGE or _was_refused(messages[n + 1 : n + 2], turn):
            before = _Before()
        elif terminal is Terminal.FALLTHROUGH:
            before = _followed(before, asked_part(text[:LONGEST], turn.language), turn)
    return before


def _followed(before: _Before, asked: str, turn: Turn) -> _Before:
    """What was asked with one more question behind it."""
    asked, is_new = without_change_of_topic(asked, turn.language)
    if not asked or not before.standing or is_new:
        return _Before(asked, asked) if asked else before
    if leans(asked, turn.language, _cues(turn)):
        rest = without_other_site(asked, turn.language)
        own = asked if rest is None else rest
        carried = carried_on(before.standing, own, turn.language, _cues(turn)) if own else before.standing
        is_other = before.at_other_site != (rest is not None) and not (
            rest is None and names_place(asked, turn.language)
        )
        return _Before(carried, carried, is_other)
    return _Before(asked, f"{before.standing} {asked}"[-LONGEST:])


def _was_refused(reply: Sequence[Message], turn: Turn) -> bool:
    """Whether the message behind a question is the pack's refusal, in any language."""
    spoken = turn.pack.languages
    refusals = {turn.pack.template(key, each) for key in ("safety_refusal", "injection") for each in spoken}
    return any(message.role == "assistant" and message.text.strip() in refusals for message in reply)
