"""Ends the turn where the words ask for what no document says, another language or news of a patient, and where a call
goes on in another language than its own."""

from __future__ import annotations

from dataclasses import replace

from careline.model import Disposition
from careline.safety.terminal import IN_ANY_LANGUAGE, Terminal, TerminalVerdict
from careline.safety.utterance import Utterance
from careline.speech.language_lock import KEYS
from careline.speech.language_request import LanguageRequest, language_request
from careline.text.languages import told_apart
from careline.turn.turn import Turn

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
    if request is None:
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
