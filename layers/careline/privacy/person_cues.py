"""Holds what stands beside the name of a person, read from `data/person` when a language is first needed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from careline.privacy.person_tokens import Token

_PART = re.compile(r"[^\W\d_]+'(?=[^\W\d_]{2})|[^\s']+(?:'[^\s']+)*|\S+")
_ELISIONS = frozenset("l' d' j' qu' n' s' c' m' t' jusqu' un' dell' nell' all' dall' sull' quell'".split())


class Strength(IntEnum):
    """How surely a name follows: FAINT "with", WEAK "this is", KIN "my son", TITLE "madam", INTRODUCED "my name is".

    A phrase of one word ("name") introduces no more surely than a title does.
    """

    NONE = 0
    FAINT = 1
    WEAK = 2
    KIN = 3
    TITLE = 4
    INTRODUCED = 5


@dataclass(frozen=True, slots=True)
class Cues:
    """The cues of one language. `phrases`: by first word, the words and the strength, longest first."""

    language: str
    phrases: dict[str, list[tuple[tuple[str, ...], Strength]]]
    staff: frozenset[str]
    named_before: frozenset[str]
    named_after: frozenset[str]
    disease: frozenset[str]
    disease_of: frozenset[str]
    place_before: frozenset[str]
    articles: frozenset[str]
    stop: frozenset[str]
    accented: frozenset[str]
    kin: frozenset[str]
    before_verb: frozenset[str]
    predicates: frozenset[str]
    verbs: frozenset[str]
    particles: frozenset[str]
    spelled: frozenset[str]
    of_names: frozenset[str]
    links: frozenset[str]
    doubles: frozenset[str]
    eponyms: frozenset[str]
    shared_eponyms: frozenset[str]
    not_names: frozenset[str]
    months: frozenset[str]
    suffixes: tuple[str, ...]


def _content(name: str) -> dict[str, str]:
    content: dict[str, str] = yaml.load(
        (files("careline.privacy") / "data" / "person" / f"{name}.yaml").read_bytes(),
        Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader),  # noqa: S506  both are safe loaders
    )
    return content


def _pieces(phrase: str) -> tuple[str, ...]:
    """A phrase cut as `person_tokens.cut` cuts a text: an elided word stands alone, a possessive is dropped."""
    found = []
    for part in phrase.split():
        head, mark, rest = part.partition("'")
        if mark and rest and head + mark in _ELISIONS and len(rest) > 1:
            found += [head + mark, rest]
        elif part.endswith("'s") and len(part) > 2:
            found.append(part[:-2])
        else:
            found.append(part)
    return tuple(found)


def _phrases(own: dict[str, str]) -> dict[str, list[tuple[tuple[str, ...], Strength]]]:
    """The phrases that introduce a name, by their first word, longest first."""
    phrases: dict[str, list[tuple[tuple[str, ...], Strength]]] = {}
    for field, strength in (
        ("introduce", Strength.INTRODUCED),
        ("title", Strength.TITLE),
        ("kin", Strength.KIN),
        ("weak", Strength.WEAK),
        ("faint", Strength.FAINT),
    ):
        for line in own[field].splitlines():
            pieces = _pieces(line)
            is_loose = len(pieces) == 1 and strength is Strength.INTRODUCED
            phrases.setdefault(pieces[0], []).append((pieces, Strength.TITLE if is_loose else strength))
    for options in phrases.values():
        options.sort(key=lambda option: -len(option[0]))
    return phrases


@cache
def cues(language: str) -> Cues:
    """The cues of "nl", "en", "fr" or "it"."""
    own, shared = _content(language), _content("shared")

    def entries(name: str, source: dict[str, str] = own) -> frozenset[str]:
        return frozenset(source[name].split())

    return Cues(
        language=language,
        phrases=_phrases(own),
        kin=frozenset(line for line in own["kin"].splitlines() if " " not in line),
        suffixes=tuple(own["suffixes"].split()),
        staff=entries("staff"),
        named_before=entries("named_before"),
        named_after=entries("named_after"),
        disease=entries("disease"),
        place_before=entries("place_before"),
        articles=entries("articles"),
        stop=entries("stop"),
        accented=entries("accented"),
        before_verb=entries("before_verb"),
        predicates=entries("predicates"),
        verbs=entries("verbs"),
        particles=entries("particles"),
        spelled=entries("spelled"),
        of_names=entries("of_names"),
        links=entries("links"),
        doubles=entries("doubles"),
        disease_of=entries("disease_of", shared),
        eponyms=entries("eponyms", shared),
        shared_eponyms=entries("shared_eponyms", shared),
        not_names=entries("not_names", shared),
        months=entries("months", shared),
    )


def strengths(tokens: Sequence[Token], cues: Cues) -> list[Strength]:
    """For each word, how surely a name begins there, by what stands before it; a title keeps a stronger cue."""
    found = [Strength.NONE] * (len(tokens) + 1)
    for end, start, strength in _matches(tokens, cues):
        carried = found[start] if strength is Strength.TITLE else Strength.NONE
        found[end] = max(found[end], strength, carried)
    return found[: len(tokens)]


def _matches(tokens: Sequence[Token], cues: Cues) -> Iterator[tuple[int, int, Strength]]:
    fillers = ("euh", "eh", "uh", "um", "uhm", "ehm", "er", "erm", "hm", "ah")
    free = 0
    for start, token in enumerate(tokens):
        if start < free:
            continue
        for phrase, strength in cues.phrases.get(token.word, ()):
            end = start + len(phrase)
            if end <= len(tokens) and all(tokens[start + i].word == word for i, word in enumerate(phrase)):
                free = end
                while end < len(tokens) and tokens[end].word in fillers:
                    end += 1
                if end < len(tokens):
                    yield end, start, strength
                break
