"""The closed classes of words by which questions are told apart, as `same_question.yaml` lists them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

import yaml

from careline.model import LANGUAGES
from careline.text.label_words import folded


def marks(words: Sequence[str], table: str, language: str) -> frozenset[str]:
    """What a table has any of these words for; `words` are in lower case and in order, as two may be listed as one."""
    return frozenset(name for at in range(len(words)) for name in marks_at(words, at, table, language))


def marks_at(words: Sequence[str], at: int, table: str, language: str) -> Iterator[str]:
    """What a table has the word at a place for: alone, with the one behind it, or by its ending."""
    listed, word = _listed(table).get(language, {}), words[at]
    yield from listed.get(word, ()) or listed.get(folded(word), ())
    if at + 1 < len(words):
        yield from listed.get(folded(f"{word}-{words[at + 1]}"), ())
    yield from (name for ending, names in _endings(table)[language] if word.endswith(ending) for name in names)


@cache
def concepts_anywhere() -> frozenset[str]:
    """The concepts of words that may stand anywhere in a question without another role."""
    return frozenset(_content()["anywhere"]["concepts"].split())


@cache
def _content() -> dict[str, dict[str, str]]:
    text = files("careline.search.curated").joinpath("same_question.yaml").read_text("utf-8")
    content: dict[str, dict[str, str]] = yaml.load(text, Loader=yaml.CSafeLoader)
    return content


@cache
def _listed(table: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """By language, what each word of a table stands for."""
    found: dict[str, dict[str, tuple[str, ...]]] = {code: {} for code in LANGUAGES}
    for name, listed in _content()[table].items():
        for code, words in zip(LANGUAGES, listed.split("|"), strict=True):
            for word in words.split():
                found[code][word] = (*found[code].get(word, ()), name)
    return found


@cache
def _endings(table: str) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """By language, the endings among the words of a table, which begin with a hyphen."""
    return {
        code: [(word[1:], names) for word, names in listed.items() if word.startswith("-")]
        for code, listed in _listed(table).items()
    }
