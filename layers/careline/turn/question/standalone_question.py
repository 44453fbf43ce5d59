"""What a turn asks, as a text that stands by itself: read in the light of the messages before it."""

from __future__ import annotations

from careline.turn.turn import Turn
from careline.understanding.earlier import QuestionInContext
from careline.understanding.question import StandaloneQuestion
from careline.understanding.standalone_question import standalone


def standalone_question(turn: Turn) -> StandaloneQuestion:
    """What a turn asks: what stands behind a choice that it takes, else what it says."""
    if turn.choice is not None:
        return StandaloneQuestion(turn.choice.question, leans=True)
    return standalone(in_context(turn))


def in_context(turn: Turn) -> QuestionInContext:
    """What is said in a turn and was before. Its words are those without personal data; as they are where nobody could
    look for it, for then they stay within the trust boundary."""
    phi = turn.phi
    question = turn.question if phi is None or phi.state == "assumed" else phi.question
    messages = phi.history if phi is not None and phi.history else turn.conversation.messages
    return QuestionInContext(question, messages, turn.language, turn.pack)
