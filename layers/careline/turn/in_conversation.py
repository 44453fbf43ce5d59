"""What a model alone made of a few words is read again in the light of the conversation: a topic is no goodbye."""

from __future__ import annotations

from careline.safety.terminal import IN_ANY_LANGUAGE, Terminal, TerminalVerdict
from careline.search.asked_part import asked_part
from careline.search.asked_words import names_topic
from careline.search.follow_up import is_variation
from careline.turn.standalone_question import standalone
from careline.turn.turn import Turn

_GONE_ON = TerminalVerdict(Terminal.FALLTHROUGH)


def in_conversation(turn: Turn, verdict: TerminalVerdict) -> TerminalVerdict:
    """The verdict, or none where a few words name a topic or vary what was asked before.

    What a pattern found stands, and every danger. Advice that the model sees in a follow-up counts when it sees it in
    the whole question too.
    """
    if not verdict.supposed or verdict.supposed_off_topic or verdict.terminal is Terminal.EMERGENCY:
        return verdict
    whole, leans = standalone(turn)
    varies = leans and is_variation(asked_part(turn.question, turn.language), turn.language)
    if verdict.terminal is Terminal.SAFETY_REFUSAL:
        advice = not varies or turn.pack.terminal.classify(whole, turn.language).terminal in IN_ANY_LANGUAGE
        return verdict if advice else _GONE_ON
    return _GONE_ON if varies or names_topic(turn.question, turn.language) else verdict
