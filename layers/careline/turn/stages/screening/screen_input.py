"""Lets the pack's rules and lexical classifiers look at the words, and ends the turn where these leave no doubt."""

from __future__ import annotations

from dataclasses import replace

from careline.installation import Installation
from careline.safety.utterance import Utterance
from careline.turn.endings.end_by_verdict import settled
from careline.turn.endings.fails_closed import fails_closed
from careline.turn.endings.in_conversation import may_want_something
from careline.turn.turn import FirstLooks, Turn


@fails_closed
async def screen_input(turn: Turn, installation: Installation) -> Turn:
    """The turn, finished when its words are of a terminal class or an injection, or could not be screened.

    Where the embedding may change what words say, or tell that they want what the directory holds, it keeps what they
    say and goes on to be embedded.
    """
    said = Utterance(turn.question)
    looks = FirstLooks(
        turn.pack.terminal.first_look(said, turn.language), turn.pack.injection.first_look(said, turn.language)
    )
    if looks.in_doubt or may_want_something(turn, looks.terminal.verdict()):
        return replace(turn, first_looks=looks)
    return settled(turn, looks.terminal.verdict(), looks.injection.verdict(), installation)
