"""Finds names that callers put right or stand by: "i'm not patel i'm patil", "i'm prince that's my actual name"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from careline.privacy.names.frames import sound
from careline.privacy.names.lists.lexicon import NameLexicon
from careline.privacy.names.lists.word_kinds import NAME, Kind
from careline.privacy.names.tokens import NameToken

_BETWEEN = 5
"""Words such as "it is" before either name at most."""
_MOST_PARTICLES = 2
_BEGUN = 3
"""Letters that two names begin with alike that are taken for one another."""
_AFFIRMING = 8
"""Words between a name and "name" at most ("yes that's really my first")."""
_SHORTEST = 3


def contrasted(tokens: Sequence[NameToken], lexicon: NameLexicon) -> Iterator[int]:
    """Where the two names begin of which one is denied and the other, much like it, is right."""
    for at in range(len(tokens) - 2):
        if tokens[at].word not in lexicon.corrections.denied:
            continue
        yield from _right_one_first(tokens, at, lexicon)
        one = _past_links(tokens, at + 1, lexicon)
        core = _core(tokens, one)
        if core is None or one - at > _BETWEEN:
            continue
        other = _past_links(tokens, core + 1, lexicon)
        last = _core(tokens, other)
        if last is None or not 0 < other - core - 1 <= _BETWEEN:
            continue
        links = {token.word for token in (*tokens[at + 1 : one], *tokens[core + 1 : other])}
        if _are_mistaken(tokens, (one, core), (other, last)) and _are_names(tokens, core, last, links, lexicon):
            yield from (one, other)


def affirmed(tokens: Sequence[NameToken], lexicon: NameLexicon) -> Iterator[int]:
    """Where the name begins of which a caller says that it is truly theirs."""
    for end in range(2, len(tokens)):
        if tokens[end].word not in lexicon.persons.name_words and tokens[end].word not in ("name", "nome"):
            continue
        at = end - 1
        while at > 0 and end - at <= _AFFIRMING and tokens[at].word in lexicon.corrections.affirmed:
            at -= 1
        # "my first name": one word between is no sentence of its own.
        if (
            at < 1
            or end - at < _SHORTEST
            or tokens[at - 1].word
            not in lexicon.corrections.myself | lexicon.grammar.copulas | lexicon.corrections.contrast
        ):
            continue
        if tokens[at].kind & Kind.LISTED and not tokens[at].kind & Kind.STOP:
            yield at


def _right_one_first(tokens: Sequence[NameToken], at: int, lexicon: NameLexicon) -> Iterator[int]:
    """ "it's thwaite not thwaites": the right name before the wrong one."""
    core = at - 1
    if core < 1 or tokens[core].kind & (Kind.STOP | Kind.BUILT) or not tokens[at].joined:
        return
    one = core
    while one > 1 and core - one < _MOST_PARTICLES and tokens[one - 1].kind & Kind.PARTICLE:
        one -= 1
    other = _past_links(tokens, at + 1, lexicon)
    last = _core(tokens, other)
    said = {token.word for token in tokens[max(0, one - _SHORTEST) : one]}
    if last is None or said.isdisjoint(
        lexicon.corrections.contrast | lexicon.grammar.copulas | lexicon.persons.name_words
    ):
        return
    if tokens[core].kind & (Kind.LISTED | Kind.UNKNOWN) and _are_mistaken(tokens, (one, core), (other, last)):
        if _are_names(tokens, core, last, said, lexicon):
            yield from (one, other)


def _past_links(tokens: Sequence[NameToken], start: int, lexicon: NameLexicon) -> int:
    at = start
    while at < len(tokens) and at - start <= _BETWEEN and tokens[at].word in lexicon.corrections.contrast:
        at += 1
    return at


def _core(tokens: Sequence[NameToken], start: int) -> int | None:
    """The word of a name behind its particles; None where none can be."""
    core = start
    while core < len(tokens) - 1 and core - start < _MOST_PARTICLES and tokens[core].kind & Kind.PARTICLE:
        core += 1
    if core >= len(tokens) or len(tokens[core].word) < _SHORTEST:
        return None
    kind = tokens[core].kind
    return core if (kind & (Kind.LISTED | Kind.UNKNOWN) or core > start) and not kind & Kind.STOP else None


def _are_mistaken(tokens: Sequence[NameToken], one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two names, from their first word to their last, are taken for one another."""
    first, second = ("".join(token.word for token in tokens[start : end + 1]) for start, end in (one, other))
    if first == second or first[0] != second[0]:
        return False
    return first[:_BEGUN] == second[:_BEGUN] or sound(first) == sound(second) != ""


def _are_names(tokens: Sequence[NameToken], core: int, last: int, links: set[str], lexicon: NameLexicon) -> bool:
    """Whether the two are names, which for two ordinary words only the caller's own name or its letters say."""
    kinds = tokens[core].kind, tokens[last].kind
    if any(tokens[each].word in lexicon.grammar.verbs for each in (core, last)):
        return False
    if any(kind & NAME for kind in kinds):
        return not any(kind & Kind.BUILT for kind in kinds)
    one, other = tokens[core].word, tokens[last].word
    if any(kind & Kind.LIKELY for kind in kinds) and (one.startswith(other) or other.startswith(one)):
        return True
    if not any(kind & Kind.COMMON_LAST for kind in kinds):
        return False
    if _is_spelled(tokens, last + 1, lexicon):
        return True
    # "non sono magra sono magro"
    is_ending = one[:-1] == other[:-1] and {one[-1], other[-1]} == {"a", "o"}
    known = all(kind & Kind.COMMON_LAST or not kind & Kind.WORD for kind in kinds)
    return known and not is_ending and not links.isdisjoint(lexicon.corrections.oneself)


def _is_spelled(tokens: Sequence[NameToken], at: int, lexicon: NameLexicon) -> bool:
    """Whether letters follow, or what says how something is written."""
    if at >= len(tokens) or not tokens[at].joined:
        return False
    word, after = tokens[at].word, tokens[at + 1 : at + 2]
    if (
        word in lexicon.spelling.lettered
        or word in lexicon.spelling.spelled
        or word in lexicon.spelling.doubles
        or word in lexicon.spelling.letters_said
    ):
        return True
    return bool(tokens[at].kind & Kind.LETTER and after and after[0].kind & Kind.LETTER)
