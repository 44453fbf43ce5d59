"""Decides the language of the answer.

What the client says comes first; a call keeps the language of its first clear utterance; a question whose language
cannot be told stays in the conversation's language, else in the hospital's or the pack's, as the pack says. A word
alone that several languages share ("parking") tells none.
"""

from __future__ import annotations

from dataclasses import replace

from careline.installation import Installation
from careline.text.asked_words import language_of_most, languages_having, words_of
from careline.turn.turn import Turn

CLEAR = 0.6
"""Confidence from which an utterance decides; "mri" alone does not."""
SHORT_QUESTION = 6
"""Words of a question in which a name weighs as much as the others together."""
PREPOSITION_AND_NAME = 2
"""Words of a question that is those two."""


async def detect_language(turn: Turn, installation: Installation) -> Turn:
    """The turn with its language, one that the pack speaks."""
    spoken = turn.pack.languages
    kept = turn.conversation.language
    if turn.request.language in spoken:
        return replace(turn, language=str(turn.request.language))
    if turn.voice and kept in spoken:
        return replace(turn, language=str(kept))
    if kept in spoken and (turn.choice is not None or _is_only_a_name(turn.question)):
        return replace(turn, language=str(kept))
    code, confidence = installation.engines.identify.identify(_without_names(turn.question))
    having = [each for each in languages_having(turn.question) if each in spoken]
    if len(having) == 1 and kept not in spoken:
        return replace(turn, language=having[0])
    if len(having) < 2 and code in spoken and confidence >= CLEAR:
        return replace(turn, language=code)
    named = None if having else language_of_most(turn.question)
    of_hospital = turn.pack.unclear_language == "hospital"
    usual = turn.tenant.default_language if of_hospital else turn.pack.default_language
    fallback = [kept, named, usual, code]
    shared = sorted((each for each in fallback if each in having), key=fallback.index)
    language = next(
        (each for each in (*shared, kept, *having, *fallback) if each in spoken), turn.pack.default_language
    )
    return replace(turn, language=language, language_clear=language == kept)


def _is_only_a_name(question: str) -> bool:
    """Whether a question is a preposition and a name: "à Pineta ?" may be of any language."""
    words = words_of(question)
    return len(words) == PREPOSITION_AND_NAME and words[1].is_name and not question.isupper()


def _without_names(question: str) -> str:
    """A short question without its names: a campus is called the same in every language. The first word, and all of
    one in capitals, is no name."""
    words = words_of(question)
    if len(words) > SHORT_QUESTION or question.isupper():
        return question
    names = [word for n, word in enumerate(words) if n and word.is_name]
    if len(names) == len(words) - 1:
        return question
    for name in reversed(names):
        question = question[: name.start] + question[name.end :]
    return question
