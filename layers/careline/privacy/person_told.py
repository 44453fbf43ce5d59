"""Finds names that the whole sentence tells: how they are written, by the convent, before a spelling that is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from careline.privacy.person_frames import sound
from careline.privacy.person_kinds import Kind

if TYPE_CHECKING:
    from careline.privacy.person_cues import Cues
    from careline.privacy.person_tokens import Token

_NEAR = 5
"""Words after "write" in which it is said that a name is two words."""
_MOST_PARTICLES = 2
_SHORTEST = 4
"""Letters of a name that is heard like another one."""


def told(tokens: Sequence[Token], cues: Cues) -> Iterator[int]:
    """Where names begin that something farther off in the text tells, in any order."""
    in_orders = any(token.word in cues.convent for token in tokens)
    for at in range(len(tokens) - 1):
        word = tokens[at].word
        if word in cues.writes:
            yield from _as_written(tokens, at + 1, cues)
            yield from _written_so(tokens, at, cues)
        if at and word in cues.denied:
            yield from _not_the_other(tokens, at, cues)
    if in_orders:
        for at in range(1, len(tokens)):
            if tokens[at - 1].word in cues.religious and tokens[at].joined and _may_begin(tokens[at]):
                yield at


def _may_begin(token: Token) -> bool:
    return bool(token.kind & (Kind.LISTED | Kind.UNKNOWN)) and not token.kind & (Kind.STOP | Kind.BUILT)


def _as_written(tokens: Sequence[Token], start: int, cues: Cues) -> Iterator[int]:
    """ "write lo cascio as two words": the name that is written so."""
    core = start
    while core < len(tokens) - 1 and core - start < _MOST_PARTICLES and tokens[core].kind & Kind.PARTICLE:
        core += 1
    if not tokens[start].joined or not (_may_begin(tokens[core]) or (core > start and not _is_plain(tokens[core]))):
        return
    if any(token.word in cues.parted for token in tokens[core + 1 : core + 1 + _NEAR]):
        yield start


def _written_so(tokens: Sequence[Token], end: int, cues: Cues) -> Iterator[int]:
    """ "lo monaco written as two words": the surname with its particle that ends before the verb."""
    if end < _MOST_PARTICLES or not tokens[end - 2].kind & Kind.PARTICLE or not _may_begin(tokens[end - 1]):
        return
    if any(token.word in cues.parted for token in tokens[end + 1 : end + 1 + _NEAR]):
        yield end - 2


def _not_the_other(tokens: Sequence[Token], at: int, cues: Cues) -> Iterator[int]:
    """ "under de smedt not under desmet": two that are heard alike, of which the first is right."""
    core = at - 2 if tokens[at - 1].word in cues.conjunctions else at - 1
    if core < 0 or tokens[core].kind & Kind.STOP:
        return
    start = core
    while start > 0 and core - start < _MOST_PARTICLES and tokens[start - 1].kind & Kind.PARTICLE:
        start -= 1
    if start == core and _is_plain(tokens[core]):
        return
    behind = [token.word for token in tokens[at + 1 : at + 2 + _NEAR]]
    for begin in range(start, core + 1):
        said = [token.word for token in tokens[begin : core + 1]]
        # "under" before both is no part of either.
        others = (other for other in _runs(behind) if other[0] != said[0])
        if any(_is_heard_alike("".join(said), "".join(other)) for other in others):
            yield begin
            return


def _runs(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """The first words, and those after a preposition or two: as many together as a name with its particles has."""
    for start in range(min(len(words), _MOST_PARTICLES + 1)):
        for end in range(start + 1, min(start + 2 + _MOST_PARTICLES, len(words) + 1)):
            yield words[start:end]


def _is_plain(token: Token) -> bool:
    """Whether a word is an ordinary one alone."""
    return token.kind & (Kind.WORD | Kind.LISTED) == Kind.WORD


def _is_heard_alike(one: str, other: str) -> bool:
    if min(len(one), len(other)) < _SHORTEST or one[0] != other[0]:
        return False
    return one == other or (sound(one) == sound(other) != "")
