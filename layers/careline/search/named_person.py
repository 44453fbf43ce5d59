"""Finds the people a question names, so that "and doctor Claeskens?" asks about her and no longer about the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from careline.search.asked_words import AskedWord, listed, phrase_at, phrases, words_of
from careline.search.label_words import question_words
from careline.search.question_kinds import PLACE, parts

_LONGEST_NAME = 4
"""Words of a name without the small ones in it."""


@dataclass(frozen=True, slots=True)
class Person:
    """A stretch of words, `start` to `end`, that is a name with the title before it, if there is one."""

    start: int
    end: int


def other_person(earlier: str, new: str, language: str) -> str | None:
    """The earlier question with the person of a follow-up in the place of its own; None where the follow-up is more
    than a person, or the earlier question names nobody.
    """
    said, words = words_of(new), words_of(earlier)
    person = _is_person(said, language)
    if person is None:
        return _asked_of_another(said, earlier, new, language)
    before = _titled(words, language)
    if said[person.start].plain in listed("titles", language) or said[person.start].is_token:
        before = before or _untitled(earlier, words, language)
    elif any(part.kind == PLACE for part in parts(earlier, language)):
        return None
    if not before:
        return None
    first, *more = before
    name = new[said[person.start].start : said[person.end - 1].end]
    for each in reversed(more):
        earlier = _cut(earlier, words, each, language)
    return earlier[: words[first.start].start] + name + earlier[words[first.end - 1].end :]


def _asked_of_another(said: Sequence[AskedWord], earlier: str, new: str, language: str) -> str | None:
    """A follow-up that asks of one person with a title itself, as it stands: "and his colleague, doctor Maes, on which
    days?" asks nothing more of the other; None where it asks nothing, or the earlier question names nobody so."""
    named = _titled(said, language)
    if len(named) != 1 or not _titled(words_of(earlier), language):
        return None
    asks = any(phrase_at(said, n, phrases("asks", language)) for n in range(len(said)))
    return new if asks else None


def _is_person(words: Sequence[AskedWord], language: str) -> Person | None:
    """The person that a text is about and about nothing else; an article before it counts for nothing."""
    start = 0
    while start < len(words) and words[start].plain in listed("small", language):
        start += 1
    titled = _titled(words, language)
    if titled:
        return titled[0] if titled == [Person(start, len(words))] else None
    # A preposition before a name makes it a place's: "and in Lommel?".
    end = _name_end(words, 0, language) if words and words[0].is_name else 0
    return Person(0, end) if end and end == len(words) else None


def _titled(words: Sequence[AskedWord], language: str) -> list[Person]:
    """The people with a title before their name, and those whose name is kept back."""
    titles, found, at = listed("titles", language), list[Person](), 0
    while at < len(words):
        end = at
        while end < len(words) and words[end].plain in titles:
            end += 1
        last = _name_end(words, end, language, titled=True) if end > at or words[at].is_token else 0
        if last:
            found.append(Person(at, last))
        at = max(last, end, at + 1)
    return found


def _untitled(text: str, words: Sequence[AskedWord], language: str) -> list[Person]:
    """The first name without a title: words with capitals that are no place's and do not begin the sentence."""
    placed = {n for part in parts(text, language) if part.kind == PLACE for n in range(part.start, part.end)}
    for at in range(1, len(words)):
        if words[at].is_name and at not in placed and (end := _name_end(words, at, language)):
            return [Person(at, end)]
    return []


def _name_end(words: Sequence[AskedWord], at: int, language: str, titled: bool = False) -> int:
    """Behind the name that begins at a word, which may be written without capitals; 0 where none does. A particle
    belongs to it when a word of the name follows.
    """
    particles, end, count = listed("name_particles", language), at, 0
    capitals = any(word.is_name for word in words[at : at + 2])
    for n in range(at, len(words)):
        if words[n].plain not in particles:
            if count == _LONGEST_NAME or not _may_name(words[n], language, capitals, titled):
                break
            end, count = n + 1, count + 1
    return end if count else 0


def _may_name(word: AskedWord, language: str, capitals: bool, titled: bool) -> bool:
    """Whether a word may belong to a name: with its capital where the name has one, else no word of a question.

    "Rossi" behind a title is nobody's colour.
    """
    if word.is_token or word.plain in listed("titles", language):
        return word.is_token
    known = word.plain in listed("small", language) or _is_known(word, language)
    return word.is_name and (titled or not known) if capitals else not known


def _is_known(word: AskedWord, language: str) -> bool:
    read = question_words(word.text, language)
    return not read or any(label.is_talk or label.number is not None or label.concepts for label in read)


def _cut(text: str, words: Sequence[AskedWord], person: Person, language: str) -> str:
    """The text without a further person, and without the small words and the "and" before them."""
    start, passed_over = person.start, listed("small", language) | listed("joins", language)
    while start and words[start - 1].plain in passed_over:
        start -= 1
    behind = text[words[person.end - 1].end :]
    return text[: words[start - 1].end if start else 0] + behind
