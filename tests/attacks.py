"""Makes the texts that a pattern reads worst, and tells whether it reads them more often than their length allows.

The texts come from the pattern: what stands before a repetition, then what fits its body again and again, then
something that does not fit. Work that grows with the length of such a text has no second difference; work that grows
with its square has one, and work that doubles with each character never ends.
"""

# mypy: disable-error-code="operator"
from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from re import _constants as sre
from typing import Any

from tests.backtracking import MOST_STEPS, SCALED, Compiler, Matcher, Text

TIMES = 32
"""How often the shortest of three texts repeats its pump; the others repeat it twice and three times as often."""
LONGEST_BOUND = 600
"""The most that a bounded repetition may be read again from each place of a text."""
_EVERYDAY = " \t\n\r" + "aAeExXzZéÉß09" + string.punctuation + "–’«»…€\u00a0\x00"
_SAMPLES = 6
_PUMPS = 60


@dataclass(frozen=True, slots=True)
class Attack:
    """A text that a pattern may read badly: `before`, then `pump` again and again, then `after`."""

    before: Text
    pump: Text
    after: Text

    def text(self, times: int) -> Text:
        return self.before + self.pump * times + self.after


def attacks(matcher: Matcher) -> Iterator[Attack]:
    """Texts for each repetition of a pattern and for its beginning, which is tried from every place."""
    letters = _letters(matcher)
    endings = _endings(letters, matcher)
    empty: Text = b"" if matcher.of_bytes else ""
    seen: set[Attack] = set()
    for before, body in [(empty, None), *_repetitions(matcher, matcher.tree, empty, letters)]:
        fitting = list(letters) if body is None else _first_letters(body, letters, matcher)
        pumps: dict[Text, None] = dict.fromkeys(fitting)
        if body is not None:
            samples = list(islice(_samples(body, letters, matcher), _SAMPLES))
            pumps.update(dict.fromkeys(one for one in samples if one))
            pumps.update(dict.fromkeys(before + one for one in samples if before + one))
            pumps.update(dict.fromkeys(one + two for one in samples[:3] for two in fitting[:4]))
            whole = [before + one for one in samples[:2]]
            pumps.update(dict.fromkeys(one + two for one in whole for two in letters[:12]))
        else:
            pumps.update(
                dict.fromkeys(one for one in islice(_samples(matcher.tree, letters, matcher), _SAMPLES) if one)
            )
        for pump in islice(pumps, _PUMPS):
            for after in endings:
                attack = Attack(before, pump, after)
                if attack not in seen:
                    seen.add(attack)
                    yield attack


def _letters(matcher: Matcher) -> list[Text]:
    """One character of each kind that the pattern tells apart."""
    candidates = dict.fromkeys(_EVERYDAY)
    candidates.update(dict.fromkeys(_literals(matcher.tree)))
    kinds: dict[tuple[bool, ...], Text] = {}
    for one in candidates:
        if matcher.of_bytes and ord(one) > 255:
            continue
        character: Text = bytes([ord(one)]) if matcher.of_bytes else one
        kinds.setdefault(tuple(fits(character) for fits in matcher.fits), character)
    return list(kinds.values())


def _literals(tree: Any) -> Iterator[str]:
    for kind, argument in tree:
        if kind in {sre.LITERAL, sre.NOT_LITERAL}:
            yield chr(argument)
        elif kind is sre.RANGE:
            yield from (chr(argument[0]), chr(argument[1]))
        elif kind is sre.IN:
            yield from _literals(argument)
        else:
            for inside in _insides(kind, argument):
                yield from _literals(inside)


def _insides(kind: Any, argument: Any) -> list[Any]:
    if kind in {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT}:
        return [argument[2]]
    if kind is sre.BRANCH:
        return list(argument[1])
    if kind is sre.SUBPATTERN:
        return [argument[3]]
    if kind in {sre.ASSERT, sre.ASSERT_NOT}:
        return [argument[1]]
    if kind is sre.GROUPREF_EXISTS:
        return [one for one in argument[1:] if one]
    return [argument] if kind is sre.ATOMIC_GROUP else []


def _endings(letters: list[Text], matcher: Matcher) -> list[Text]:
    """Nothing, and characters that few parts of the pattern take."""
    empty: Text = b"" if matcher.of_bytes else ""
    by_use = sorted(letters, key=lambda one: sum(fits(one) for fits in matcher.fits))
    newline: Text = b"\n" if matcher.of_bytes else "\n"
    lines = newline + by_use[0] + newline
    return list(dict.fromkeys([empty, *by_use[:2], *(one for one in letters if one in {newline, "a", b"a"}), lines]))


