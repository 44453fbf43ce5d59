"""Finds names that the whole sentence tells: how they are written, by the convent, before a spelling that is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from careline.privacy.names.frames import sound
from careline.privacy.names.lists.lexicon import NameLexicon
from careline.privacy.names.lists.word_kinds import Kind
from careline.privacy.names.tokens import NameToken

_NEAR = 5
"""Words after "write" in which it is said that a name is two words."""
_DAYS = frozenset(
    "mon tue tues wed thu thur thurs fri sat sun lun mar mer gio ven sab dom jeu sam dim maa din woe don vri zat zon "
    "ma wo vr za zo".split()
)
"""Days of the week in short; some of them are names as well."""
_APART = 3
"""Words between two days of a rota at most."""
_MOST_PARTICLES = 2
_SHORTEST = 4
"""Letters of a name that is heard like another one."""


def told(tokens: Sequence[NameToken], lexicon: NameLexicon) -> Iterator[int]:
    """Where names begin that something farther off in the text tells, in any order."""
    for at in range(len(tokens) - 1):
        word = tokens[at].word
        if word in lexicon.spelling.writes:
            yield from _as_written(tokens, at + 1, lexicon)
            yield from _written_so(tokens, at, lexicon)
        if word in lexicon.grammar.copulas and tokens[at + 1].kind & Kind.PARTICLE:
            yield from _as_written(tokens, at + 1, lexicon)
        if word in lexicon.corrections.denied:
            yield from _not_this_but(tokens, at, lexicon)
            yield from _not_the_other(tokens, at, lexicon)
        if _is_in_capitals(tokens, at):
            yield at
    yield from _on_duty(tokens)
    said = {token.word for token in tokens}
    if not said.isdisjoint(lexicon.corrections.renamed):
        yield from _renamed(tokens, lexicon)
    if not said.isdisjoint(lexicon.persons.convent):
        yield from _in_orders(tokens, lexicon)


def on_rota(tokens: Sequence[NameToken], at: int) -> bool:
    """Whether a word is a day in short in a list of days with names ("Mon Blessing, Tue Dorota")."""
    if tokens[at].word not in _DAYS or not tokens[at].kind & Kind.UPPER:
        return False
    near = (*tokens[max(0, at - _APART) : at], *tokens[at + 1 : at + 1 + _APART])
    return any(token.word in _DAYS and token.word != tokens[at].word and token.kind & Kind.UPPER for token in near)


def _on_duty(tokens: Sequence[NameToken]) -> Iterator[int]:
    """The names behind the days of a rota."""
    for at in range(len(tokens) - 1):
        after = tokens[at + 1]
        if (
            on_rota(tokens, at)
            and after.joined
            and after.kind & Kind.UPPER
            and after.kind & (Kind.LISTED | Kind.UNKNOWN)
        ):
            yield at + 1


def _in_orders(tokens: Sequence[NameToken], lexicon: NameLexicon) -> Iterator[int]:
    """The names of the religious, where one speaks of their house."""
    for at in range(1, len(tokens)):
        if tokens[at - 1].word in lexicon.persons.religious and tokens[at].joined and _may_begin(tokens[at]):
            yield at


def _is_in_capitals(tokens: Sequence[NameToken], at: int) -> bool:
    """Whether an unlisted surname and a first name stand here in capitals ("HUXTABLE JOAN")."""
    kind, after = tokens[at].kind, tokens[at + 1].kind
    if not kind & after & Kind.SHORT or not tokens[at + 1].joined:
        return False
    return bool(kind & Kind.UNKNOWN and after & Kind.FIRST)


def _may_begin(token: NameToken) -> bool:
    return bool(token.kind & (Kind.LISTED | Kind.UNKNOWN)) and not token.kind & (Kind.STOP | Kind.BUILT)


def _renamed(tokens: Sequence[NameToken], lexicon: NameLexicon) -> Iterator[int]:
    """ "i've gone back to lightfoot since the divorce": a surname that is no town."""
    for at in range(1, len(tokens)):
        kind = tokens[at].kind
        before = tokens[at - 1].word
        if before not in lexicon.corrections.resumed or not tokens[at].joined:
            continue
        if before in lexicon.other_senses.place_before and not any(
            t.word in lexicon.corrections.resumed for t in tokens[max(0, at - 3) : at - 1]
        ):
            # "we moved to wolverhampton since the divorce"
            continue
        if kind & (Kind.LAST | Kind.UNKNOWN) and not kind & (Kind.PLACE | Kind.STOP | Kind.BUILT | Kind.FIRST):
            yield at


def _as_written(tokens: Sequence[NameToken], start: int, lexicon: NameLexicon) -> Iterator[int]:
    """ "write lo cascio as two words": the name that is written so."""
    core = start
    while core < len(tokens) - 1 and core - start < _MOST_PARTICLES and tokens[core].kind & Kind.PARTICLE:
        core += 1
    if not tokens[start].joined or not (_may_begin(tokens[core]) or (core > start and not _is_plain(tokens[core]))):
        return
    if any(token.word in lexicon.persons.parted for token in tokens[core + 1 : core + 1 + _NEAR]):
        yield start


def _written_so(tokens: Sequence[NameToken], end: int, lexicon: NameLexicon) -> Iterator[int]:
    """ "lo monaco written as two words": the surname with its particle that ends before the verb."""
    if end < _MOST_PARTICLES or not tokens[end - 2].kind & Kind.PARTICLE or not _may_begin(tokens[end - 1]):
        return
    if any(token.word in lexicon.persons.parted for token in tokens[end + 1 : end + 1 + _NEAR]):
        yield end - 2


def _not_the_other(tokens: Sequence[NameToken], at: int, lexicon: NameLexicon) -> Iterator[int]:
    """ "under de smedt not under desmet": two that are heard alike, of which the first is right."""
    if not at:
        return
    between = tokens[at - 1].word in lexicon.grammar.conjunctions or tokens[at - 1].word in lexicon.grammar.articles
    core = at - 2 if between else at - 1
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
            yield from _the_other(tokens, at, said)
            return


def _not_this_but(tokens: Sequence[NameToken], at: int, lexicon: NameLexicon) -> Iterator[int]:
    """ "non moreti ma moretti": both of the two that are heard alike."""
    one, other = at + 1, at + 3
    if other >= len(tokens) or tokens[at + 2].word not in lexicon.corrections.corrected:
        return
    kinds = tokens[one].kind, tokens[other].kind
    if any(kind & Kind.STOP for kind in kinds) or not any(kind & (Kind.LISTED | Kind.LIKELY) for kind in kinds):
        return
    if not any(_is_plain(tokens[each]) for each in (one, other)):
        if _is_heard_alike(tokens[one].word, tokens[other].word):
            yield from (one, other)


def _the_other(tokens: Sequence[NameToken], at: int, said: Sequence[str]) -> Iterator[int]:
    """Where the wrong one of the two begins."""
    for start in range(at + 1, min(at + 2 + _MOST_PARTICLES, len(tokens))):
        for end in range(start + 1, min(start + 2 + _MOST_PARTICLES, len(tokens) + 1)):
            other = [token.word for token in tokens[start:end]]
            if other[0] != said[0] and _is_heard_alike("".join(said), "".join(other)):
                yield start
                return


def _runs(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """The first words, and those after a preposition or two: as many together as a name with its particles has."""
    for start in range(min(len(words), _MOST_PARTICLES + 1)):
        for end in range(start + 1, min(start + 2 + _MOST_PARTICLES, len(words) + 1)):
            yield words[start:end]


def _is_plain(token: NameToken) -> bool:
    """Whether a word is an ordinary one alone."""
    return token.kind & (Kind.WORD | Kind.LISTED) == Kind.WORD


def _is_heard_alike(one: str, other: str) -> bool:
    if min(len(one), len(other)) < _SHORTEST or one[0] != other[0]:
        return False
    return one == other or (sound(one) == sound(other) != "")
