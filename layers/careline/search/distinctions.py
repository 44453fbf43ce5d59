"""Tells what of a question a passage must hold to be about the same case: a number, a name, a day, who it is for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from careline.search.label_days import WEEKEND, asked_days, days_of
from careline.search.label_ranges import UNITS_OF_TIME, ranges
from careline.search.label_words import ARTICLES, LabelWord, folded, label_words, question_words, same, vocabulary
from careline.search.with_or_without import is_the_opposite

_WORD = re.compile(r"[^\W\d_]+")
_ENTITLED = "entitled"
"""The concept of an increased reimbursement, which tells whose the amount is."""
SHORTEST_NAME = 4
"""Letters of a word that counts as a name in a title."""
_A_WEEK = frozenset(("week", "weekday"))
"""What "la settimana" may mean: seven days, or those that are no weekend."""

_SUBSCRIPTION = frozenset(("subscription",))
_FOUND = "lost_property"
_BIRTH, _BORN = "maternity", frozenset(("baby", "child"))
_TOLD_IN_PROSE = frozenset(("child", "baby", "senior", "lost", "subscription"))
"""Cases that a sentence of prose is held to, besides days and names."""


def telling(question: str, language: str, *, numbers: bool = True) -> tuple[LabelWord, ...]:
    """The words of a question that tell its case from others, in order.

    Without `numbers` these are left out: people tell of amounts and ages that are not what they ask about.
    """
    words = question_words(question, language)
    return tuple(word for n, word in enumerate(words) if distinguishes(words, n) and (numbers or word.number is None))


def unmet(wanted: Sequence[LabelWord], texts: Iterable[str], written_in: str) -> tuple[LabelWord, ...]:
    """The words that none of the texts has, in order."""
    if not wanted:
        return ()
    texts = tuple(texts)
    held = [label for text in texts for line in text.splitlines() for label in label_words(line, written_in)]
    spans = [span for text in texts for span in ranges(text)]
    return tuple(
        word
        for word in wanted
        if not any(same(word, label, typed_wrong=True) for label in held)
        and not (word.number is not None and any(span.holds(word.number) for span in spans))
    )


def is_of_another_case(
    question: str,
    language: str,
    texts: Sequence[str],
    about: Sequence[str],
    written_in: str,
    *,
    numbers: bool,
    in_prose: bool = False,
) -> bool:
    """Whether texts are of another case than the one that is asked about: Saturday for Monday, a child for an adult,
    with a letter for without one.

    `about` are the title and headings of the texts. A text that says nothing of days is of every day. A name or, with
    `numbers`, a number that is asked for has to be there. A sentence `in_prose` says for itself of which department and
    time of day it tells; what it says of nobody in particular it says of adults.
    """
    asked = question_words(question, language)
    telling_case = [
        word
        for n, word in enumerate(asked)
        if (distinguishes(asked, n) and (numbers or word.number is None))
        or (not word.is_talk and any(case & word.concepts for case in _cases()))
    ]
    topic = frozenset().union(*(label.concepts for text in about for label in label_words(text, written_in)))
    if _FOUND in topic or any(_FOUND in word.concepts for word in asked):
        # Who has lost a scarf asks for no lost ticket.
        telling_case = [word for word in telling_case if "lost" not in word.concepts]
    if in_prose:
        telling_case = [
            word for word in telling_case if asked_days(word) or not word.concepts or word.concepts & _TOLD_IN_PROSE
        ]
    if _BIRTH in topic:
        # A first baby and a first child are one there.
        telling_case = [word for word in telling_case if word.concepts.isdisjoint(_BORN)]
    texts = (*about, *texts)
    missing = unmet(telling_case, texts, written_in)
    lines = [label_words(line, written_in) for text in texts for line in text.splitlines()]
    said = frozenset().union(*(label.concepts for line in lines for label in line))
    if not in_prose and is_the_opposite(asked, lines):
        return True
    if any(
        len(case) == 1
        and case <= said - topic
        and not any(case <= word.concepts for word in asked)
        and not _is_named(case, lines, asked)
        and not _is_for_asked_length(case, lines, asked)
        for case in _cases()
    ):
        return True
    return any(_is_missed(word, said, texts, written_in) for word in missing)


def _is_named(case: frozenset[str], lines: Iterable[Sequence[LabelWord]], asked: Sequence[LabelWord]) -> bool:
    """Whether a question names what is of a case by its own word, typed wrongly: "duplicatta"."""
    labels = [label for line in lines for label in line if case <= label.concepts]
    return any(same(word, label, typed_wrong=True) for label in labels for word in asked)


def _is_for_asked_length(
    case: frozenset[str], lines: Iterable[Sequence[LabelWord]], asked: Sequence[LabelWord]
) -> bool:
    """Whether what is of a case is for a length of time that a question names: a weekly card, where "for a week" is."""
    wanted = UNITS_OF_TIME & frozenset().union(*(word.concepts for word in asked))
    labels = [label for line in lines for label in line if case <= label.concepts]
    return case == _SUBSCRIPTION and any(wanted & label.concepts for label in labels)


def is_for_entitled(question: str, language: str, label: str, written_in: str) -> bool:
    """Whether a label is for those with an increased reimbursement, whom the question does not name."""
    if any(_ENTITLED in word.concepts for word in question_words(question, language)):
        return False
    return any(_ENTITLED in word.concepts for word in label_words(label, written_in))


def words_of(text: str) -> frozenset[str]:
    """The longer words of a text without accents, to find names in it."""
    return frozenset(word for word in _WORD.findall(folded(text)) if len(word) >= SHORTEST_NAME)


def names_of(titles: Iterable[str], texts: Iterable[str]) -> frozenset[str]:
    """The longer words of titles that are names, such as a campus: nowhere written with a small letter."""
    found = {word for title in titles for word in _WORD.findall(title) if word[0].isupper()}
    small = {word for text in texts for word in _WORD.findall(text) if word[0].islower()}
    return frozenset().union(*map(words_of, found)) - frozenset().union(*map(words_of, small))


_LINKS = frozenset(("di", "de", "du", "of", "van"))
_SITES = frozenset(("campus", "site"))


def places_of(text: str) -> frozenset[str]:
    """The names in a text that stand behind "campus", "building" and the like, or before it as English has them, in
    lower case without accents."""
    words, known = [word for word in _WORD.findall(text) if folded(word) not in _LINKS], vocabulary().before_names
    pairs = [(folded(first), folded(second), first, second) for first, second in pairwise(words)]
    behind = {second for first, second, _, name in pairs if first in known and name[0].isupper()}
    before = {first for first, second, name, _ in pairs if second in _SITES and name[0].isupper()}
    return frozenset(behind | {name for name in before if name not in known and not _is_talk(name)})


def _is_talk(word: str) -> bool:
    return any(word in talk for talk in vocabulary().talk.values())


def _is_missed(word: LabelWord, said: frozenset[str], texts: Sequence[str], written_in: str) -> bool:
    days = asked_days(word)
    if days or word.concepts >= _A_WEEK:
        covered = frozenset().union(*(days_of(line, written_in) for text in texts for line in text.splitlines()))
        # What tells of Saturday tells of the weekend.
        is_told = days <= covered or (days == WEEKEND and bool(days & covered))
        return bool(covered) and (not is_told if days else covered <= WEEKEND)
    groups = [case for case in _cases() if case & word.concepts]
    return not groups or any(len(case) == 1 or (case & said and not case & word.concepts <= said) for case in groups)


def _cases() -> tuple[frozenset[str], ...]:
    return vocabulary().cases


def distinguishes(words: Sequence[LabelWord], n: int) -> bool:
    """Whether the word at a place tells a case from others: a number, a name behind "campus", a day, for whom it is."""
    word, known = words[n], vocabulary()
    if word.number is not None:
        return word.number != 1
    if word.concepts & known.distinguishing:
        return True
    if n == 0 or words[n - 1].text not in known.before_names or word.is_talk or word.concepts:
        return False
    # "When does a doctor turn up" names nobody.
    return n == 1 or words[n - 2].text not in ARTICLES


def accounted(question: str, language: str, texts: Iterable[str], written_in: str) -> int:
    """How many words of a question that name something the texts have."""
    held = [label for text in texts for line in text.splitlines() for label in label_words(line, written_in)]
    named = [word for word in question_words(question, language) if not word.is_talk]
    return sum(any(same(word, label) for label in held) for word in named)
