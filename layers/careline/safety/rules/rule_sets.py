"""Finds which rules of a rule set of reviewed patterns a text meets, in time linear in the text."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import re2

from careline.errors import PackInvalid
from careline.safety.rules import rule_set_files as rule_sets
from careline.safety.rules.compiled_patterns import CompiledPatterns
from careline.safety.rules.plain_text import Plain, normalise
from careline.safety.rules.prefilter import LONGEST, PatternIndex, of_patterns, pieces
from careline.safety.rules.rule_set_files import Content, Proven, RuleSetWritten, RuleWritten
from careline.safety.rules.slots import MARKS, UNMARKED, Slots


@dataclass(frozen=True, slots=True)
class Rule:
    """One reviewed rule. `rule_id` is `language/CLASS/name`; a text that any of the RE2 `patterns` finds meets it."""

    rule_id: str
    group: str
    patterns: tuple[str, ...]
    must_match: tuple[str, ...]
    must_pass: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Pattern:
    """One pattern as it is written, told from others by where it stands, as a look-up is made for each that is tried.

    `around`: empty for one found anywhere, else what may stand around a whole text.
    """

    rule_id: str
    group: str
    written: str
    around: str


KEPT_BYTES, KEPT_BYTES_A_SIGN = 128 << 10, 100
"""What one RE2 may keep of the texts that it has read, and more for a long pattern: its states, which it would find
again. RE2's own limit is 8 MB each."""
_COMPILED = CompiledPatterns()


