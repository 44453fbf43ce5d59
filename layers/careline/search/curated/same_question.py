"""Tells whether a question is one that a person's answer was written for: nothing that either names is missing in the
other, and both ask for the same.

Nearness in meaning cannot tell: "campus North" and "campus South", "before" and "after", 2023 and 2024 lie next to each
other. So words, figures and what is asked for must agree, and whoever asks otherwise is answered as ever: the answer
stays among the passages that the reader chooses from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import yaml

from careline.model import LANGUAGES
from careline.text.figures import Figure, figures, is_same, readable
from careline.text.label_words import LabelWord, folded, question_words, same

_WORD = re.compile(r"[^\W_]+")
_WEAK = ("which", "how", "amount")
"""What is asked for only where nothing else is: "how late" asks for a time, "how much time" for how long."""


def is_same_question(asked: str, written: str, language: str) -> bool:
    """Whether two questions of one language ask the same; False in doubt, and where neither names anything."""
    if _plain(asked) == _plain(written):
        return True
    said, held = _named(asked, language), _named(written, language)
    if not said or not held:
        return False
    return (
        _marks(asked, language) == _marks(written, language)
        and _are_same(_figures(asked, language), _figures(written, language))
        and all(any(same(word, other) for other in held) for word in said)
        and all(any(same(word, other) for other in said) for word in held)
    )


def _plain(question: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(question.casefold()))


def _named(question: str, language: str) -> list[LabelWord]:
    """The words that name something; figures are compared by themselves."""
    return [word for word in question_words(question, language) if not word.is_talk and word.number is None]


def _figures(question: str, language: str) -> list[Figure]:
    return figures(readable(question), (language,))


def _are_same(some: Sequence[Figure], others: Sequence[Figure]) -> bool:
    return all(any(is_same(one, other) for other in others) for one in some) and all(
        any(is_same(one, other) for one in some) for other in others
    )


def _marks(question: str, language: str) -> frozenset[str]:
    """What is asked for, what turns it round, and whom it is about."""
    listed = _listed().get(language, {})
    found = {name for word in _plain(question) for name in (*listed.get(word, ()), *listed.get(folded(word), ()))}
    for weak in _WEAK:
        if len(found & _asks()) > 1:
            found.discard(weak)
    return frozenset(found)


@cache
def _content() -> dict[str, dict[str, str]]:
    text = files("careline.search.curated").joinpath("same_question.yaml").read_text("utf-8")
    content: dict[str, dict[str, str]] = yaml.load(text, Loader=yaml.CSafeLoader)
    return content


@cache
def _asks() -> frozenset[str]:
    return frozenset(_content()["asks"])


@cache
def _listed() -> dict[str, dict[str, tuple[str, ...]]]:
    """By language, what each word marks."""
    found: dict[str, dict[str, tuple[str, ...]]] = {code: {} for code in LANGUAGES}
    for table in _content().values():
        for name, listed in table.items():
            for code, words in zip(LANGUAGES, listed.split("|"), strict=True):
                for word in words.split():
                    found[code][word] = (*found[code].get(word, ()), name)
    return found
