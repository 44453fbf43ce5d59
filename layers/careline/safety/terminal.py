"""Says which utterances are answered from a fixed text before any search or language model is asked.

First match in the order of `Terminal`. EMERGENCY and SAFETY_REFUSAL are looked for in every language whatever the
call's language is, because a caller in panic speaks the language of home.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from careline.ports import Vector
from careline.safety.learned import FirstLook, Found, Models
from careline.safety.patterns import Book
from careline.safety.utterance import Utterance


class Terminal(StrEnum):
    """What an utterance is, in order of precedence; all but the last end the turn."""

    EMERGENCY = "EMERGENCY"
    SAFETY_REFUSAL = "SAFETY_REFUSAL"
    HANDOFF_REQUEST = "HANDOFF_REQUEST"
    REPEAT_REQUEST = "REPEAT_REQUEST"
    OFF_TOPIC_PERSONAL = "OFF_TOPIC_PERSONAL"
    FAREWELL = "FAREWELL"
    GREETING = "GREETING"
    FALLTHROUGH = "FALLTHROUGH"


SURE = 0.95
"""How likely an emergency must be that makes one of a refusal found by patterns."""
IN_ANY_LANGUAGE = frozenset({Terminal.EMERGENCY, Terminal.SAFETY_REFUSAL})
"""Classes that are looked for in every language, not only the caller's."""
_BEFORE = {
    Terminal.SAFETY_REFUSAL: frozenset({Terminal.EMERGENCY}),
    Terminal.FALLTHROUGH: frozenset(Terminal) - {Terminal.FALLTHROUGH},
}
"""What a model may make of an utterance that patterns took for this; of the others, what `IN_ANY_LANGUAGE` holds."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an utterance is and why.

    `reasons` are rule ids such as `nl/EMERGENCY/chest-pain`; `language` is the language of the first of them, which may
    differ from the language asked about, and None on FALLTHROUGH.
    """

    terminal: Terminal
    reasons: tuple[str, ...] = ()
    language: str | None = None

    @property
    def supposed(self) -> bool:
        """Whether a model alone takes the utterance for this, and no pattern."""
        return bool(self.reasons) and self.reasons[0].startswith("learned/")

    @property
    def supposed_off_topic(self) -> bool:
        """Whether the documents may still prove that the hospital has something to say: it may have a hairdresser."""
        return self.terminal is Terminal.OFF_TOPIC_PERSONAL and self.supposed


@dataclass(frozen=True, slots=True)
class Shelf:
    """A book and the classes of it that count; a pack may borrow some classes of another pack's book."""

    book: Book
    classes: frozenset[Terminal]


@dataclass(frozen=True, slots=True)
class TerminalScreen:
    """The books of one pack, by language, and the model behind them, which may add to what they find.

    It never takes an emergency or a refusal away; a social class it gives only to what no pattern knew.
    """

    shelves: Mapping[str, Sequence[Shelf]]
    learned: Models | None = None

    def classify(self, text: str, language: str | None, gist: Vector | None = None) -> Verdict:
        """The class of an utterance. Any text is accepted; an unknown language means that all of them are tried.

        `gist` is the text's, by the local embedder, where it was computed in time.
        """
        return self.first_look(Utterance(text), language).verdict(gist)

    def first_look(self, utterance: Utterance, language: str | None) -> FirstLook[Verdict]:
        """What `classify` knows before it looks at the gist."""
        verdict = self._by_patterns(utterance, language)
        if verdict.terminal is Terminal.EMERGENCY or self.learned is None:
            return FirstLook(in_doubt=False, judge=lambda _: verdict)
        said = self.learned.read(utterance.windows, utterance.clauses(language))
        before = _BEFORE.get(verdict.terminal, IN_ANY_LANGUAGE)
        return FirstLook(
            in_doubt=said.may_be(before) and said.may_not_be(before),
            judge=lambda gist: _raised(verdict, said.find(language, gist), language),
        )

    def may_add(self, terminal: Terminal) -> bool:
        """Whether the pack wants this class found at all: whether any rule of its books is for it."""
        shelves = [shelf for held in self.shelves.values() for shelf in held if terminal in shelf.classes]
        return any(terminal in shelf.book.groups for shelf in shelves)

    def _by_patterns(self, utterance: Utterance, language: str | None) -> Verdict:
        known = language in self.shelves
        found = {
            each: self._find(utterance, each, IN_ANY_LANGUAGE if known and each != language else frozenset(Terminal))
            for each in sorted(self.shelves, key=lambda each: each != language)
        }
        for terminal in Terminal:
            for each, reasons in found.items():
                if terminal in reasons:
                    return Verdict(terminal, reasons[terminal], each)
        return Verdict(Terminal.FALLTHROUGH)

    def _find(self, utterance: Utterance, language: str, classes: frozenset[Terminal]) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for shelf in self.shelves[language]:
            for group, reasons in shelf.book.find(utterance.plain, utterance.pieces, shelf.classes & classes).items():
                found[group] = found.get(group, ()) + reasons
        return found


def _raised(verdict: Verdict, found: Found | None, language: str | None) -> Verdict:
    """The verdict, raised to what the model takes the utterance for when that comes before it."""
    if found is None:
        return verdict
    terminal = Terminal(found.label)
    if terminal not in IN_ANY_LANGUAGE:
        raised = verdict.terminal is Terminal.FALLTHROUGH
    elif verdict.terminal is Terminal.SAFETY_REFUSAL:
        raised = terminal is Terminal.EMERGENCY and found.alone >= SURE
    else:
        raised = True
    return Verdict(terminal, (found.reason, *verdict.reasons), language) if raised else verdict
