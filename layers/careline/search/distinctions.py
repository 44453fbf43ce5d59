"""Tells what of a question a passage must hold to be about the same case: a number, a name, a day, who it is for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from careline.search.label_ranges import ranges
from careline.search.label_words import LabelWord, label_words, question_words, same, vocabulary


def unmet(
    question: str, language: str, texts: Iterable[str], written_in: str, *, numbers: bool = True
) -> tuple[str, ...]:
    """The words of a question that tell its case from others and that none of the texts has, in order.

    Without `numbers` these are left out: people tell of amounts and ages that are not what they ask about.
    """
    words = question_words(question, language)
    wanted = [word for n, word in enumerate(words) if distinguishes(words, n) and (numbers or word.number is None)]
    if not wanted:
        return ()
    held = [label for text in texts for line in text.splitlines() for label in label_words(line, written_in)]
    spans = [span for text in texts for span in ranges(text)]
    return tuple(
        word.text
        for word in wanted
        if not any(same(word, label, typed_wrong=True) for label in held)
        and not (word.number is not None and any(span.holds(word.number) for span in spans))
    )


def distinguishes(words: Sequence[LabelWord], n: int) -> bool:
    """Whether the word at a place tells a case from others: a number, a name behind "campus", a day, for whom it is."""
    word, known = words[n], vocabulary()
    if word.number is not None:
        return word.number != 1
    if word.concepts & known.distinguishing:
        return True
    return n > 0 and words[n - 1].text in known.before_names and not word.is_talk and not word.concepts


def accounted(question: str, language: str, texts: Iterable[str], written_in: str) -> int:
    """How many words of a question that name something the texts have."""
    held = [label for text in texts for line in text.splitlines() for label in label_words(line, written_in)]
    named = [word for word in question_words(question, language) if not word.is_talk]
    return sum(any(same(word, label) for label in held) for word in named)
