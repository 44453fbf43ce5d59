"""Asks back where a question may mean several things whose answers differ, ahead of the search that would take one."""

from __future__ import annotations

from dataclasses import replace

from careline.conversation.pending import Choice
from careline.installation import Installation
from careline.turn.outcome import Clarification
from careline.turn.questions_back.what_of_it import of_thing_alone
from careline.turn.questions_back.which_meaning import which_meaning
from careline.turn.turn import Turn
from careline.understanding.kidney_function import holds_stage
from careline.understanding.patient_case import egfr_in

NEXT = "WHICH_NEXT"


async def clarify(turn: Turn, installation: Installation) -> Turn:
    """The turn; finished with a question back where it is not known what is meant.

    Who is asked once about something is not asked again; a choice that is taken may ask for the next one.
    """
    if turn.act is not None or turn.supposed_advice:
        return turn
    turn = replace(turn, choice=_with_what_is_known(turn))
    asked = _next(turn) if turn.choice is not None else (which_meaning(turn) or of_thing_alone(turn))
    if asked is None or asked.topic in turn.conversation.asked_back:
        return turn
    return replace(turn, outcome=asked)


def _with_what_is_known(turn: Turn) -> Choice | None:
    """The choice that is taken; the one it leads to where what is known of the patient tells which."""
    choice, egfr = turn.choice, egfr_in(turn.case)
    if choice is None or egfr is None:
        return choice
    return next((one for one in choice.then if holds_stage(one.told, egfr)), choice)


def _next(turn: Turn) -> Clarification | None:
    """What is asked next of a choice that is taken."""
    choice = turn.choice
    if choice is None or not choice.then:
        return None
    return Clarification(NEXT, choice.ask, choice.then, topic=f"next:{choice.told}")
