"""Passes over what bears a person's name and is no caller: the famous, the invented, shops, brands, cars, houses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from careline.privacy.names.annotated_text import AnnotatedText
from careline.privacy.names.lists.files import content
from careline.privacy.names.lists.lexicon import Strength, pieces

Phrase = tuple[str, ...]
_UNMISTAKABLE = 3
"""Words of a phrase that is nobody else's name."""


@dataclass(frozen=True, slots=True)
class Others:
    """Names that are no caller's: phrases by their first word, longest first; cars by make and model."""

    phrases: dict[str, tuple[Phrase, ...]]
    makes: frozenset[str]
    models: frozenset[str]


@cache
def others() -> Others:
    """The list, the same in every language: callers watch and buy the same things."""
    own: dict[str, Any] = content("others")
    phrases: dict[str, list[Phrase]] = {}
    for name in ("people", "brands", "houses"):
        for phrase in own[name].split(";"):
            words = pieces(phrase.replace("& ", ""))
            phrases.setdefault(words[0], []).append(words)
    by_length = {first: tuple(sorted(each, key=len, reverse=True)) for first, each in phrases.items()}
    return Others(by_length, frozenset(own["makes"].split()), frozenset(own["models"].split()))


def other_end(reading: AnnotatedText, at: int) -> int:
    """The end of a thing's or a famous person's name that begins at a word; `at` if none does."""
    if reading.strengths[at] >= Strength.WEAK:
        return at
    listed = others()
    word = reading.tokens[at].word
    for phrase in listed.phrases.get(word, ()):
        if all(reading.word(at + i) == part for i, part in enumerate(phrase)):
            end = at + len(phrase)
            return at if len(phrase) < _UNMISTAKABLE and _does_something(reading, end) else end
    end = at
    if word in listed.makes and reading.follows(at + 1):
        end = at + 1
        while end - at < 3 and reading.follows(end) and reading.word(end) in listed.models:
            end += 1
    return end if end > at + 1 else at


def _does_something(reading: AnnotatedText, at: int) -> bool:
    """Whether a verb stands here whose subject comes to the hospital: many a caller has a famous name."""
    word = reading.word(at)
    lexicon = reading.lexicon
    # "à" is no verb, though without its accent it looks like one.
    return (
        word in lexicon.grammar.person_verbs
        and word not in lexicon.grammar.copulas
        and word not in lexicon.other_senses.place_before
    )
