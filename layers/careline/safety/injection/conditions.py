"""Says whether signals stand together in a passage as a condition of `kinds.yaml` asks: the evaluator of all kinds.

A condition is asked of a part of a sentence. `at` and `of` of its own have it look at others, of which one is enough:
at sentences beside that of the part, and at these sentences' whole, clauses, or what is left without warnings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from careline.safety.injection.contacts import Known
from careline.safety.injection.document_signals import DocumentSentence, Signals

_LEADS_ON = ("?", ":")


@dataclass(slots=True, eq=False)
class Part:
    """A sentence or a part of it, with its own text and signals; of a clause `number` is its place among all."""

    place: Place
    text: str
    signals: Signals
    number: int = 0


class Passage:
    """The sentences of a passage with its headings. `anywhere`: the signals of the first one in every language; `seen`:
    what was found in their texts, for whoever reads the same passage in several languages."""

    def __init__(
        self,
        sentences: Sequence[DocumentSentence],
        known: Known,
        anywhere: Signals = frozenset(),
        seen: dict[object, bool] | None = None,
    ) -> None:
        self.known = known
        self.anywhere = anywhere
        self.seen = seen if seen is not None else {}
        self.places = [Place(self, sentence, at) for at, sentence in enumerate(sentences)]


class Place:
    """A sentence among those of its passage, and the parts that it is read in."""

    def __init__(self, passage: Passage, sentence: DocumentSentence, at: int) -> None:
        self.passage = passage
        self.sentence = sentence
        self.at = at
        self.whole = (Part(self, sentence.text, sentence.whole),)
        self.signals = sentence.whole.union(sentence.asks, *(each.signals for each in sentence.clauses))

    def beside(self, first: int, last: int) -> Sequence[Place]:
        """The sentences from so many places away to so many, as far as there are any."""
        return self.passage.places[max(0, self.at + first) : max(0, self.at + last + 1)]

    def subject(self) -> Iterator[Place]:
        """The sentence, and the one before where it goes on from it."""
        yield self
        for before in self.beside(-1, -1):
            if leads_on(before.sentence.text) or "SPEAKS_ON" in self.sentence.whole:
                yield before

    @cached_property
    def asked(self) -> tuple[Part, ...]:
        """What is left of the sentence without warnings; its text is that of the whole where nothing is."""
        text = " , ".join(each.text for each in self.sentence.asking) or self.sentence.text
        return (Part(self, text, self.sentence.asks),)

    @cached_property
    def clauses(self) -> tuple[Part, ...]:
        """Every clause."""
        return tuple(Part(self, each.text, each.signals, at) for at, each in enumerate(self.sentence.clauses))

    @cached_property
    def orders(self) -> tuple[Part, ...]:
        """The clauses that are left without warnings, with their places among all."""
        asking = {id(each) for each in self.sentence.asking}
        return tuple(part for part, each in zip(self.clauses, self.sentence.clauses, strict=True) if id(each) in asking)


def leads_on(text: str) -> bool:
    """Whether the sentence after a text says more of the same: after a question or a colon."""
    return text.rstrip().endswith(_LEADS_ON)


AT: Mapping[str, Callable[[Place], Sequence[Place] | Iterator[Place]]] = {
    "here": lambda place: (place,),
    "before": lambda place: place.beside(-1, -1),
    "here_or_before": lambda place: place.beside(-1, 0),
    "here_or_after": lambda place: place.beside(0, 1),
    "here_or_following": lambda place: place.beside(0, 3),
    "around": lambda place: place.beside(-1, 1),
    "near": lambda place: place.beside(-2, 2),
    "passage": lambda place: place.passage.places,
    "subject": Place.subject,
}
"""The sentences that a condition looks at, from the one that it is asked of."""
OF: Mapping[str, Callable[[Part], Sequence[Part]]] = {
    "whole": lambda part: part.place.whole,
    "asked": lambda part: part.place.asked,
    "clause": lambda part: part.place.clauses,
    "order": lambda part: part.place.orders,
    "first_clause": lambda part: part.place.clauses[:1],
    "next_clause": lambda part: part.place.clauses[part.number + 1 : part.number + 2],
    "later_clause": lambda part: part.place.clauses[part.number + 1 :],
    "earlier_clause": lambda part: part.place.clauses[: part.number],
    "later_order": lambda part: [each for each in part.place.orders if each.number > part.number],
    "anywhere": lambda part: (Part(part.place, part.text, part.place.passage.anywhere),),
}
"""The parts of a sentence that a condition reads, from the one that it is asked of."""


@dataclass(frozen=True, slots=True)
class Test:
    """Whether something `holds` of a part. It cannot where the part's sentence, however it is read, lacks a signal of
    `needs`, or has none of one of `choices`: that is seen at once, and most conditions hold of few sentences."""

    holds: Callable[[Part], bool]
    needs: Signals = frozenset()
    choices: tuple[Signals, ...] = ()

    def may_hold(self, signals: Signals) -> bool:
        """Whether it can hold of a sentence with these signals."""
        return self.needs <= signals and not any(each.isdisjoint(signals) for each in self.choices)


def of_text(holds: Callable[[Part], bool]) -> Test:
    """A test of what is written, whose answer is the same in every language of a passage."""

    def once(part: Part) -> bool:
        seen, key = part.place.passage.seen, (holds, part.text)
        found = seen.get(key)
        if found is None:
            found = seen[key] = holds(part)
        return found

    return Test(once)


@dataclass(frozen=True, slots=True)
class Terms:
    """What a list of a condition names: signals of the part, and tests of it."""

    signals: Signals = frozenset()
    tests: tuple[Test, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.signals or self.tests)

    def any(self, part: Part) -> bool:
        """Whether one of them holds."""
        return not self.signals.isdisjoint(part.signals) or any(test.holds(part) for test in self.tests)

    def choice(self) -> Signals:
        """Signals of which a sentence has one where one of them holds; none where nothing is known of one of them."""
        seen = set(self.signals)
        for test in self.tests:
            if not test.needs and not test.choices:
                return frozenset()
            seen |= set(sorted(test.needs)[:1]) or test.choices[0]
        return frozenset(seen)


def condition(every: Terms, one: Terms, no: Terms, longest: int | None) -> Test:
    """Whether of a part all of `every`, one of `one` (if there are any) and none of `no` hold, in a sentence of at most
    `longest` characters."""

    def holds(part: Part) -> bool:
        if not every.signals <= part.signals or not no.signals.isdisjoint(part.signals):
            return False
        if longest is not None and len(part.place.sentence.text) > longest:
            return False
        if one and not one.any(part):
            return False
        return all(test.holds(part) for test in every.tests) and not any(test.holds(part) for test in no.tests)

    choices = (*(each for test in every.tests for each in test.choices), one.choice())
    needs = every.signals.union(*(test.needs for test in every.tests))
    return Test(holds, needs, tuple(each for each in choices if each))


def looking(test: Test, at: str | None, of: str | None) -> Test:
    """A test of what stands at other sentences (a name of `AT`) or is read otherwise (a name of `OF`).

    From another sentence the reading is `whole` unless another is named. Raises: KeyError for a name of neither.
    """
    seen, read = AT[at or "here"], OF[of or "whole"]

    def here(part: Part) -> bool:
        return any(test.holds(each) for each in read(part))

    def there(part: Part) -> bool:
        return any(test.holds(each) for place in seen(part.place) for each in read(place.whole[0]))

    if at not in (None, "here"):
        return Test(there)
    holds = here if at is None else there
    return Test(holds) if of == "anywhere" else Test(holds, test.needs, test.choices)
