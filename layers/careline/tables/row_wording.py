"""Says one value of a table as a person would, where its label tells what kind of value it is: a price, hours, a
telephone number. The wording of the four languages is in `row_wording.yaml`; a value of no known kind has none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from careline.text.label_words import folded
from careline.text.phone_numbers import PHONE

_TIME = r"(?:[01]?[0-9]|2[0-4])(?:[:.][0-5][0-9]|[ ]?[hu][ ]?[0-5][0-9]|[ ]?[hu](?![a-z]))?"
_RANGE = re.compile(
    rf"(?<![0-9a-z.,:])({_TIME})[ ]?[-–—][ ]?({_TIME})(?![0-9a-z]|[.,:][0-9])"
    r"(?:[ ]?(?:uur|u|h|heures|hours|hrs)(?![a-z]))?",
    re.IGNORECASE,
)
_OTHER_UNIT = re.compile(r"[ ]?(?:[€$£%°]|eur|chf|m?mol|[mµ]?g\b|m?l\b|mm|cm|km)", re.IGNORECASE)
_MONEY = re.compile(
    r"(?:(?:€|EUR|CHF|£|\$)[ ]?[0-9]{1,7}(?:[., ’'][0-9]{2,3}){0,2}(?:,-)?|"
    r"[0-9]{1,7}(?:[., ’'][0-9]{2,3}){0,2}(?:,-)?[ ]?(?:€|EUR|euros?|CHF|£|\$))(?![0-9])",
    re.IGNORECASE,
)
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_CLOCK = re.compile(r"[:.hu]", re.IGNORECASE)
_LETTER = re.compile(r"[hu]", re.IGNORECASE)
_TRAILING = re.compile(r"[ ]?[hu]$", re.IGNORECASE)
_NO_DIGIT = re.compile(r"[^0-9]")
_MOST_FOR = 4
"""Words that say what an amount is for ("per begun hour")."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One wording rule: for values of a kind under certain labels. `unless` are beginnings of words."""

    value: str
    says: str
    labels: Mapping[str, str]
    unless: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RowWording:
    """The wording of one language; `row_wording.yaml` says what each part is."""

    range: str
    unit: str
    except_hours: frozenset[str]
    led_by: frozenset[str]
    every: frozenset[str]
    days: frozenset[str]
    per: frozenset[str]
    more: str
    more_one: str
    answers: frozenset[str]
    table: frozenset[str]
    says_nothing: frozenset[str]
    clauses: tuple[Clause, ...]

    def clause(self, label: str, value: str, about: Iterable[str]) -> str | None:
        """A value as a clause that has the place of its label: "the price is € 5"; None where no rule fits.

        `about` are the other labels and what the table stands under.
        """
        near = [word for text in about for word in _FIRST_WORD.findall(folded(text))]
        for clause in self.clauses:
            thing = self._thing(label.strip(" :"), clause)
            if thing is None or any(word.startswith(clause.unless) for word in near if clause.unless):
                continue
            said = self._as_kind(clause.value, value)
            if said is not None:
                return clause.says.format(thing=thing, value=said)
        return None

    def same(self, label: str, other: str) -> bool:
        """Whether two labels that differ are called the same in a clause, which then tells them apart no more."""
        names = [text.strip(" :") for text in (label, other)]
        things = [[self._thing(name, clause) for clause in self.clauses] for name in names]
        return folded(names[0]) != folded(names[1]) and any(
            one is not None and one == two for one, two in zip(*things, strict=True)
        )

    def hours(self, value: str, *, certain: bool) -> str:
        """A value with its hours said ("from 9.00 to 17.00"), all else as it stands.

        A range of figures that may be something else ("2.10-4.50") is one of hours only where that is certain.
        """

        def said(found: re.Match[str]) -> str:
            return self._range(found, value, certain=certain) or found[0]

        return _RANGE.sub(said, value)

    def tells_hours(self, labels: Iterable[str]) -> bool:
        """Whether labels name days, or say that hours are told."""
        words = {word for label in labels for word in _FIRST_WORD.findall(folded(label))}
        named = (label for clause in self.clauses if clause.value == "hours" for label in clause.labels)
        return not words.isdisjoint(self.days) or any(words.issuperset(label.split()) for label in named)

    def says_something(self, label: str) -> bool:
        """Whether a caption or the name of a column tells anything ("details" does not)."""
        return folded(label).strip(" .:").replace(" ", "-") not in self.says_nothing

    def more_items(self, count: int) -> str:
        """What is said below a list of which `count` items are left out."""
        return self.more_one if count == 1 else self.more.format(count=count)

    def is_answer(self, text: str) -> bool:
        """Whether a sentence begins by saying yes or no."""
        first = _FIRST_WORD.match(text)
        return first is not None and folded(first[0]) in self.answers and text[first.end() : first.end() + 1] in ",.!;:"

    def _thing(self, label: str, clause: Clause) -> str | None:
        """What a label is called in a clause, with what an amount is for: "the price per night"."""
        name = folded(label)
        if name in clause.labels:
            return clause.labels[name]
        words = label.split()
        at = next((n for n, word in enumerate(words) if folded(word) in self.per), 0)
        thing = clause.labels.get(folded(" ".join(words[:at]))) if clause.value == "money" and at else None
        last = words[at:]
        is_plain = 1 < len(last) <= _MOST_FOR and all(map(str.isalpha, last))
        return f"{thing} {' '.join(last)}" if thing is not None and is_plain else None

    def _as_kind(self, kind: str, value: str) -> str | None:
        """The value as it is said where it is of a kind."""
        if kind == "money":
            amount = _MONEY.match(value)
            return value if amount is not None and self._may_follow(value[amount.end() :].lstrip()) else None
        if kind == "phone":
            return value if PHONE.fullmatch(value) else None
        said = self.hours(value, certain=True)
        first = _FIRST_WORD.match(value)
        begins = folded(first[0]) in self.days | self.every if first else _RANGE.match(value) is not None
        return said if said != value and begins else None

    def _may_follow(self, rest: str) -> bool:
        """Whether an amount is said whole with what stands behind it: "per hour", "(without a referral)", nothing."""
        word = _FIRST_WORD.match(rest)
        return rest[:1] in ("", "/", "(", ",", ";") or (word is not None and folded(word[0]) in self.per)

    def _range(self, found: re.Match[str], text: str, *, certain: bool) -> str | None:
        """A range of hours as it is said; None where it may be something else, or a word before it says it already."""
        start, end = found[1], found[2]
        before = text[: found.start()].split()
        written = found[0][found.end(2) - found.start() :]
        if (before and folded(before[-1]) in self.led_by) or _OTHER_UNIT.match(text, found.end()):
            return None
        own = end[-1:].lower() in ("h", "u") or _LETTER.search(start) is not None
        if not (written or own or (_CLOCK.search(start) and _CLOCK.search(end))):
            return None
        if not self.except_hours.isdisjoint((_hour(start), _hour(end))):
            return None
        is_clock = written or own or ("." not in f"{start}{end}" and max(len(_hour(start)), len(_hour(end))) > 1)
        if not certain and not is_clock:
            return None
        if self.unit and own and not _LETTER.search(start):
            end, written = _TRAILING.sub("", end), self.unit
        unit = "" if own and not written else (self.unit or written)
        return self.range.format(start=start, end=end) + unit


def _hour(time: str) -> str:
    """The hour of a time, as it is written."""
    return _NO_DIGIT.split(time, maxsplit=1)[0]


@cache
def row_wording(language: str) -> RowWording | None:
    """The wording of a language; None for one that we have none of."""
    written = _written().get(language)
    if written is None:
        return None
    words: dict[str, Any] = {
        name: frozenset(folded(word) for word in written[name].split())
        for name in ("except_hours", "led_by", "every", "days", "per", "answers", "table", "says_nothing")
    }
    clauses = tuple(
        Clause(
            one["value"],
            one["says"],
            {folded(label): thing for label, thing in one["labels"].items()},
            tuple(folded(one.get("unless", "")).split()),
        )
        for one in written["clauses"]
    )
    fixed: dict[str, Any] = {name: written[name] for name in ("range", "unit", "more", "more_one")}
    return RowWording(**fixed, **words, clauses=clauses)


@cache
def _written() -> dict[str, Any]:
    content: dict[str, Any] = yaml.load(
        files("careline.tables").joinpath("row_wording.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader
    )
    return content
