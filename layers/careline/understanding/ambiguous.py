"""Finds a term that means several things and whose question does not say which: "diabetes", "heart failure"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from careline.packs.clarifications import AmbiguousTerm, Phrase
from careline.text.asked_words import AskedWord, named, words_of
from careline.understanding.terms.lookup import find_terms

OPEN = 2
"""Words beside the term that a question may have which leaves open what is meant: "first-line treatment of". One with
more asks for something of its own, which documents tell."""
LONGEST = 1_000
"""Characters of a text that are looked at."""


@dataclass(frozen=True, slots=True)
class FoundTerm:
    """An ambiguous term, from `start` to `end` (exclusive) of a text; `is_alone` where the text says nothing else."""

    term: AmbiguousTerm
    start: int
    end: int
    is_alone: bool = False


def ambiguous_term(
    text: str, before: Sequence[str], language: str, known: Sequence[AmbiguousTerm]
) -> FoundTerm | None:
    """The one term of a text of which nobody knows which is meant: not by the text, nor by those `before`.

    None where the text names another thing besides, or asks for more than one thing of it.
    """
    text = text[:LONGEST]
    found = list({one.term.name: one for one in _found(text, language, known)}.values())
    if len(found) != 1:
        return None
    one = found[0]
    if any(holds_any(each, one.term.clear) for each in (text, *before)):
        return None
    rest = f"{text[: one.start]} {text[one.end :]}"
    beside = len(named(rest, language))
    if find_terms(rest, language) or beside > OPEN:
        return None
    return replace(one, is_alone=not beside)


def _found(text: str, language: str, known: Sequence[AmbiguousTerm]) -> Iterator[FoundTerm]:
    words, terms = words_of(text), find_terms(text, language)
    for one in known:
        place = next((at for phrase in one.words if (at := _place(words, phrase)) is not None), None)
        if place is not None:
            yield FoundTerm(one, *place)
        else:
            yield from (FoundTerm(one, term.start, term.end) for term in terms if term.key in one.terms)


def holds_any(text: str, phrases: Sequence[Phrase]) -> bool:
    """Whether one of some phrases stands in a text, as whole words."""
    words = words_of(text[:LONGEST])
    return any(_place(words, phrase) is not None for phrase in phrases)


def is_one_of(text: str, phrases: Sequence[Phrase]) -> bool:
    """Whether a text is one of some phrases and nothing more."""
    return tuple(word.plain for word in words_of(text)) in phrases


def _place(words: Sequence[AskedWord], phrase: Phrase) -> tuple[int, int] | None:
    """Where a phrase begins and ends."""
    for at in range(len(words) - len(phrase) + 1):
        run = words[at : at + len(phrase)]
        if all(word.plain == wanted for word, wanted in zip(run, phrase, strict=True)):
            return run[0].start, run[-1].end
    return None
