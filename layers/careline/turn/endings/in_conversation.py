"""What a model alone made of a few words is read again in the light of the conversation: a topic is no goodbye."""

from __future__ import annotations

import math
from dataclasses import replace

from careline.safety.asks_documents import asks_documents
from careline.safety.terminal import IN_ANY_LANGUAGE, Terminal, TerminalVerdict
from careline.safety.utterance import Utterance
from careline.text.asked_words import is_place_alone, names_topic, words_of
from careline.turn.question.standalone_question import standalone_question
from careline.turn.questions_back.which_word import word_alone
from careline.turn.turn import Turn
from careline.understanding.intents.classifier import Label
from careline.understanding.intents.pack_classifier import pack_classifier
from careline.understanding.intents.slots import is_answered
from careline.understanding.transitions import is_correction, without_join

_FEW = 2
"""Words behind an "and" of which a model knows too little; patterns know those that ask again or take leave."""
SOCIAL = {
    Terminal.GREETING: 0.5,
    Terminal.FAREWELL: 0.5,
    Terminal.REPEAT_REQUEST: 0.8,
    Terminal.HANDOFF_REQUEST: 0.8,
}
"""Share of an intent that the directory answers, from which words greet nobody, take no leave, ask for nothing again
and want a number rather than a person."""
SYMPTOM = "ambiguous_symptom_description"
_GONE_ON = TerminalVerdict(Terminal.FALLTHROUGH)


def in_conversation(turn: Turn, verdict: TerminalVerdict) -> TerminalVerdict:
    """The verdict, or none where the words take a choice that was asked for, or where a few name a topic, go on from or
    put right what was asked before, or ask for nothing again that was said.

    What a pattern found stands, and every danger. A refusal that waits for what is published waits no longer where the
    whole question is refused.
    """
    if turn.choice is not None and verdict.terminal not in IN_ANY_LANGUAGE:
        # The name of a row greets nobody and is of the hospital's matters.
        return _GONE_ON
    if verdict.supposed and verdict.terminal is Terminal.GREETING and _was_said(turn):
        # Nobody greets who was told or asked something: "with breakfast?", "the first one", "in the afternoon?".
        return _GONE_ON
    if not verdict.supposed or verdict.supposed_off_topic or verdict.terminal is Terminal.EMERGENCY:
        return verdict
    if verdict.terminal is Terminal.REPEAT_REQUEST and not _was_said(turn) and _asks_documents(turn):
        # "How long does an answer take?" asks for nothing again where nothing was said.
        return _GONE_ON
    wanted = _wanted(turn)
    if wanted is not None and wanted.share >= SOCIAL.get(verdict.terminal, math.inf):
        return _GONE_ON
    if verdict.terminal is Terminal.SAFETY_REFUSAL and wanted is not None and wanted.intent == SYMPTOM:
        # "Which department for heartburn?" names a complaint and asks for no advice; it is refused unless one is told.
        return replace(verdict, supposed_advice=True)
    asked = standalone_question(turn)
    if verdict.terminal is Terminal.SAFETY_REFUSAL:
        if not (asked.leans and verdict.supposed_advice):
            return verdict
        whole = turn.pack.terminal.classify(asked.text, turn.language)
        return replace(verdict, supposed_advice=whole.before_search not in IN_ANY_LANGUAGE)
    leans = asked.leans or (bool(turn.conversation.messages) and is_place_alone(turn.question, turn.language))
    goes_on = leans and _says_more(turn, verdict, turn.question)
    is_topic = names_topic(turn.question, turn.language) or word_alone(turn) is not None
    return _GONE_ON if goes_on or is_topic else verdict


def _says_more(turn: Turn, verdict: TerminalVerdict, question: str) -> bool:
    """Whether a follow-up says something: nobody greets by leaning on what was asked before, takes leave at a place or
    wants to hear "typhoid" again: "and dad?", "at the Ridge then", "and typhoid?"."""
    language = turn.language
    if is_correction(question, language):
        return True
    bare = without_join(question, language)
    if not bare or bare == question:
        return is_place_alone(question, language)
    terminal = turn.pack.terminal
    few = len(words_of(bare)) <= _FEW
    alone = terminal.by_patterns(Utterance(bare), language) if few else terminal.classify(bare, language)
    return is_place_alone(bare, language) or alone.terminal is not verdict.terminal


def may_want_something(turn: Turn, verdict: TerminalVerdict) -> bool:
    """Whether words that a model alone takes for a social class may want what the hospital's directory holds, which
    their embedding tells."""
    return asks_directory(turn) and verdict.supposed and verdict.terminal in SOCIAL


def asks_directory(turn: Turn) -> bool:
    """Whether the hospital has a directory, and the pack knows what may be asked of it."""
    return turn.edition.number > 0 and turn.pack.intent_classifier is not None


def _wanted(turn: Turn) -> Label | None:
    """What the words most likely want, where the directory answers that: "when does she work?" greets nobody."""
    classifier = pack_classifier(turn.pack)
    if turn.embedded is None or classifier is None:
        return None
    labels = classifier.labels(turn.embedded.vector, turn.pack.intents)
    return labels[0] if labels and is_answered(labels[0].name) else None


def _was_said(turn: Turn) -> bool:
    return any(message.role == "assistant" for message in turn.conversation.messages)


def _asks_documents(turn: Turn) -> bool:
    return asks_documents(Utterance(turn.question).plain)
