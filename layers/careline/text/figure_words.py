"""Holds the word lists that grounding reads figures, medicines and denials with, and the plain letters they are in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from careline.text.bounded_re2 import compile_bounded
from careline.text.note_signs import SUPERSCRIPTS

_SIGNS = {
    "½": " 1/2", "¼": " 1/4", "¾": " 3/4", "⅓": " 1/3", "⅔": " 2/3", "µ": "u", "μ": "u", "×": "x", "’": "'", "‘": "'",
    "–": "-", "—": "-", "‑": "-", "−": "-", "\u2044": "/", "œ": "oe", "æ": "ae", "Œ": "oe", "Æ": "ae", "ß": "ss",
    "\u00ad": "", "\u200b": "", "№": "nr ",
}  # fmt: skip
"""Signs that stand for others; dashes, quotes and the two micro signs become one of each."""

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


class _Letters(dict[str, str]):
    """What becomes of each character outside ASCII: its letter without accents, or the sign it stands for."""

    def __missing__(self, character: str) -> str:
        unfolded = unicodedata.normalize("NFKD", character)
        self[character] = "".join(c for c in unfolded if not unicodedata.combining(c))
        return self[character]


_LETTERS = _Letters(_SIGNS | dict.fromkeys(SUPERSCRIPTS, ""))
"""A note's sign behind a number is no digit of it."""


@dataclass(frozen=True, slots=True)
class MeasureUnit:
    """A unit of measure: what it measures, and what one of it is worth in the kind's own unit."""

    kind: str
    one: float


@dataclass(frozen=True, slots=True)
class Denials:
    """The words of one language that make a statement deny, and those between two of which one denies."""

    words: frozenset[str]
    without: frozenset[str]
    with_ne: frozenset[str]
    but: frozenset[str]
    but_does: frozenset[str]


@dataclass(frozen=True, slots=True)
class Words:
    """Everything of `data/figures.yaml`, ready to be looked up. Numbers are by language, written as digits."""

    units: Mapping[str, MeasureUnit]
    doses: frozenset[str]
    per: frozenset[str]
    daily: frozenset[str]
    labels: Mapping[str, str]
    numbers: Mapping[str, Mapping[str, str]]
    ordinals: Mapping[str, int]
    only_before_unit: frozenset[str]
    one: frozenset[str]
    phrases: tuple[tuple[Any, str], ...]
    halves: tuple[tuple[Any, str], ...]
    clock_before: frozenset[str]
    clock_units: frozenset[str]
    afternoon: frozenset[str]
    named_times: Mapping[str, int]
    months: Mapping[str, int]
    denials: Mapping[str, Denials]
    contracted: frozenset[str]
    exceptions: frozenset[str]
    clauses: frozenset[str]


def plain(text: str) -> str:
    """The text in lower case without accents, with one kind of dash, quote and space; line breaks stay."""
    if not text.isascii():
        text = _NOT_ASCII.sub(lambda found: _LETTERS[found[0]], text)
    return text.casefold()


@cache
def words() -> Words:
    """The word lists, read once."""
    held = _read("figures.yaml")
    return Words(
        units={
            word: MeasureUnit(each["kind"], float(each["one"]))
            for each in held["units"]
            for word in each["words"].split()
        },
        doses=_set(held["doses"]),
        per=_set(held["per"]),
        daily=_set(held["daily"]),
        labels={word: label for label, listed in held["labels"].items() for word in listed.split()},
        numbers={code: _numbers(listed, held["amounts"][code]) for code, listed in held["numbers"].items()},
        ordinals={word: n for listed in held["ordinals"].values() for n, word in enumerate(listed.split(), 1)},
        only_before_unit=_set(held["only_before_unit"]),
        one=_set(held["one"]),
        phrases=_phrases(held["phrases"]),
        halves=_phrases(held["halves"]),
        clock_before=_set(held["clock_before"]),
        clock_units=_set(held["clock_units"]),
        afternoon=_set(held["afternoon"]),
        named_times=held["named_times"],
        months={word: n for n, listed in enumerate(held["months"], 1) for word in listed.split()},
        denials={
            code: Denials(*(_set(each.get(key, "")) for key in ("words", "without", "with_ne", "but", "but_does")))
            for code, each in held["negation"].items()
        },
        contracted=_set(held["contracted"]),
        exceptions=_set(held["exceptions"]),
        clauses=_set(held["clauses"]),
    )


def _numbers(listed: str, others: Mapping[str, str]) -> Mapping[str, str]:
    """Number words as digits. Nought and one are left out: one is an article in three of the languages."""
    counted = {word: str(n) for n, word in enumerate(listed.split()) if n > 1}
    return {**counted, **others}


def _phrases(listed: list[list[str]]) -> tuple[tuple[Any, str], ...]:
    return tuple((compile_bounded(pattern), said) for pattern, said in listed)


def _read(name: str) -> dict[str, Any]:
    text = files("careline.text").joinpath("data", name).read_text("utf-8")
    content: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return content


def _set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())
