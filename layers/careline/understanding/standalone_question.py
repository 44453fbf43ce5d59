"""What is asked as a text that stands by itself, read in the light of the messages before it."""

from __future__ import annotations

from careline.text.asked_words import topic_question, words_of
from careline.understanding.asked_part import asked_part
from careline.understanding.earlier import NOTHING, QuestionInContext, earlier_question
from careline.understanding.joined import joined, leans
from careline.understanding.named_title import meant_title
from careline.understanding.question import StandaloneQuestion
from careline.understanding.transitions import asks_by_itself, without_change_of_topic


def standalone(asking: QuestionInContext) -> StandaloneQuestion:
    """What is asked, as a text that stands by itself: one that leans on the question before joined to that."""
    title = meant_title(asking.question, asking.messages, asking.language)
    if title is not None:
        return StandaloneQuestion(title, True)
    asked = asked_part(asking.question, asking.language)
    if not asked:
        return StandaloneQuestion(asking.question)
    asked, is_new = without_change_of_topic(asked, asking.language)
    before = NOTHING if is_new else earlier_question(asking)
    if before.text and leans(asked, asking.language):
        return StandaloneQuestion(joined(before.text, asked), True, before.topic)
    if len(words_of(asked)) == 1 and asking.language_clear:
        return StandaloneQuestion(topic_question(asked.strip(" ?.!…"), asking.language))
    if asks_by_itself(asked, asking.language):
        return StandaloneQuestion(asked)
    return StandaloneQuestion(asked, False, before.topic)
