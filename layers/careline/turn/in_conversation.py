"""What a model alone made of a few words is read again in the light of the conversation: a topic is no goodbye."""

from __future__ import annotations

from dataclasses import replace

from careline.safety.terminal import IN_ANY_LANGUAGE, Terminal, TerminalVerdict
from careline.safety.utterance import Utterance
from careline.search.answer_kind import answer_kinds
from careline.search.asked_part import asked_part
from careline.search.asked_words import is_place_alone, names_topic, words_of
from careline.search.follow_up import is_correction, without_join
from careline.search.other_end import names_an_end_alone
from careline.turn.standalone_question import standalone
from careline.turn.turn import Turn

_FEW = 2
"""Words behind an "and" of which a model knows too little; patterns know those that ask again or take leave."""
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
    leans = asked.leans or (bool(turn.conversation.messages) and is_place_alone(question, turn.language))
    goes_on = asked.varies or (leans and _says_more(turn, verdict, question))
    return _GONE_ON if goes_on or names_topic(turn.question, turn.language) else verdict


def _says_more(turn: Turn, verdict: TerminalVerdict, question: str) -> bool:
    """Whether a follow-up says something: nobody greets by leaning on what was asked before, takes leave at a place or
    wants to hear "typhoid" again: "and dad?", "at the Ridge then", "and typhoid?"."""
    language = turn.language
    if verdict.terminal is Terminal.GREETING or is_correction(question, language):
        return True
    bare = without_join(question, language)
    if not bare or bare == question:
        return is_place_alone(question, language)
    if names_an_end_alone(bare, language):
        # Where no first one was asked for, "and the last?" is what was said last.
        return False
    terminal = turn.pack.terminal
    few = len(words_of(bare)) <= _FEW
    alone = terminal.by_patterns(Utterance(bare), language) if few else terminal.classify(bare, language)
    return is_place_alone(bare, language) or alone.terminal is not verdict.terminal


def _was_said(turn: Turn) -> bool:
    return any(message.role == "assistant" for message in turn.conversation.messages)


def _as_whole(verdict: TerminalVerdict, varies: bool, whole: TerminalVerdict) -> TerminalVerdict:
    """The refusal of a follow-up as its whole question leaves it; it waits for what is published when that does too."""
    if whole.before_search in IN_ANY_LANGUAGE:
        return replace(verdict, supposed_advice=False)
    if varies and not whole.supposed_advice:
        return _GONE_ON
    return replace(verdict, supposed_advice=True)
