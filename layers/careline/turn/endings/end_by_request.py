"""Ends the turn where the words ask for what no document says, another language or news of a patient, and where a call
goes on in another language than its own; sees where they ask for what nobody can do here."""

from __future__ import annotations

from dataclasses import replace

from careline.model import Disposition
from careline.safety.requested_acts import Act, RequestedAct
from careline.safety.terminal import IN_ANY_LANGUAGE, Terminal, TerminalVerdict
from careline.safety.utterance import Utterance
from careline.speech.language_lock import KEYS
from careline.speech.language_request import LanguageRequest, language_request
from careline.text.languages import told_apart
from careline.turn.turn import Turn
from careline.understanding.intents.slots import pronouns_in

_SOMEBODY = frozenset(("female", "male"))
"""Kinds of pronouns of one person."""
LANGUAGE_REQUEST, PATIENT_INFORMATION = "LANGUAGE_REQUEST", "PATIENT_INFORMATION"
MOST_READ = 1000
"""Characters of an utterance that are read to tell its language."""


def in_another_language(turn: Turn, verdict: TerminalVerdict) -> Turn | None:
    """The turn with its answer to a request for a language and for nothing else; None for any other question.

    A call keeps its language: it is said why, which key changes it, and a person is offered. One that has none yet
    takes the wanted one. What is written is answered in the language of each message.
    """
    if verdict.terminal is Terminal.EMERGENCY:
        return None
    request = language_request(turn.question)
    if request is None or (turn.conversation.messages and pronouns_in(turn.question, turn.language) & _SOMEBODY):
        # "Does he speak French?" asks of the doctor who was named.
        return None
    if request.wanted not in turn.pack.languages:
        asked = turn if _is_set(turn) or request.said_in is None else _speaking(turn, request.said_in)
        return asked.finish(Disposition.REFUSED, LANGUAGE_REQUEST, "language_unsupported")
    return _of_ours(turn, request)


def in_a_language_the_call_does_not_keep(turn: Turn) -> Turn | None:
    """The turn with the reason why the call keeps its language, the key for the one that was spoken and the offer of a
    person; None where the words are not plainly of another one.

    Speech is recognised by a model of the call's language alone, so what it makes of another is not to be searched for.
    """
    kept = turn.request.language
    if not turn.voice or kept not in turn.pack.languages:
        return None
    spoken = told_apart(turn.question[:MOST_READ])
    if spoken is None or spoken == kept or spoken not in turn.pack.languages:
        return None
    return _keeping(turn, spoken)


def about_a_patient(turn: Turn, verdict: TerminalVerdict) -> Turn | None:
    """The turn with the pack's word that it knows nothing of patients, and with the offer of a person; None for any
    other question, and where the words ask for help or advice as well."""
    guessed = verdict.supposed and verdict.terminal not in IN_ANY_LANGUAGE
    if verdict.before_search is not Terminal.FALLTHROUGH and not guessed:
        return None
    rules = turn.pack.patients.reasons(Utterance(turn.question))
    if not rules:
        return None
    language = None if _is_set(turn) else rules[0].split("/")[0]
    told = turn if language is None else _speaking(turn, language)
    return told.finish(Disposition.ESCALATED, PATIENT_INFORMATION, "no_patient_information", rules=rules)


def asks_to_act(turn: Turn, verdict: TerminalVerdict) -> RequestedAct | None:
    """What the words ask to be done that nobody can do here; None where they ask for help, advice or, in words that a
    pattern knows, for a person.

    What a model alone takes for a person or for talk may be an order: "call the ward". So may what it alone takes for
    danger, where an appointment is asked for and nothing beside that is any: "cancel my appointment of tomorrow".
    """
    said = Utterance(turn.question)
    act = turn.pack.acts.requested(said, turn.language) if _may_be_order(verdict) else None
    if act is None or verdict.terminal is not Terminal.EMERGENCY:
        return act
    if act.act is not Act.APPOINTMENT:
        return None
    beside = turn.pack.terminal.classify(turn.pack.acts.beside(act, said, turn.language), turn.language)
    return None if beside.terminal in IN_ANY_LANGUAGE else act


def _may_be_order(verdict: TerminalVerdict) -> bool:
    if verdict.supposed:
        return verdict.terminal is not Terminal.SAFETY_REFUSAL
    return verdict.terminal in {Terminal.FALLTHROUGH, Terminal.OFF_TOPIC_PERSONAL}


def _of_ours(turn: Turn, request: LanguageRequest) -> Turn:
    """The answer to a request for a language that the pack speaks."""
    wanted = request.wanted
    if _is_set(turn) and wanted != turn.language:
        if turn.voice:
            return _keeping(turn, wanted)
        name = turn.pack.template(f"language_{wanted}", turn.language)
        return turn.finish(Disposition.ANSWERED, LANGUAGE_REQUEST, "language_choose", language_name=name)
    if turn.voice or len(turn.pack.languages) == 1 or wanted == (request.said_in or turn.language):
        return _speaking(turn, wanted).finish(Disposition.ANSWERED, LANGUAGE_REQUEST, "language_spoken")
    asked = turn if request.said_in is None else _speaking(turn, request.said_in)
    name = turn.pack.template(f"language_{wanted}", asked.language)
    return asked.finish(Disposition.ANSWERED, LANGUAGE_REQUEST, "language_write", language_name=name)


def _keeping(turn: Turn, other: str) -> Turn:
    """The call goes on in its language: why, and which key changes to the other."""
    name = turn.pack.template(f"language_{other}", turn.language)
    digit = next((digit for digit, code in KEYS.items() if code == other), "")
    return turn.finish(Disposition.REFUSED, LANGUAGE_REQUEST, "language_lock", language_name=name, digit=digit)


def _is_set(turn: Turn) -> bool:
    """Whether the language is chosen already: by the client, or on a call by what was said before."""
    spoken = turn.pack.languages
    return turn.request.language in spoken or (turn.voice and turn.conversation.language in spoken)


def _speaking(turn: Turn, language: str) -> Turn:
    """The turn in a language that was asked for or in, which is certain."""
    return replace(turn, language=language, language_clear=True) if language in turn.pack.languages else turn