def _repetitions(matcher: Matcher, tree: Any, before: Text, letters: list[Text]) -> Iterator[tuple[Text, Any]]:
    """Each repetition that may go on, with a text that leads to it."""
    for kind, argument in tree:
        if kind in {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT} and argument[1] > 3:
            yield before, argument[2]
        for inside in _insides(kind, argument):
            yield from _repetitions(matcher, inside, before, letters)
        before = before + next(_samples([(kind, argument)], letters, matcher), before[:0])


def _first_letters(body: Any, letters: list[Text], matcher: Matcher) -> list[Text]:
    """The characters that some part of a repetition's body takes."""
    compiler = Compiler(matcher.tree.state, matcher.of_bytes, True)
    compiler.compile(body, matcher.flags)
    return [one for one in letters if any(fits(one) for fits in compiler.fits)]


def _samples(tree: Any, letters: list[Text], matcher: Matcher) -> Iterator[Text]:
    """Texts that fit, roughly: what looks ahead or back is passed over."""
    empty: Text = b"" if matcher.of_bytes else ""
    texts: list[Text] = [empty]
    for kind, argument in tree:
        texts = [one + more for more in _of_node(kind, argument, letters, matcher) for one in texts][: 2 * _SAMPLES]
    yield from dict.fromkeys(texts)


def _of_node(kind: Any, argument: Any, letters: list[Text], matcher: Matcher) -> list[Text]:
    empty: Text = b"" if matcher.of_bytes else ""
    if kind is sre.LITERAL:
        return [bytes([argument]) if matcher.of_bytes else chr(argument)]
    if kind in {sre.IN, sre.ANY, sre.NOT_LITERAL, sre.CATEGORY}:
        compiler = Compiler(matcher.tree.state, matcher.of_bytes, True)
        compiler.compile([(kind, argument)], matcher.flags)
        return [one for one in letters if compiler.fits[0](one)][:_SAMPLES] or [empty]
    if kind in {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT}:
        return [one * max(1, argument[0]) for one in islice(_samples(argument[2], letters, matcher), _SAMPLES)]
    if kind in {sre.ASSERT, sre.ASSERT_NOT}:
        return [empty]
    insides = _insides(kind, argument)
    return [one for inside in insides for one in islice(_samples(inside, letters, matcher), 2)][: 2 * _SAMPLES] or [
        empty
    ]


def longest_bound(tree: Any) -> int:
    """The most that one repetition with an end may repeat."""
    most = 0
    for kind, argument in tree:
        if kind in {sre.MAX_REPEAT, sre.MIN_REPEAT} and argument[1] is not sre.MAXREPEAT:
            most = max(most, argument[1])
        most = max([most, *(longest_bound(inside) for inside in _insides(kind, argument))])
    return most


def worst(pattern: Text, flags: int = 0, how: str = "search") -> str | None:
    """What makes a pattern read a text more than a fixed number of times, in words; None when nothing does.

    A repetition with an end of at most `LONGEST_BOUND` may be read again from each place.
    """
    real = Matcher(pattern, flags)
    bound = longest_bound(real.tree)
    scaled = Matcher(pattern, flags, scaled=True) if bound > SCALED else real
    for attack in attacks(scaled):
        if (counts := _grows(scaled, attack, how)) is not None:
            return f"{attack} takes {counts} steps"
        if bound > SCALED and real.steps(attack.text(TIMES), how) == MOST_STEPS:
            return f"{attack} takes {MOST_STEPS} steps and more"
        if bound > LONGEST_BOUND and (counts := _grows(real, attack, how)) is not None:
            return f"{attack} takes {counts} steps, up to the bound of {bound}"
    return None


def _grows(matcher: Matcher, attack: Attack, how: str) -> tuple[int, ...] | None:
    """The steps for three lengths of a text, when they grow faster than the length."""
    none, half, small = (matcher.steps(attack.text(times), how) for times in (0, TIMES // 2, TIMES))
    if small < MOST_STEPS and (small - half) - (half - none) <= TIMES:
        return None  # Short texts show a square as well; what they only seem to show, the longer ones below tell.
    middle = matcher.steps(attack.text(2 * TIMES), how)
    if middle < MOST_STEPS and middle <= 2 * small + 2 * TIMES:
        return None
    large = matcher.steps(attack.text(3 * TIMES), how)
    bent = large == MOST_STEPS or (large - middle) - (middle - small) > TIMES * TIMES // 8
    return (small, middle, large) if bent else None
