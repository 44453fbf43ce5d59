"""Takes the question out of what is said around it: greeting, name, story, thanks.

What a question cannot do without stays: the story it points back to ("and does that have to come off?"), or at least
the department, examination and campus that it does not name again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from careline.text.answer_kind import answer_kinds
from careline.text.asked_words import (
    AskedWord,
    has_subject,
    holds,
    is_measure,
    listed,
    named,
    phrase_at,
    phrases,
    words_of,
)
from careline.text.label_words import CLOCK, vocabulary
from careline.text.sentences import split
from careline.understanding.question_kinds import carried_over

LONGEST = 1_000
"""Characters that are looked at; what comes behind them stays as it is."""
WHOLE = 20
"""Words of a sentence with a question of which nothing but greeting and thanks is taken off. In a longer one, which
speech-to-text may have written without commas, the question may begin anywhere."""
STORY = 45
"""Words of the story, those before the question, that are kept for a question that points back to them."""
_INTRODUCTION = 6
"""Words of a clause that gives a name and where somebody lives."""
_SAYS_ENOUGH = 3
"""Words that name something, in a question that needs no story."""
_HOURS = frozenset(("minute", "half_hour", "hour"))
_FIRST_NAMES = 3
"""Words of a name as speech-to-text writes it, without capitals."""
_BREAK = re.compile(r"[,;:](?:\s+|$)|\s[-–—]\s")
_STOP = re.compile(r"(?<=\w{4}[.!])\s+(?=[a-zà-öø-ÿ])")
"""A full stop before a small letter, which ends a sentence of those who type no capitals."""


@dataclass(frozen=True, slots=True)
class _Clause:
    text: str
    sentence: int
    in_question: bool
    """Whether its sentence ends in a question mark."""
    asks: bool = False


def asked_part(text: str, language: str) -> str:
    """The question in a text of any length, with what it needs of the rest; empty where nothing else is said."""
    looked_at, rest = text[:LONGEST], text[LONGEST:]
    sentences = [part for sentence in split(looked_at, language) for part in _STOP.split(sentence)]
    clauses = [
        _Clause(part.strip(), number, sentence.rstrip(" \"'”»").endswith("?"))
        for number, sentence in enumerate(sentences)
        for part in _BREAK.split(sentence)
    ]
    kept = list(_unwrapped_clauses(clauses, language))
    count = len(words_of(looked_at))
    if not kept:
        return ""
    if len(sentences) > 1 or count > WHOLE:
        kept = _marked(kept, language)
        first = next((n for n, clause in enumerate(kept) if clause.asks), 0)
        asking = [clause for clause in kept if clause.asks] or kept
        kept = [*_story_for(_joined(asking), kept[:first], language), *asking]
    whole = sum(len(words_of(clause.text)) for clause in kept) == count
    return text if whole else _joined(kept) + rest


def points_back(question: str, language: str) -> bool:
    """Whether a question leaves its subject to what was said before it."""
    words = words_of(question)
    if holds(words, phrases("stands_for", language)):
        return True
    names = named(_without_measures(question, words, language), language)
    return not names or (len(names) < 3 and holds(words, phrases("may_stand_for", language)))


def _without_measures(question: str, words: Sequence[AskedWord], language: str) -> str:
    """The question without "in advance" and "in total", which are no subject of one."""
    known = phrases("measures", language)
    for at in range(len(words) - 1, -1, -1):
        if taken := phrase_at(words, at, known):
            question = f"{question[: words[at].start]}{question[words[at + taken - 1].end :]}"
    return question


def _unwrapped_clauses(clauses: Iterable[_Clause], language: str) -> Iterator[_Clause]:
    """The clauses without what is said around a question; those of nothing else are left out."""
    greeted = False
    for clause in clauses:
        for part in _led_in(clause, language):
            left = _unwrapped(part.text, language, may_be_name=greeted or not clause.in_question)
            greeted = greeted or left != part.text
            if words_of(left) and (part.asks or part is clause or named(left, language)):
                yield replace(part, text=left)


def _led_in(clause: _Clause, language: str) -> Iterator[_Clause]:
    """A clause; one in which a phrase leads to the question, as what stands before and behind that."""
    words, known = words_of(clause.text), phrases("leads_in", language)
    for at in range(len(words)):
        if length := phrase_at(words, at, known):
            yield replace(clause, text=clause.text[: words[at].start].strip())
            yield replace(clause, text=clause.text[words[at + length - 1].end :].strip(), asks=True)
            return
    yield clause


def _unwrapped(clause: str, language: str, *, may_be_name: bool) -> str:
    """A clause without the greeting it begins and the thanks it ends with; nothing of an introduction."""
    words = words_of(clause)
    start, end = _greeted(words, 0, language), _thanked(words, language)
    told = _introduced(words[start:end], language, may_be_name=may_be_name or start > 0)
    start = _greeted(words, start + told, language) if told else start
    if start >= end or phrase_at(words[start:end], 0, phrases("alone", language)) == end - start:
        return ""
    polite = phrase_at(words, start, phrases("polite", language))
    if polite:
        behind = words[start + polite : end]
        if not any(phrase_at(behind, 0, phrases(table, language)) for table in ("about", "asks")):
            return ""
        start += polite
    return clause if (start, end) == (0, len(words)) else clause[words[start].start : words[end - 1].end]


def _greeted(words: Sequence[AskedWord], start: int, language: str) -> int:
    """Where what is meant begins, behind greetings and thanks."""
    while taken := max(phrase_at(words, start, phrases(table, language)) for table in ("greets", "thanks")):
        if phrase_at(words, start, phrases("polite", language)) > taken:
            break
        start += taken
    return start


def _thanked(words: Sequence[AskedWord], language: str) -> int:
    """Where thanks begin at the end."""
    end, known = len(words), phrases("thanks", language)
    while taken := next((n for n in range(1, min(end, 6) + 1) if phrase_at(words[:end], end - n, known) == n), 0):
        end -= taken
    return end


def _introduced(words: Sequence[AskedWord], language: str, *, may_be_name: bool) -> int:
    """How many words at the beginning say who somebody is. A capital alone makes no name where one may be asked for."""
    names = next((n for n, word in enumerate(words) if not word.is_name), len(words))
    told = phrase_at(words, 0, phrases("introduces", language))
    behind = phrase_at(words, names, phrases("introduces_after", language)) if names else 0
    if behind:
        told = names + behind
    if not told or not (may_be_name or any(word.is_token for word in words[: told + 1])):
        return 0
    rest = words[told:]
    if len(rest) <= _INTRODUCTION and not any(phrase_at(rest, n, phrases("asks", language)) for n in range(len(rest))):
        return len(words)
    begun = ("polite", "asks", "leads_in")
    ends = (n for n in range(1, _FIRST_NAMES + 1) if any(phrase_at(rest, n, phrases(one, language)) for one in begun))
    return told + next(ends, next((n for n, word in enumerate(rest) if not word.is_name), len(rest)))


def _marked(clauses: Sequence[_Clause], language: str) -> list[_Clause]:
    """The clauses with those marked that ask; one that goes on from a story to the question is parted there."""
    any_question = any(clause.in_question for clause in clauses)
    parted = [part for clause in clauses for part in _run_on(clause, language, any_question)]
    marked = [
        replace(one, asks=one.asks or ((one.in_question or not any_question) and _begins_to_ask(one, language)))
        for one in parted
    ]
    sentences = groupby(marked, lambda one: one.sentence)
    return [clause for _, sentence in sentences for clause in _extended(sentence, language)]


def _extended(sentence: Iterable[_Clause], language: str) -> list[_Clause]:
    """The clauses of a sentence. What follows one that asks, or is its condition, asks too; a short sentence whole."""
    clauses = list(sentence)
    first = next((n for n, clause in enumerate(clauses) if clause.asks), len(clauses))
    if first == len(clauses) and clauses[-1].in_question:
        first -= 1
    while 0 < first < len(clauses) and phrase_at(words_of(clauses[first - 1].text), 0, phrases("conditions", language)):
        first -= 1
    if first < len(clauses) and sum(len(words_of(clause.text)) for clause in clauses) <= WHOLE:
        first = 0
    return [replace(clause, asks=n >= first) for n, clause in enumerate(clauses)]


def _run_on(clause: _Clause, language: str, any_question: bool) -> Iterator[_Clause]:
    """A long clause that asks only behind its beginning, as story and question."""
    words = words_of(clause.text)
    may_ask = not clause.asks and (clause.in_question or not any_question)
    if len(words) > WHOLE and may_ask and not _begins_to_ask(clause, language):
        known = phrases("asks_for_sure", language)
        at = next((n for n in range(3, len(words)) if phrase_at(words, n, known)), 0)
        if at:
            yield replace(clause, text=clause.text[: words[at].start].strip())
            yield replace(clause, text=clause.text[words[at].start :], asks=True)
            return
    yield clause


def _begins_to_ask(clause: _Clause, language: str) -> bool:
    words = words_of(clause.text)
    start = 1 if words and words[0].plain in listed("joins", language) else 0
    return phrase_at(words, start, phrases("asks", language)) > 0


def _story_for(question: str, story: Sequence[_Clause], language: str) -> list[_Clause]:
    """What of the story the question needs."""
    if not _needs_story(question, language):
        carried = carried_over(_joined(story), question, language)
        return [_Clause(carried, -1, in_question=False)] if carried else []
    kept: list[_Clause] = []
    room = STORY
    for clause in reversed(story):
        room -= len(words_of(clause.text))
        if room < 0:
            break
        kept.append(replace(clause, text=_without_numbers(clause.text, language, answer_kinds(question))))
    return kept[::-1]


def _needs_story(question: str, language: str) -> bool:
    """Whether a question says too little by itself: it points back, or names few things and none of a hospital."""
    if points_back(question, language):
        return True
    people = any(word.plain in listed("persons", language) for word in words_of(question))
    return not has_subject(question, language) and (people or len(named(question, language)) < _SAYS_ENOUGH)


def _without_numbers(text: str, language: str, kinds: frozenset[str]) -> str:
    """The text without its numbers and what they count: ages and dates of a story are not asked about.

    Hours stay where a price is asked for ("I am there for three hours, what is that?"), times of day where a time is
    ("I take the bus of 9:20, when does it arrive?").
    """
    times = [match.span() for match in CLOCK.finditer(text)] if "time" in kinds else []
    if not times:
        text = CLOCK.sub(" ", text)
    numbers = {word for word, worth in vocabulary().numbers.get(language, {}).items() if worth > 1}
    words = words_of(text)
    for n in range(len(words) - 1, -1, -1):
        if words[n].plain in numbers or words[n].plain[0].isdigit():
            counted = n + 1 < len(words) and is_measure(words[n + 1].text, language)
            if any(start <= words[n].start < end for start, end in times):
                continue
            if "amount" in kinds and counted and is_measure(words[n + 1].text, language, _HOURS):
                continue
            text = f"{text[: words[n].start].rstrip()} {text[words[n + counted].end :].lstrip()}".strip()
    return text


def _joined(clauses: Sequence[_Clause]) -> str:
    """Clauses as running text, each sentence with its end."""
    text = ""
    for n, clause in enumerate(clauses):
        ends = n + 1 == len(clauses) or clauses[n + 1].sentence != clause.sentence
        mark = "?" if clause.in_question else "."
        bare = clause.text.rstrip(" .?!…")
        text += bare + ((mark + " " if n + 1 < len(clauses) or mark == "?" else "") if ends else ", ")
    return text.strip()
