"""Finds a term that means several things and whose question does not say which: "diabetes", "heart failure"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from careline.packs.clarifications import AmbiguousTerm, Meaning, Phrase
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


def undivided(
    text: str, before: Sequence[str], language: str, term: AmbiguousTerm
) -> tuple[FoundTerm, Meaning | None] | None:
    """Where a term stands in a text, and which of its meanings is known by it or by those `before`, if any.

    None where it does not stand there, or where they say more: which part of that meaning, or what nobody divides.
    """
    text = text[:LONGEST]
    clear = [phrase for phrase in term.clear if any(holds_any(each, [phrase]) for each in (text, *before))]
    meant = next((one for one in term.meanings if one.then and all(_is_said_by(phrase, one) for phrase in clear)), None)
    words = words_of(text)
    names = [*term.words, *((name,) for one in term.meanings for name in _short(one))]
    spans = [(one.start, one.end) for one in find_terms(text, language) if one.key in term.terms]
    spans += [place for name in names if (place := _place(words, name)) is not None]
    if meant is None or not spans:
        return None
    start, end = max(spans, key=lambda span: span[1] - span[0])
    return FoundTerm(term, start, end), meant if clear else None


def _is_said_by(phrase: Phrase, meaning: Meaning) -> bool:
    """Whether the words of a phrase are among those of a meaning, whatever their ending."""
    told = [word.plain for word in words_of(f"{meaning.told} {meaning.put}")]
    return all(any(one.startswith(word) or word.startswith(one) for one in told) for word in phrase)


def _short(meaning: Meaning) -> list[str]:
    """What a meaning is called by its initials: "chronic kidney disease (CKD)"."""
    return [word.plain for word in words_of(meaning.told) if word.text.isupper() and len(word.text) > 1]


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
