"""Tells whether a question asks for a price by one unit and what was found has prices by others: minutes, kWh."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import yaml

from careline.text.answer_kind import tells_of_cost
from careline.text.bounded_re2 import compile_bounded
from careline.text.figure_words import words
from careline.text.figures import readable

MOST_NAMED = 2
"""Units of what was found that are named."""


@dataclass(frozen=True, slots=True)
class PriceUnit:
    """What a price is for: so much of a kind, in the kind's own unit, as `careline.text.figures` counts it."""

    kind: str
    worth: float

    def name(self, language: str) -> str:
        """What a language calls it."""
        return _units().names[self][language]


@dataclass(frozen=True, slots=True)
class UnitMismatch:
    """The unit that was asked for, and those that prices were found by."""

    asked: PriceUnit
    told: tuple[PriceUnit, ...]

    def told_in(self, language: str) -> str:
        """The units that were found, as a language names them."""
        return ", ".join(one.name(language) for one in self.told[:MOST_NAMED])


@lru_cache(maxsize=4_000)
def price_units(text: str) -> tuple[PriceUnit, ...]:
    """What the prices of a text are for, each once, in order; none where it tells nothing of what is paid. Kept: the
    same passages are found again and again."""
    named = _named(text)
    return named if named and tells_of_cost(text) else ()


def asked_unit(question: str) -> PriceUnit | None:
    """The one unit that a question wants a price by; None where it names none, or several."""
    found = _named(question)
    return found[0] if len(found) == 1 else None


def unit_mismatch(asked: PriceUnit | None, texts: Iterable[str]) -> UnitMismatch | None:
    """How prices in texts differ from what was asked by; None where they do not, or one side names no unit."""
    if asked is None:
        return None
    told = tuple(dict.fromkeys(unit for text in texts for unit in price_units(text)))
    return UnitMismatch(asked, told) if told and asked not in told else None


@lru_cache(maxsize=64)
def notices(template: str, language: str) -> frozenset[str]:
    """Every sentence that a template with `{unit}` and `{asked_unit}` can become: people reviewed these."""
    names = [one.name(language) for one in _units().names]
    told = (*names, *(f"{one}, {other}" for one in names for other in names if one != other))
    return frozenset(template.format(unit=one, asked_unit=asked) for one in told for asked in names)


def _named(text: str) -> tuple[PriceUnit, ...]:
    known = _units()
    found = known.pattern.findall(readable(f" {text} "))
    return tuple(dict.fromkeys(known.by_word[word] for word in found if word in known.by_word))


@dataclass(frozen=True, slots=True)
class _Units:
    pattern: Any
    by_word: Mapping[str, PriceUnit]
    names: Mapping[PriceUnit, Mapping[str, str]]


@cache
def _units() -> _Units:
    said: dict[str, Any] = yaml.safe_load(files("careline.value_framework").joinpath("units.yaml").read_text("utf-8"))
    names = {PriceUnit(one["kind"], float(one["one"])): one for one in said["units"]}
    by_word = {word: PriceUnit(unit.kind, unit.one) for word, unit in words().units.items()}
    by_word = {word: unit for word, unit in by_word.items() if unit in names}
    by_word |= {word: unit for unit, one in names.items() for word in one.get("words", "").split()}
    between = f"(?:(?:{_any(said['articles'].split())})[ '])?"
    per = _any(words().per | set(said["per"]))
    pattern = compile_bounded(rf"(?:/ ?|(?:^|[^a-z])(?:{per})[ ']{between})(?:1 )?([a-z]+)")
    return _Units(pattern, by_word, names)


def _any(listed: Iterable[str]) -> str:
    return "|".join(sorted(listed, key=lambda one: (-len(one), one)))


def spoken_of(mismatch: UnitMismatch) -> Sequence[str]:
    """The units that were asked for and found, in English, for the record."""
    return mismatch.asked.name("en"), mismatch.told_in("en")
