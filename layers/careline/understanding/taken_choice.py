"""Finds which of several things is meant when somebody answers "which one do you mean?": by its words, by its place, or
by the number of that; or that it is none of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from careline.text.asked_words import AskedWord, holds, listed, named, phrase_at, phrases, words_of
from careline.text.label_words import LabelWord, question_words, same, vocabulary

LONGEST = 8
"""Words of an answer to that question; a longer one is a question of its own."""
_PLACES = {"first": 0, "third": 2, "fourth": 3}


def taken_choice(answer: str, told: Sequence[str], language: str) -> int | None:
    """The place of the one choice that an answer takes of those that were told; None where it takes none, or asks
    something."""
    words = words_of(answer)
    if not words or len(words) > LONGEST:
        return None
    if (place := _as_told(answer, told)) is not None:
        return place
    if _asks(words, language) or holds(words, phrases("several", language)):
        return None
    for read in (_by_words, _by_place, _by_number):
        place = read(answer, told, language)
        if place is not None:
            return place
    return None


def named_choice(answer: str, told: Sequence[str], language: str) -> int | None:
    """The same by words and numbers that stand in one alone: of what nobody was told in an order."""
    words = words_of(answer)
    if not words or len(words) > LONGEST or _asks(words, language):
        return None
    return _by_words(answer, told, language)


def takes_none(answer: str, language: str) -> bool:
    """Whether an answer says that no single one of what was told is meant, and not what is: "neither", "both",
    "something else", "I don't know"."""
    words = words_of(answer)
    if not words or len(words) > LONGEST:
        return False
    for table in ("none_of_choices", "several"):
        for at in range(len(words)):
            if length := phrase_at(words, at, phrases(table, language)):
                rest = (*words[:at], *words[at + length :])
                return not named(" ".join(word.text for word in rest), language)
    return False


def affirms(answer: str, language: str) -> bool:
    """Whether an answer is a yes and nothing more."""
    words = words_of(answer)
    return bool(words) and phrase_at(words, 0, phrases("affirms", language)) == len(words)


def _asks(words: Sequence[AskedWord], language: str) -> bool:
    return any(phrase_at(words, at, phrases("asks", language)) for at in range(min(2, len(words))))


def _by_words(answer: str, told: Sequence[str], language: str) -> int | None:
    """The one that has every word and number the answer names; a number alone names a place."""
    asked = vocabulary().asks.get(language, {})
    said = question_words(answer, language)
    names = [word for word in said if word.number is not None or not word.is_talk or word.text in asked]
    if all(word.number is not None for word in names):
        return None
    return _only(n for n, label in enumerate(told) if all(_has(label, name, language) for name in names))


def _as_told(answer: str, told: Sequence[str]) -> int | None:
    """The one that holds the answer's words as they stand, whatever they say: "how to pay"."""
    said = [word.plain for word in words_of(answer)]
    labels = ([word.plain for word in words_of(label)] for label in told)
    return _only(n for n, label in enumerate(labels) if len(said) > 1 and _stands_in(said, label))


def _stands_in(said: Sequence[str], label: Sequence[str]) -> bool:
    return any(list(label[at : at + len(said)]) == list(said) for at in range(len(label) - len(said) + 1))


def _has(label: str, name: LabelWord, language: str) -> bool:
    words = question_words(label, language)
    if name.number is not None:
        return any(word.number == name.number for word in words)
    return any(same(name, word, typed_wrong=True) for word in words)


def _by_place(answer: str, told: Sequence[str], language: str) -> int | None:
    """The first, the second, the last; "the other" of two."""
    last, second = listed("last", language), listed("second", language)
    words = words_of(answer)
    said = {word.plain for word in words}
    places = {place for table, place in _PLACES.items() if said & listed(table, language)}
    if holds(words, phrases("number_one", language)):
        places.add(0)
    if said & last:
        places.add(len(told) - 1)
    elif said & (second if len(told) == 2 else second - listed("other", language)):
        places.add(1)
    known = last | second | listed("of_choices", language).union(*(listed(table, language) for table in _PLACES))
    return _only(place for place in places if place < len(told) and not _names_more(answer, known, language))


def _by_number(answer: str, told: Sequence[str], language: str) -> int | None:
    """The one at the place that is said by its number; "four hours" is none."""
    said = question_words(answer, language)
    numbers = [word.number for word in said if word.number is not None]
    beside = listed("of_choices", language)
    is_measured = any(word.concepts for word in said if word.number is None and word.text not in beside)
    if len(numbers) != 1 or is_measured or _names_more(answer, beside, language):
        return None
    return int(numbers[0]) - 1 if numbers[0] in range(1, len(told) + 1) else None


def _names_more(answer: str, known: frozenset[str], language: str) -> bool:
    return any(word.text not in known for word in named(answer, language))


def _only(places: Iterable[int]) -> int | None:
    """The place, if it is one."""
    found = list(places)
    return found[0] if len(found) == 1 else None