class RuleSet:
    """The rules of one language; safe to use from several threads at once.

    A pattern is compiled when a text has what it needs, and kept while it is used. A rule set that was not `proven` is
    read from its file and tries every pattern on every text.
    """

    def __init__(self, path: Path, proven: Proven | None = None) -> None:
        self.file = rule_sets.name_of(path)
        self.language = path.stem
        self._path = path
        self._proven = proven
        # One that was not proven uses all its patterns on each text.
        self._compiled = _COMPILED if proven is not None else CompiledPatterns(most=sys.maxsize)
        self._filling = Lock()

    def find(
        self, text: Plain, held: frozenset[str] | None = None, groups: Set[str] | None = None
    ) -> dict[str, tuple[str, ...]]:
        """Class → ids of its rules that the text meets outside the class's asides, in the order of the file.

        `held` are the text's `pieces`, for a caller that reads it with several rule sets; `groups` the classes that are
        looked for, all of them when absent.
        """
        if held is None:
            held = pieces(text) if self._proven is not None else frozenset()  # without needs nothing is looked for
        marked = self.slots.mark(text)
        found: dict[str, list[_Pattern]] = {}
        for pattern in self._met(held, marked, self.groups if groups is None else groups):
            found.setdefault(pattern.group, []).append(pattern)
        outside = {group: self._outside_asides(held, marked, group, met) for group, met in found.items()}
        return {group: tuple(dict.fromkeys(one.rule_id for one in met)) for group, met in outside.items() if met}

    def without(self, group: str, text: Plain, held: frozenset[str]) -> Plain:
        """The text with the end of a sentence in place of every stretch that a rule of one class meets. `held` are the
        text's `pieces`."""
        marked = self.slots.mark(text)
        met = self._met(held, marked, {group})
        return Plain(_masked(marked, [self._search(one) for one in met]).translate(UNMARKED)) if met else text

    def compile(self) -> None:
        """Compile every pattern once. Raises: PackInvalid naming one that is not RE2."""
        for pattern in (*self._patterns, *self._asides):
            self._search(pattern)

    @property
    def groups(self) -> Set[str]:
        """The classes that there are rules for."""
        return self.content.classes.keys()

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule, in the order of the file."""
        return self._complete(self._patterns, (one for held in self._written.classes.values() for one in held.rules))

    @cached_property
    def asides(self) -> tuple[Rule, ...]:
        """Every aside, in the order of the file."""
        return self._complete(self._asides, (one for held in self._written.classes.values() for one in held.asides))

    @cached_property
    def content(self) -> Content:
        """What the file says, without its examples."""
        return self._proven.content if self._proven is not None else rule_sets.content(self._written)

    @cached_property
    def slots(self) -> Slots:
        """The word lists that patterns are made of."""
        return Slots(self.file, self.content.slots, self._texts())

    def prove(self) -> Proven:
        """The content, and what each pattern needs: of its needs those that the fewest of the rule set's examples
        meet."""
        examples = [normalise(each) for rule in self.rules for each in (*rule.must_match, *rule.must_pass)]
        rules, asides = (
            of_patterns([pattern for rule in listed for pattern in rule.patterns], examples)
            for listed in (self.rules, self.asides)
        )
        return Proven(self.content, rules, asides)

    @cached_property
    def _written(self) -> RuleSetWritten:
        return rule_sets.read(self._path)

    def _texts(self) -> Iterator[tuple[str, str]]:
        """Whatever may use slots, with where it stands."""
        for group, held in self.content.classes.items():
            place = f"{self.language}/{group}"
            yield place, held.around
            yield from ((f"{place}/{name}", each) for name, listed in held.rules.items() for each in listed)
            yield from ((f"{place}/asides/{name}", each) for name, listed in held.asides.items() for each in listed)

    @cached_property
    def _patterns(self) -> tuple[_Pattern, ...]:
        return tuple(
            _Pattern(f"{self.language}/{group}/{name}", group, each, held.around if held.whole else "")
            for group, held in self.content.classes.items()
            for name, listed in held.rules.items()
            for each in listed
        )

    @cached_property
    def _asides(self) -> tuple[_Pattern, ...]:
        return tuple(
            _Pattern(f"{self.language}/{group}/asides/{name}", group, each, "")
            for group, held in self.content.classes.items()
            for name, listed in held.asides.items()
            for each in listed
        )

    @cached_property
    def _table(self) -> PatternIndex:
        return PatternIndex(self._proven.needs if self._proven is not None else [()] * len(self._patterns))

    @cached_property
    def _table_of_asides(self) -> PatternIndex:
        return PatternIndex(self._proven.needs_of_asides if self._proven is not None else [()] * len(self._asides))

    def _complete(self, patterns: Sequence[_Pattern], written: Iterable[RuleWritten]) -> tuple[Rule, ...]:
        by_rule: dict[str, list[_Pattern]] = {}
        for one in patterns:
            by_rule.setdefault(one.rule_id, []).append(one)
        return tuple(
            Rule(rule_id, held[0].group, tuple(map(self._filled, held)), tuple(rule.match), tuple(rule.pass_))
            for (rule_id, held), rule in zip(by_rule.items(), written, strict=True)
        )

    def _met(self, held: frozenset[str], marked: str, groups: Set[str]) -> list[_Pattern]:
        candidates = (self._patterns[number] for number in self._table.candidates(held, marked))
        encoded = marked.encode()  # once for all: RE2 reads bytes
        return [one for one in candidates if one.group in groups and self._search(one).search(encoded)]

    def _outside_asides(self, held: frozenset[str], marked: str, group: str, met: list[_Pattern]) -> list[_Pattern]:
        candidates = (self._asides[number] for number in self._table_of_asides.candidates(held, marked))
        masked = _masked(marked, [self._search(one) for one in candidates if one.group == group])
        if masked == marked:
            return met
        return self._met(held | _new_pieces(masked.translate(UNMARKED)), masked, {group})

    def _search(self, pattern: _Pattern) -> Any:
        """The pattern as RE2 over encoded text. Raises: PackInvalid when it is none."""
        try:
            return self._compiled.get(pattern, lambda: compile_alone([self._filled(pattern)], of_bytes=True))
        except re2.error:
            raise PackInvalid(f"{self.file}: {pattern.rule_id}: not an RE2 pattern") from None

    def _filled(self, pattern: _Pattern) -> str:
        with self._filling:
            filled = self.slots.fill(pattern.rule_id, pattern.written)
            around = self.slots.fill(pattern.rule_id, pattern.around) if pattern.around else ""
        if around:
            return _whole(filled, around)
        return rf"(?:\b|^)(?:{filled}){_WORD_ENDS}"


def _masked(marked: str, asides: Sequence[Any]) -> str:
    """The text with every stretch that an aside matches masked, from the left, as one RE2 of all asides would do it."""
    encoded, at, kept = marked.encode(), 0, []
    while found := [match for each in asides if (match := each.search(encoded, at)) and match.group()]:
        first = min(found, key=lambda match: int(match.start()))
        kept.append(marked[at : first.start()])
        at = first.end()
    return _MASKED.join([*kept, marked[at:]])


def _new_pieces(masked: str) -> frozenset[str]:
    """The pieces that a text may hold only since its asides are masked: those with a part of what masks them."""
    seams = (found.start() for found in re.finditer(re.escape(_MASKED), masked))
    windows = (masked[max(0, at - LONGEST + 1) : at + len(_MASKED) + LONGEST - 1] for at in seams)
    return frozenset[str]().union(*map(pieces, windows))


def read_rule_set(path: Path, proven: Proven | None = None) -> RuleSet:
    """The rule set of one file. The examples of one that is not `proven` are checked.

    Raises: PackInvalid naming file, rule and example.
    """
    rule_set = RuleSet(path, proven)
    if proven is None:
        rule_set.compile()
        if failure := next(failing_examples(rule_set), None):
            raise PackInvalid(f"{rule_set.file}: {failure}")
    return rule_set


def found_in(rule_set: RuleSet, example: str, group: str) -> Sequence[str]:
    """Which rules of one class an example meets; classes hide nothing from each other."""
    return rule_set.find(normalise(example), groups={group}).get(group, ())


def failing_examples(rule_set: RuleSet) -> Iterator[str]:
    """One sentence for each example that its rule does not treat as written beside it."""
    for rule in rule_set.rules:
        for example, wanted in _examples(rule):
            if (rule.rule_id in found_in(rule_set, example, rule.group)) is not wanted:
                yield _complaint(rule, example, wanted)
    for aside in rule_set.asides:
        search = compile_alone(aside.patterns)
        for example, wanted in _examples(aside):
            if bool(search.search(rule_set.slots.mark(normalise(example)))) is not wanted:
                yield _complaint(aside, example, wanted)


def compile_alone(patterns: Iterable[str], *, of_bytes: bool = False) -> Any:
    """One RE2 that finds what any of the patterns finds, in text or in encoded text. Raises: re2.error."""
    together = "|".join(patterns)
    written = together.encode() if of_bytes else together
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    default, options.max_mem = options.max_mem, KEPT_BYTES + KEPT_BYTES_A_SIGN * len(written)
    try:
        return re2.compile(written, options)
    except re2.error:
        # A short pattern may be a large one: repetitions of classes of letters.
        options.max_mem = default
        return re2.compile(written, options)


def _examples(rule: Rule) -> Iterator[tuple[str, bool]]:
    yield from ((example, True) for example in rule.must_match)
    yield from ((example, False) for example in rule.must_pass)


def _complaint(rule: Rule, example: str, wanted: bool) -> str:
    return f"{rule.rule_id}: {'does not' if wanted else 'must not'} match the example {example!r}"


_MASKED = ". "
"""What an aside is for the patterns of its class: the end of a sentence."""
_WORD_ENDS = rf"(?:{MARKS} |\b|$)"


def _whole(pattern: str, around: str) -> str:
    """Nothing but the pattern and what may stand around it; a sentence may end between any two words."""
    beside = f"(?:(?:{around}){MARKS} )*"
    return f"^ {beside}(?:{pattern}){_WORD_ENDS}{beside}$".replace(" ", r"(?: (?:\. )?)")
