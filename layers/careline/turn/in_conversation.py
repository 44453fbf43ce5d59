"""What a model alone made of a few words is read again in the light of the conversation: a topic is no goodbye."""

from __future__ import annotations

from dataclasses import replace

from careline.safety.terminal import IN_ANY_LANGUAGE, Terminal, TerminalVerdict
from careline.search.answer_kind import answer_kinds
from careline.search.asked_part import asked_part
from careline.search.asked_words import is_place_alone, names_topic
from careline.search.follow_up import is_correction
from careline.turn.standalone_question import standalone
from careline.turn.turn import Turn

_GONE_ON = TerminalVerdict(Terminal.FALLTHROUGH)


def in_conversation(turn: Turn, verdict: TerminalVerdict) -> TerminalVerdict:
    """The verdict, or none where a few words name a topic, vary or put right what was asked before, or ask for nothing
    again that was said.

    What a pattern found stands, and every danger. Advice that the model sees in a follow-up counts when it sees it in
    the whole question too.
    """
    if not verdict.supposed or verdict.supposed_off_topic or verdict.terminal is Terminal.EMERGENCY:
        return verdict
    if verdict.terminal is Terminal.REPEAT_REQUEST and not _was_said(turn) and answer_kinds(turn.question):
        # "How long does an answer take?" asks for nothing again where nothing was said.
        return _GONE_ON
    asked = standalone(turn)
    question = asked_part(turn.question, turn.language)
    if verdict.terminal is Terminal.SAFETY_REFUSAL:
        read_whole = asked.varies or (asked.leans and verdict.supposed_advice)
        return (
            _as_whole(verdict, asked.varies, turn.pack.terminal.classify(asked.text, turn.language))
            if read_whole
            else verdict
        )
    # Nobody greets by leaning on what was asked before, or takes leave at a place: "and dad?", "at the Ridge then".
    greets = verdict.terminal is Terminal.GREETING
    says_more = is_correction(question, turn.language) or is_place_alone(question, turn.language)
    goes_on = asked.varies or (asked.leans and (greets or says_more))
    return _GONE_ON if goes_on or names_topic(turn.question, turn.language) else verdict


def _was_said(turn: Turn) -> bool:
    return any(message.role == "assistant" for message in turn.conversation.messages)


def _as_whole(verdict: TerminalVerdict, varies: bool, whole: TerminalVerdict) -> TerminalVerdict:
    """The refusal of a follow-up as its whole question leaves it; it waits for what is published when that does too."""
    if whole.before_search in IN_ANY_LANGUAGE:
        return replace(verdict, supposed_advice=False)
    if varies and not whole.supposed_advice:
        return _GONE_ON
    return replace(verdict, supposed_advice=True)
