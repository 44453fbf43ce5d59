"""Ends the turn where no search and no model may: emergencies, requests for medical advice, attempts to change what the
assistant does, a wish for a person, and words that need no answer from the documents."""

from __future__ import annotations

from dataclasses import replace

from careline.installation import Installation
from careline.model import Disposition
from careline.safety.injection.attempts import InjectionVerdict
from careline.safety.requested_acts import RequestedAct
from careline.safety.terminal import Terminal, TerminalVerdict
from careline.turn.endings.acknowledgement import acknowledged, answer_to_repeat
from careline.turn.endings.end_by_request import (
    about_a_patient,
    asks_to_act,
    in_a_language_the_call_does_not_keep,
    in_another_language,
)
from careline.turn.endings.in_conversation import asks_directory, in_conversation
from careline.turn.may_leave import may_leave
from careline.turn.turn import CANNOT_DO, Turn

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


def settled(turn: Turn, terminal: TerminalVerdict, injection: InjectionVerdict, installation: Installation) -> Turn:
    """The turn with its verdicts; ended by them unless a language model may still find an emergency in its words."""
    turn = replace(turn, first_looks=None, terminal=in_conversation(turn, terminal), injection=injection)
    return turn if awaits_model(turn, installation) else ended(turn)


def awaits_model(turn: Turn, installation: Installation) -> bool:
    """Whether a language model looks at the words: there is one, nothing else stopped them and they may be sent."""
    undecided = turn.terminal is not None and turn.terminal.before_search is Terminal.FALLTHROUGH
    return installation.engines.guardrail is not None and undecided and may_leave(turn, installation)


def ended(turn: Turn) -> Turn:
    """The turn, finished when its words are of a terminal class or an injection, or ask for what no document says."""
    terminal, injection = turn.terminal, turn.injection
    if terminal is None or injection is None:
        raise ValueError("a turn is ended by what its screens saw, and they have not looked yet")
    takes_choice = turn.choice is not None
    if not takes_choice and (asked := in_another_language(turn, terminal)) is not None:
        return asked
    if injection.injection and not _comes_before(terminal, injection):
        return turn.finish(Disposition.REFUSED, "INJECTION", "injection", rules=injection.reasons)
    if (asked := about_a_patient(turn, terminal)) is not None:
        return asked
    if takes_choice:
        return answered(turn, terminal) if terminal.ends else turn
    if (asked := acknowledged(turn, terminal)) is not None:
        return asked
    if (act := asks_to_act(turn, terminal)) is not None:
        goes_on = replace(turn, act=act, terminal=TerminalVerdict(Terminal.FALLTHROUGH))
        return in_a_language_the_call_does_not_keep(turn) or _for_act(goes_on, act)
    if terminal.ends and not _waits(turn, terminal):
        return answered(turn, terminal)
    return in_a_language_the_call_does_not_keep(turn) or turn


def _waits(turn: Turn, terminal: TerminalVerdict) -> bool:
    """Whether the verdict counts once the directory had nothing to say: what a person has confirmed needs no guess."""
    return terminal.supposed_courtesy and asks_directory(turn)


def _for_act(turn: Turn, act: RequestedAct) -> Turn:
    """The turn, which goes on to what the documents say instead; finished where they cannot say anything."""
    return turn.finish(Disposition.ESCALATED, CANNOT_DO, "cannot_person") if act.is_of_no_document else turn


def _comes_before(verdict: TerminalVerdict, injection: InjectionVerdict) -> bool:
    """Whether the class is answered, and not the attempt to change what the assistant does.

    A refusal that a model alone supposes gives way to an attempt that is more than supposed: the model knows callers,
    and takes orders to the assistant for one of theirs.
    """
    guessed = verdict.terminal is Terminal.SAFETY_REFUSAL and verdict.supposed and not injection.supposed
    return verdict.terminal in BEFORE_INJECTION and verdict.ends and not guessed


def answered(turn: Turn, verdict: TerminalVerdict) -> Turn:
    """The turn, finished with the reply to what its words are. A class that ends none has no reply."""
    disposition, reply = ANSWERS[verdict.terminal]
    language = verdict.language if verdict.terminal is Terminal.EMERGENCY and not turn.request.language else None
    said = answer_to_repeat(turn) if verdict.terminal is Terminal.REPEAT_REQUEST else ""
    if verdict.terminal is Terminal.REPEAT_REQUEST and not said:
        disposition, reply = Disposition.CLARIFIED, "vague"
    return turn.finish(
        disposition, verdict.terminal.value, reply, rules=verdict.reasons, language=language, said_before=said
    )
