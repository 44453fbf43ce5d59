"""What is asked as a text that stands by itself, read in the light of the messages before it."""

from __future__ import annotations

from careline.understanding.earlier import QuestionInContext, earlier_question
from careline.understanding.joined import joined, leans
from careline.understanding.question import StandaloneQuestion


def standalone(asking: QuestionInContext) -> StandaloneQuestion:
    """What is asked, as a text that stands by itself: one that leans on the question before joined to that."""
    before = earlier_question(asking)
    if before and leans(asking.question, asking.language):
        return StandaloneQuestion(joined(before, asking.question), leans=True)
    return StandaloneQuestion(asking.question)
