"""The kinds of planted text, read from `kinds.yaml`: which of them a sentence is, and what follows from each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import re2

from careline.errors import PackInvalid
from careline.safety.injection.conditions import AT, OF, Passage, Place, Terms, Test, condition, looking, of_text
from careline.safety.injection.contacts import dearest, without_numbers
from careline.safety.injection.disguise import DATA
from careline.safety.injection.kind_files import (
    ConditionWritten,
    KindsWritten,
    KindWritten,
    PatternWritten,
    PriceWritten,
    Term,
    read,
)
from careline.safety.injection.signs import SIGNS, SIGNS_OF_SENTENCES
from careline.text.bounded_re2 import compile_bounded

FILE = DATA / "kinds.yaml"
WHEN_TO_CALL, SETTLED, SETTLED_IN_A_LIST = "when_to_call", "settled", "settled_in_a_list"
"""Conditions of the file that are asked by name: a sentence that says when help is to be called, and a line that is
known not to be planted, elsewhere and in a list of what false messages look like."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind: how it is `written`, and its conditions as tests of a sentence."""

    reason: str
    written: KindWritten
    found: tuple[Test, ...]

    def met(self, place: Place) -> bool:
        """Whether a sentence is of this kind."""
        whole, signals = place.whole[0], place.signals
        return any(test.may_hold(signals) and test.holds(whole) for test in self.found)


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kinds in the order of the file, which is the order of the reasons for holding a passage back."""

    kinds: Mapping[str, Kind]
    conditions: Mapping[str, Test]

    def findings(self, passage: Passage, *, undisguised: bool = False) -> Iterator[tuple[Kind, int]]:
        """The kinds that sentences of a passage are, with the places of these sentences."""
        looked_for = [each for each in self.kinds.values() if not (undisguised and each.written.as_written)]
        always = [each for each in looked_for if each.written.without_signals]
        for place in passage.places:
            signalled = any(each.sentence.whole for each in place.beside(-1, 1))
            for kind in looked_for if signalled else always:
                if kind.met(place):
                    yield kind, place.at

    def holds(self, name: str, place: Place) -> bool:
        """Whether a condition of the file holds at a sentence. Raises: KeyError."""
        return self.conditions[name].holds(place.whole[0])

    def of(self, trait: Callable[[KindWritten], bool]) -> frozenset[str]:
        """The reasons of the kinds that are written so."""
        return frozenset(reason for reason, kind in self.kinds.items() if trait(kind.written))

    @property
    def never_said(self) -> frozenset[str]:
        """Kinds that are not said even where a person released the passage."""
        return self.of(lambda kind: kind.said == "never")

    @property
    def settled_by_another_page(self) -> frozenset[str]:
        """Kinds that another page of the hospital may settle by naming the same."""
        return self.of(lambda kind: kind.settled_by == "another_page")

    @property
    def settled_by_its_document(self) -> frozenset[str]:
        """Kinds that what the document says elsewhere about calling for help may settle."""
        return self.of(lambda kind: kind.settled_by == "its_document")


def read_kinds(signals: Set[str], path: Path = FILE) -> Kinds:
    """The kinds of a file, made of the signals of the rule sets.

    Raises: PackInvalid naming the file, the kind or condition, and the field that is wrong with it.
    """
    built = _Built(path.name, read(path), signals)
    return Kinds(built.kinds(), built.conditions())


class _Built:
    """The tests that a file's names stand for. Each may use those above it, so that none goes round in a circle."""

    def __init__(self, file: str, written: KindsWritten, signals: Set[str]) -> None:
        self._file = file
        self._written = written
        self._signals = signals
        self._patterns = {name: self._compiled(f"patterns/{name}", each) for name, each in written.patterns.items()}
        self._tests = {name: of_text(holds) for name, holds in SIGNS.items()}
        self._tests |= {name: Test(holds) for name, holds in SIGNS_OF_SENTENCES.items()}
        for name, pattern in self._patterns.items():
            self._add(f"patterns/{name}", name, _finds(pattern))
        for name, each in written.numbers.items():
            self._add(f"numbers/{name}", name, _finds_beside_numbers(self._compiled(f"numbers/{name}", each)))
        for name, price in written.prices.items():
            self._add(f"prices/{name}", name, self._price(f"prices/{name}", price))
        for name, condition_written in written.conditions.items():
            self._add(f"conditions/{name}", name, self._test(f"conditions/{name}", condition_written))

    def kinds(self) -> Mapping[str, Kind]:
        """Every kind by its reason."""
        return {reason: Kind(reason, each, self._found(reason, each)) for reason, each in self._written.kinds.items()}

    def conditions(self) -> Mapping[str, Test]:
        """Every condition by its name, those among them that are asked for by name."""
        for name in (WHEN_TO_CALL, SETTLED, SETTLED_IN_A_LIST):
            if name not in self._written.conditions:
                raise self._invalid("conditions", f"{name} is missing")
        return {name: self._tests[name] for name in self._written.conditions}

    def _found(self, reason: str, written: KindWritten) -> tuple[Test, ...]:
        return tuple(self._test(f"kinds/{reason}/found/{n}", each) for n, each in enumerate(written.found))

    def _add(self, place: str, name: str, test: Test) -> None:
        if name in self._tests or name in self._signals:
            raise self._invalid(place, "there is another sign of this name")
        self._tests[name] = test

    def _test(self, place: str, written: ConditionWritten) -> Test:
        every, one, no = (
            self._terms(f"{place}/{field}", terms)
            for field, terms in (("all", written.every), ("any", written.one), ("none", written.no))
        )
        for field, value, known in (("at", written.at, AT), ("of", written.of, OF)):
            if value is not None and value not in known:
                raise self._invalid(f"{place}/{field}", f"{value} is none of {', '.join(known)}")
        test = condition(every, one, no, written.longest)
        return test if written.at is None and written.of is None else looking(test, written.at, written.of)

    def _terms(self, place: str, written: Sequence[Term]) -> Terms:
        signals = frozenset(each for each in written if isinstance(each, str) and each in self._signals)
        others = ((n, each) for n, each in enumerate(written) if not (isinstance(each, str) and each in signals))
        return Terms(signals, tuple(self._term(f"{place}/{n}", each) for n, each in others))

    def _term(self, place: str, written: Term) -> Test:
        if isinstance(written, ConditionWritten):
            return self._test(place, written)
        if written not in self._tests:
            raise self._invalid(place, f"nothing above is called {written}")
        return self._tests[written]

    def _compiled(self, place: str, written: PatternWritten) -> Any:
        together = written if isinstance(written, str) else rf"\b(?:{'|'.join(written.values())})"
        try:
            return compile_bounded(f"(?i)(?:{together})")
        except re2.error:
            raise self._invalid(place, "not an RE2 pattern") from None

    def _price(self, place: str, written: PriceWritten) -> Test:
        if written.without is None:
            return of_text(lambda part: dearest(part.text) > written.above)
        if written.without not in self._patterns:
            raise self._invalid(f"{place}/without", f"no pattern is called {written.without}")
        aside = self._patterns[written.without]
        return of_text(lambda part: dearest(aside.sub(" ", part.text)) > written.above)

    def _invalid(self, place: str, what: str) -> PackInvalid:
        return PackInvalid(f"{self._file}: {place}: {what}")


def _finds(pattern: Any) -> Test:
    return of_text(lambda part: bool(pattern.search(part.text)))


def _finds_beside_numbers(pattern: Any) -> Test:
    return of_text(lambda part: bool(pattern.search(without_numbers(part.text))))
