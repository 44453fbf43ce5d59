"""Ends the turn where no search and no model may: emergencies, requests for medical advice, attempts to change what the
assistant does, a wish for a person, and words that need no answer from the documents."""

from __future__ import annotations

import logging
from dataclasses import replace

from careline.errors import kind_and_place
from careline.installation import Installation
from careline.model import Disposition
from careline.safety.injection.attempts import InjectionVerdict
from careline.safety.terminal import Terminal, TerminalVerdict
from careline.safety.utterance import Utterance
from careline.turn.meaning import reading_of
from careline.turn.second_look import second_look
from careline.turn.turn import Turn

ANSWERS: dict[Terminal, tuple[Disposition, str]] = {
    Terminal.EMERGENCY: (Disposition.ESCALATED, "emergency"),
    Terminal.SAFETY_REFUSAL: (Disposition.REFUSED, "safety_refusal"),
    Terminal.HANDOFF_REQUEST: (Disposition.ESCALATED, "handoff"),
    Terminal.REPEAT_REQUEST: (Disposition.ANSWERED, "repeat"),
    Terminal.OFF_TOPIC_PERSONAL: (Disposition.REFUSED, "off_topic"),
    Terminal.FAREWELL: (Disposition.FAREWELLED, "farewell"),
    Terminal.GREETING: (Disposition.ANSWERED, "greeting"),
}
BEFORE_INJECTION = frozenset({Terminal.EMERGENCY, Terminal.SAFETY_REFUSAL})
"""Classes whose answer is the safe one also for words that try to change what the assistant does."""

logger = logging.getLogger(__name__)


async def screen_input(turn: Turn, installation: Installation) -> Turn:
    """The turn, finished when its utterance is of a terminal class or an injection, or could not be screened."""
    try:
        turn, verdict, injection = await _looked_at(turn, installation)
        turn, verdict = await second_look(turn, verdict, installation)
    except Exception as error:
        logger.error("an utterance could not be screened", extra=kind_and_place(error))
        # An utterance that nobody could read is answered by nobody: whatever failed, the turn ends here.
        failed = turn.warn("SAFETY_UNAVAILABLE", "The question could not be checked and was not answered.")
        return failed.finish(Disposition.FAILED, "SAFETY_UNAVAILABLE", "screen_down")
    turn = replace(turn, terminal=verdict, injection=injection)
    if injection.injection and not _comes_before(verdict, injection):
        return turn.finish(Disposition.REFUSED, "INJECTION", "injection", rules=injection.reasons)
    goes_on = verdict.terminal is Terminal.FALLTHROUGH or supposed_off_topic(verdict)
    return turn if goes_on else _answered(turn, verdict)


def _comes_before(verdict: TerminalVerdict, injection: InjectionVerdict) -> bool:
    """Whether the class is answered, and not the attempt to change what the assistant does.

    A refusal that a model alone supposes gives way to an attempt that is more than supposed: the model knows callers,
    and takes orders to the assistant for one of theirs.
    """
    guessed = verdict.terminal is Terminal.SAFETY_REFUSAL and verdict.supposed and not injection.supposed
    return verdict.terminal in BEFORE_INJECTION and not guessed


def supposed_off_topic(verdict: TerminalVerdict) -> bool:
    """Whether the documents may still prove that the hospital has something to say: it may well have a hairdresser."""
    return verdict.terminal is Terminal.OFF_TOPIC_PERSONAL and verdict.supposed


async def _looked_at(turn: Turn, installation: Installation) -> tuple[Turn, TerminalVerdict, InjectionVerdict]:
    """What patterns and models say, and the turn, which was read for its sentence embedding where words leave a
    doubt."""
    said = Utterance(turn.question)
    terminal = turn.pack.terminal.first_look(said, turn.language)
    injection = turn.pack.injection.first_look(said, turn.language)
    if terminal.in_doubt or injection.in_doubt:
        sentence_embedding, vector = await reading_of(turn.question, installation)
        turn = replace(turn, sentence_embedding=sentence_embedding, question_vector=vector)
    return turn, terminal.verdict(turn.sentence_embedding), injection.verdict(turn.sentence_embedding)


def _answered(turn: Turn, verdict: TerminalVerdict) -> Turn:
    disposition, reply = ANSWERS[verdict.terminal]
    language = verdict.language if verdict.terminal is Terminal.EMERGENCY and not turn.request.language else None
    said = _said_before(turn) if verdict.terminal is Terminal.REPEAT_REQUEST else ""
    if verdict.terminal is Terminal.REPEAT_REQUEST and not said:
        disposition, reply = Disposition.CLARIFIED, "vague"
    return turn.finish(
        disposition, verdict.terminal.value, reply, rules=verdict.reasons, language=language, said_before=said
    )


def _said_before(turn: Turn) -> str:
    answers = [message.text for message in turn.conversation.messages if message.role == "assistant"]
    return answers[-1] if answers else ""
