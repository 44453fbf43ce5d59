"""Asks which of several things a term means: type 1, type 2 or gestational diabetes; and at which stage a disease is in
which a dose is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from careline.conversation.pending import Choice
from careline.packs.clarifications import AmbiguousTerm, Meaning
from careline.safety.grounding.dose_conditions import DOSE, asked_dose
from careline.text.label_words import question_words
from careline.turn.outcome import Clarification
from careline.turn.turn import Turn
from careline.understanding.ambiguous import ambiguous_term, undivided
from careline.understanding.intents.slots import is_answered
from careline.understanding.kidney_function import stages_of
from careline.understanding.transitions import without_join

REASON, NEXT = "WHICH_MEANING", "WHICH_NEXT"
DOSING = "drug_info/dosing"
IN_PASSING = frozenset({"drug_info", "differential"})
"""Intents that name a condition for what else they ask of: a medicine, what looks like it."""
SURE = 0.4
"""Confidence of an intent from which the question is of that."""
REACH = 3
"""Questions before this one that may have said which is meant."""


def which_meaning(turn: Turn) -> Clarification | None:
    """The question which of several things is meant by a term; None where that is known, or does not matter: of what
    the directory is asked every meaning has the same number, and a medicine is asked about as it is, but for a dose."""
    known = turn.pack.asks_back_about(turn.language).ambiguous
    text = turn.without_phi
    if not known or (turn.conversation.messages and without_join(text, turn.language) != text):
        # "And in renal failure?" asks on.
        return None
    if (asked := _stage_of_dose(turn, text, known)) is not None:
        return asked
    found = ambiguous_term(text, list(_said_before(turn)), turn.language, known)
    if found is None or (not found.is_alone and _in_passing(turn)):
        return None
    around = text[: found.start], text[found.end :]
    choices = _choices(found.term.meanings, around)
    return Clarification(REASON, found.term.ask, choices, topic=f"term:{found.term.name}")


def _stage_of_dose(turn: Turn, text: str, known: Sequence[AmbiguousTerm]) -> Clarification | None:
    """The question at which stage the disease is in which a dose is asked for: at each it is another one. None where
    the question or what was said before tells."""
    if not asked_dose(text, turn.language).medicines or not _is_of_dose(turn, text):
        return None
    for term in (one for one in known if any(stages_of(each.told) for each in _parts(one))):
        found = undivided(text, list(_said_before(turn)), turn.language, term)
        if found is None:
            continue
        place, meant = found
        around = text[: place.start], text[place.end :]
        if meant is None:
            return Clarification(REASON, term.ask, _choices(term.meanings, around), topic=f"term:{term.name}")
        return Clarification(NEXT, meant.ask, _choices(meant.then, around), topic=f"next:{meant.told}")
    return None


def _is_of_dose(turn: Turn, text: str) -> bool:
    says = any(DOSE in word.concepts for word in question_words(text, turn.language))
    return says or turn.intent.label == DOSING


def _parts(term: AmbiguousTerm) -> Iterator[Meaning]:
    """What may be asked of the meanings of a term."""
    yield from (each for one in term.meanings for each in one.then)


def _in_passing(turn: Turn) -> bool:
    """Whether something else is surely asked for, whichever is meant."""
    intent = turn.intent
    return intent.confidence >= SURE and (is_answered(intent.label) or intent.name in IN_PASSING)


def _choices(meanings: Sequence[Meaning], around: tuple[str, str]) -> tuple[Choice, ...]:
    before, behind = around
    return tuple(
        Choice(one.told, f"{before}{one.put}{behind}", _choices(one.then, around), one.ask) for one in meanings
    )


def _said_before(turn: Turn) -> Iterator[str]:
    """The whole message, and those before it."""
    yield turn.without_phi
    phi = turn.phi
    messages = phi.history if phi is not None and phi.history else turn.conversation.messages
    yield from [one.text for one in messages if one.role == "user"][-REACH:]
