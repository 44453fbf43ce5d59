"""Asks back where a question may mean several things whose answers differ, ahead of the search that would take one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from careline.conversation.pending import Choice
from careline.installation import Installation
from careline.turn.outcome import Clarification
from careline.turn.questions_back.what_of_it import of_thing_alone
from careline.turn.questions_back.which_meaning import NEXT, which_meaning
from careline.turn.turn import Turn
from careline.understanding.kidney_function import holds_stage
from careline.understanding.patient_case import egfr_in


async def clarify(turn: Turn, installation: Installation) -> Turn:
    """The turn; finished with a question back where it is not known what is meant.

    Who is asked once about something is not asked again; a choice that is taken may ask for the next one.
    """
    if turn.act is not None or turn.supposed_advice:
        return turn
    turn = replace(turn, choice=_with_what_is_known(turn))
    asked = _next(turn) if turn.choice is not None else (which_meaning(turn) or of_thing_alone(turn))
    if asked is None:
        return turn
    if (known := _known_of_patient(asked.choices, turn)) is not None:
        return replace(turn, choice=known)
    return turn if asked.topic in turn.conversation.asked_back else replace(turn, outcome=asked)


def _with_what_is_known(turn: Turn) -> Choice | None:
    """The choice that is taken; the one it leads to where what is known of the patient tells which."""
    choice = turn.choice
    return choice if choice is None else _known_of_patient(choice.then, turn) or choice


def _known_of_patient(choices: Sequence[Choice], turn: Turn) -> Choice | None:
    """The one of some choices that the eGFR of the patient lies in, where they are stages of kidney disease."""
    egfr = egfr_in(turn.case)
    return None if egfr is None else next((one for one in choices if holds_stage(one.told, egfr)), None)


def _next(turn: Turn) -> Clarification | None:
    """What is asked next of a choice that is taken."""
    choice = turn.choice
    if choice is None or not choice.then:
        return None
    return Clarification(NEXT, choice.ask, choice.then, topic=f"next:{choice.told}")
