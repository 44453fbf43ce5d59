"""Reads a book of reviewed patterns and finds which of its rules a text meets, in time linear in the text.

A book is one YAML file for one language, written by people who know the language rather than by programmers:

    language: en
    slots:                                     # named alternatives; a slot may use slots
      medicine: aspirin|ibuprofen
    classes:
      SAFETY_REFUSAL:
        rules:
          - name: how-much-to-take
            pattern: how (much|many) {medicine} .... take
            match: [how much aspirin may i take, ...]          # at least two
            pass: [how much time does it take]                 # at least one
        asides: [...]                          # same form: stretches of text the class does not look at

Patterns are RE2 over plain text (`plain_text.normalise`) and match whole words; one pattern or a list. Beyond RE2:
`{slot}` is one of its alternatives, `{slot?}` the same or nothing; ` .. ` stands for at most two words, ` ... ` for at
most seven and ` .... ` for at most forty characters, none past the end of a sentence; `^ ` is where the text starts and
`$` where a sentence ends. In a class with `whole: true` the text must be nothing but the pattern, with any words of the
pattern `around` before and after. A book whose examples fail does not load.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import re2
import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from careline.errors import PackInvalid
from careline.safety.plain_text import Plain, normalise
from careline.safety.slots import MARKS, Slots


class _Written(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _RuleWritten(_Written):
    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    pattern: str | list[str]
    match: list[str] = Field(min_length=2)
    pass_: list[str] = Field(alias="pass", min_length=1)


class _ClassWritten(_Written):
    whole: bool = False
    around: str = ""
    rules: list[_RuleWritten] = Field(min_length=1)
    asides: list[_RuleWritten] = []


class _BookWritten(_Written):
    language: str
    slots: dict[str, str] = {}
    classes: dict[str, _ClassWritten]


@dataclass(frozen=True, slots=True)
class Rule:
    """One reviewed rule. `rule_id` is `language/CLASS/name`; a text that any of the RE2 `patterns` finds meets it."""

    rule_id: str
    group: str
    patterns: tuple[str, ...]
    must_match: tuple[str, ...]
    must_pass: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Compiled:
    rules: tuple[Rule, ...]
    asides: tuple[Rule, ...]
    slots: Slots
    filtered: re2.Filter
    owner: tuple[int, ...]
    masks: Mapping[str, Any]


class Book:
    """The rules of one language, compiled together when first used; safe to use from several threads at once."""

    def __init__(self, file: str, written: _BookWritten) -> None:
        self.file = file
        self.language = written.language
        self._written = written

    def find(self, text: Plain) -> dict[str, tuple[str, ...]]:
        """Class → ids of its rules that the text meets outside the class's asides, in the order of the file."""
        marked = self._compiled.slots.mark(text)
        found: dict[str, list[Rule]] = {}
        for rule in self._met(marked):
            found.setdefault(rule.group, []).append(rule)
        outside = {group: self._outside_asides(marked, group, met) for group, met in found.items()}
        return {group: tuple(rule.rule_id for rule in met) for group, met in outside.items() if met}

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule, in the order of the file."""
        return self._compiled.rules

    @property
    def asides(self) -> tuple[Rule, ...]:
        """Every aside, in the order of the file."""
        return self._compiled.asides

    @property
    def slots(self) -> Slots:
        """The word lists that patterns are made of."""
        return self._compiled.slots

    @cached_property
    def _compiled(self) -> _Compiled:
        return _compile(self.file, self._written)

    def _met(self, marked: str) -> list[Rule]:
        numbers = {self._compiled.owner[index] for index in self._compiled.filtered.Match(marked) or ()}
        return [self._compiled.rules[number] for number in sorted(numbers)]

    def _outside_asides(self, marked: str, group: str, met: list[Rule]) -> list[Rule]:
        mask = self._compiled.masks.get(group)
        masked = mask.sub(". ", marked) if mask else marked
        return met if masked == marked else [rule for rule in self._met(masked) if rule.group == group]


def read_book(file: Path, *, proven: bool = False) -> Book:
    """The book of one file. Its examples are checked unless this very content was `proven` before.

    Raises: PackInvalid naming file, rule and example.
    """
    name = "/".join(file.parts[-3:])
    try:
        content = yaml.load(file.read_bytes(), Loader=yaml.CSafeLoader)
        written = _BookWritten.model_validate(content)
    except FileNotFoundError:
        raise PackInvalid(f"{name} is missing") from None
    except yaml.YAMLError as error:
        raise PackInvalid(f"{name} is not YAML: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        raise PackInvalid(f"{name}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    book = Book(name, written)
    failure = None if proven else next(failing_examples(book), None)
    if failure:
        raise PackInvalid(f"{name}: {failure}")
    return book


def failing_examples(book: Book) -> Iterator[str]:
    """One sentence for each example that its rule does not treat as written beside it."""
    for rule in book.rules:
        for example, wanted in _examples(rule):
            if (rule.rule_id in book.find(normalise(example)).get(rule.group, ())) is not wanted:
                yield _complaint(rule, example, wanted)
    for aside in book.asides:
        _refuse_invalid(book.file, aside)
        search = compile_alone(aside.patterns)
        for example, wanted in _examples(aside):
            if bool(search.search(book.slots.mark(normalise(example)))) is not wanted:
                yield _complaint(aside, example, wanted)


def compile_alone(patterns: Iterable[str]) -> Any:
    """One RE2 that finds what any of the patterns finds. Raises: re2.error."""
    return re2.compile("|".join(patterns), _options())


def _examples(rule: Rule) -> Iterator[tuple[str, bool]]:
    yield from ((example, True) for example in rule.must_match)
    yield from ((example, False) for example in rule.must_pass)


def _complaint(rule: Rule, example: str, wanted: bool) -> str:
    return f"{rule.rule_id}: {'does not' if wanted else 'must not'} match the example {example!r}"


def _compile(file: str, written: _BookWritten) -> _Compiled:
    slots = Slots(file, written.slots)
    rules: list[Rule] = []
    asides: list[Rule] = []
    for group, held in written.classes.items():
        place = f"{written.language}/{group}"
        around = slots.fill(place, held.around) if held.around else None
        for rule in held.rules:
            rules.append(_rule(slots, place, group, rule, around if held.whole else ""))
        for aside in held.asides:
            asides.append(_rule(slots, f"{place}/asides", group, aside, None))
    _refuse_twins(file, [*rules, *asides])
    filtered, owner = _filtered(file, rules)
    grouped = {group: [one for one in asides if one.group == group] for group in {one.group for one in asides}}
    masks = {group: _mask(file, listed) for group, listed in grouped.items()}
    return _Compiled(tuple(rules), tuple(asides), slots, filtered, owner, masks)


def _rule(slots: Slots, place: str, group: str, written: _RuleWritten, around: str | None) -> Rule:
    """`around` is None for an aside, empty for a rule found anywhere, else what may stand around a whole text."""
    rule_id = f"{place}/{written.name}"
    listed = [written.pattern] if isinstance(written.pattern, str) else written.pattern
    filled = [slots.fill(rule_id, each) for each in listed]
    if around is None:
        patterns = [rf"\b(?:{each}){_WORD_ENDS}" for each in filled]
    elif around:
        patterns = [_whole(each, around) for each in filled]
    else:
        patterns = [rf"(?:\b|^)(?:{each}){_WORD_ENDS}" for each in filled]
    return Rule(rule_id, group, tuple(patterns), tuple(written.match), tuple(written.pass_))


_WORD_ENDS = rf"(?:{MARKS} |\b|$)"


def _whole(pattern: str, around: str) -> str:
    """Nothing but the pattern and what may stand around it; a sentence may end between any two words."""
    beside = f"(?:(?:{around}){MARKS} )*"
    return f"^ {beside}(?:{pattern}){_WORD_ENDS}{beside}$".replace(" ", r"(?: (?:\. )?)")


def _refuse_twins(file: str, rules: Iterable[Rule]) -> None:
    seen: set[str] = set()
    for rule in rules:
        if rule.rule_id in seen:
            raise PackInvalid(f"{file}: {rule.rule_id}: there is another rule of this name")
        seen.add(rule.rule_id)


def _mask(file: str, asides: list[Rule]) -> Any:
    """One RE2 of all asides of a class. Raises: PackInvalid naming the first that is none."""
    try:
        return compile_alone(pattern for aside in asides for pattern in aside.patterns)
    except re2.error:
        for aside in asides:
            _refuse_invalid(file, aside)
        raise PackInvalid(f"{file}: {asides[0].group}/asides: too large for one RE2 pattern") from None


def _refuse_invalid(file: str, rule: Rule) -> None:
    try:
        compile_alone(rule.patterns)
    except re2.error:
        raise PackInvalid(f"{file}: {rule.rule_id}: not an RE2 pattern") from None


def _filtered(file: str, rules: list[Rule]) -> tuple[re2.Filter, tuple[int, ...]]:
    """One pass over a text finds the words that rules need; only the rules that have theirs are then tried."""
    filtered = re2.Filter()
    owner: list[int] = []
    options = _options()
    for number, rule in enumerate(rules):
        for pattern in rule.patterns:
            try:
                filtered.Add(pattern, options)
            except re2.error:
                raise PackInvalid(f"{file}: {rule.rule_id}: not an RE2 pattern") from None
            owner.append(number)
    filtered.Compile()
    return filtered, tuple(owner)


def _options() -> re2.Options:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    return options
