"""Finds names by the frame they stand in, where no word introduces them: "hoessein of hussein", "smythe with a y"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from careline.privacy.names.lists.lexicon import NameLexicon
from careline.privacy.names.lists.word_kinds import Kind
from careline.privacy.names.tokens import NameToken

NAME_BEFORE = 4
"""Words that are said to be a name afterwards, at most."""
_SHORTEST = 4
"""Letters of a word that is said in two spellings."""
_MOST_PARTICLES = 2
_SAME_SOUND = str.maketrans({"c": "k", "q": "k", "z": "s", "d": "t", "v": "f", "w": "f", "j": "i", "y": "i"})
_UNHEARD = re.compile(r"[aeiouh'-]")
_TWICE = re.compile(r"(.)\1+")


def framed(tokens: Sequence[NameToken], lexicon: NameLexicon) -> Iterator[int]:
    """Where names begin that are told by what stands around them, in any order."""
    for at in range(1, len(tokens)):
        word = tokens[at].word
        if word in lexicon.grammar.alternatives:
            yield from _in_two_spellings(tokens, at, lexicon)
        if (
            word in lexicon.spelling.lettered
            and _is_lettered(tokens, at + 1, lexicon)
            and not tokens[at - 1].kind & Kind.BUILT
        ):
            yield from _behind(tokens, _before_verb(tokens, at - 1, lexicon), lexicon)
        if word in lexicon.grammar.clause:
            yield from _in_clause(tokens, at, lexicon)
        if word in lexicon.grammar.copulas:
            yield from _relative(tokens, at, lexicon)
        if word in lexicon.persons.within and at + 1 < len(tokens) and _counts_letters(tokens, at, lexicon):
            if _is_namelike(tokens[at + 1].kind) and not tokens[at + 1].kind & Kind.PLACE:
                yield at + 1
        if word in lexicon.grammar.articles or word in lexicon.grammar.possessives:
            yield from _beside_relative(tokens, at, lexicon)


def _in_clause(tokens: Sequence[NameToken], at: int, lexicon: NameLexicon) -> Iterator[int]:
    """ "tell her that beau called", "riferite a fiorella che gioia è arrivata"."""
    if at + 2 >= len(tokens):
        return
    name, verb = tokens[at + 1], tokens[at + 2]
    if tokens[at].word not in lexicon.grammar.alternatives and verb.word in lexicon.corrections.called:
        if _is_namelike(name.kind) and name.word not in lexicon.persons.staff:
            yield at + 1
    is_done = verb.word in lexicon.grammar.copulas and verb.kind & Kind.ACCENTED
    if (
        is_done
        and name.word in lexicon.spelling.doubled
        and any(token.word in lexicon.requests.reports for token in tokens[:at])
    ):
        yield at + 1


def _is_namelike(kind: int) -> bool:
    return bool(kind & (Kind.LISTED | Kind.LIKELY)) and not kind & (Kind.STOP | Kind.LETTER)


def sound(word: str) -> str:
    """What is left of a folded word that is heard alike in most spellings: "hoessein" and "hussein" are one."""
    hard = word.replace("ck", "k").replace("ph", "f").replace("ch", "h").translate(_SAME_SOUND)
    return _TWICE.sub(r"\1", _UNHEARD.sub("", hard))


def _in_two_spellings(tokens: Sequence[NameToken], at: int, lexicon: NameLexicon) -> Iterator[int]:
    after = at + 1
    while after < len(tokens) and after - at <= _MOST_PARTICLES and tokens[after].kind & Kind.PARTICLE:
        after += 1
    if after >= len(tokens) or not tokens[at].joined:
        return
    one, other = tokens[at - 1], tokens[after]
    if one.word == other.word or min(len(one.word), len(other.word)) < _SHORTEST or one.word[1] == "'":
        return
    kinds = one.kind, other.kind
    if "" in (sound(one.word), sound(other.word)):
        return
    if any(kind & Kind.STOP for kind in kinds) or _is_word(tokens, at - 1) or _is_word(tokens, after):
        return
    alike = one.word[0].translate(_SAME_SOUND) == other.word[0].translate(_SAME_SOUND)
    if alike and sound(one.word) == sound(other.word) and any(kind & (Kind.LISTED | Kind.LIKELY) for kind in kinds):
        yield from _behind(tokens, at - 1, lexicon)
        yield from _behind(tokens, after, lexicon)


def _is_word(tokens: Sequence[NameToken], at: int) -> bool:
    """Whether a word is no name; after two particles ("van de putte") it is one."""
    if at >= _MOST_PARTICLES and all(tokens[at - back].kind & Kind.PARTICLE for back in range(1, _MOST_PARTICLES + 1)):
        return False
    return tokens[at].kind & (Kind.WORD | Kind.LISTED) == Kind.WORD


def _is_lettered(tokens: Sequence[NameToken], at: int, lexicon: NameLexicon) -> bool:
    """Whether letters are named here that a name is written with ("two t's", "c k at the end")."""
    counted = at
    while (
        counted < len(tokens) - 1
        and counted - at < _MOST_PARTICLES
        and tokens[counted].word in lexicon.grammar.quantities
    ):
        counted += 1
    if counted > at and counted < len(tokens) and tokens[counted].word in lexicon.spelling.letter_names:
        # "con due ti", where the letter is said by its name
        return True
    if counted >= len(tokens) or not tokens[counted].kind & Kind.LETTER:
        return False
    if counted == at and tokens[at].kind & Kind.STOP:
        return False
    after = tokens[counted + 1 : counted + 2]
    if after and after[0].word in lexicon.spelling.letter_names:
        # "senza la o finale"
        return True
    return not after or not after[0].joined or bool(after[0].kind & (Kind.STOP | Kind.LETTER))


def _before_verb(tokens: Sequence[NameToken], at: int, lexicon: NameLexicon) -> int:
    """The word of which it is said that it "is spelled with two r's"; the word itself without a verb."""
    said = at
    while said > 0 and (tokens[said].word in lexicon.spelling.spelled or tokens[said].word in lexicon.spelling.writes):
        said -= 1
    if said in (0, at) or tokens[said].word in lexicon.grammar.possessives:
        return at
    return said - 1 if tokens[said].kind & Kind.STOP or tokens[said].word in lexicon.grammar.copulas else said


def _counts_letters(tokens: Sequence[NameToken], end: int, lexicon: NameLexicon) -> bool:
    """Whether letters are counted right before a word ("one l too many in phillip", "manca una enne in")."""
    for at in range(max(1, end - _SHORTEST), end):
        is_letter = (
            tokens[at].kind & (Kind.LETTER | Kind.STOP) == Kind.LETTER
            or tokens[at].word in lexicon.spelling.letter_names
        )
        if is_letter and tokens[at].joined and tokens[at - 1].word in lexicon.grammar.quantities:
            return True
    return False


def _behind(tokens: Sequence[NameToken], core: int, lexicon: NameLexicon) -> Iterator[int]:
    """Where the name begins that ends with the word `core`, if that can be one."""
    kind, start = tokens[core].kind, core
    while start > 0 and core - start < _MOST_PARTICLES and tokens[start - 1].kind & Kind.PARTICLE:
        start -= 1
    if kind & (Kind.STOP | Kind.LETTER) or tokens[core].word in lexicon.spelling.spelled:
        return
    if kind & (Kind.LISTED | Kind.UNKNOWN) or core - start == _MOST_PARTICLES:
        yield start


def _relative(tokens: Sequence[NameToken], at: int, lexicon: NameLexicon) -> Iterator[int]:
    """A name that is also a word after "my son is"; with it the caller's own ("I'm summer and my twin is april")."""
    if tokens[at - 1].word not in lexicon.persons.kin and tokens[at - 1].word not in lexicon.persons.relatives:
        return
    name, after = tokens[at + 1 : at + 2], tokens[at + 2 : at + 4]
    if not name or at < _MOST_PARTICLES or tokens[at - 2].word not in lexicon.grammar.possessives:
        return
    if not _may_be_name(name[0], lexicon):
        return
    own = at - 4
    if (
        own > 0
        and tokens[at - 3].word in lexicon.grammar.conjunctions
        and tokens[own - 1].word in lexicon.corrections.myself
    ):
        if _may_be_name(tokens[own], lexicon):
            yield own
            yield at + 1
            return
    ends = not after or not after[0].joined
    if ends or after[0].word in lexicon.persons.people:
        # "my wife is happy" ends as "my wife is faith" does.
        if name[0].word in lexicon.other_senses.calendar and name[0].kind & Kind.COMMON_FIRST:
            yield at + 1
    elif len(after) > 1 and after[0].word in lexicon.grammar.conjunctions and after[1].word in lexicon.persons.people:
        yield at + 1


def _beside_relative(tokens: Sequence[NameToken], at: int, lexicon: NameLexicon) -> Iterator[int]:
    """A name that is also a word between "this is" and "the daughter of" ("qui vera la moglie di pino")."""
    if at + 1 >= len(tokens) or tokens[at + 1].word not in lexicon.persons.kin or at < _MOST_PARTICLES:
        return
    said = tokens[at - 2]
    leads = said.word in lexicon.corrections.myself or (
        said.word in lexicon.grammar.copulas and said.kind & Kind.ACCENTED
    )
    if leads and tokens[at - 1].word in lexicon.spelling.doubled and not tokens[at - 1].kind & Kind.STOP:
        yield at - 1


def _may_be_name(token: NameToken, lexicon: NameLexicon) -> bool:
    if token.kind & Kind.STOP or not token.kind & Kind.LISTED:
        return False
    return token.word in lexicon.other_senses.calendar or token.word not in lexicon.grammar.verbs


def named_before(tokens: Sequence[NameToken], end: int, lexicon: NameLexicon) -> int:
    """Where the words begin that are said to be a name afterwards ("pickles is the surname"); the end if none are."""
    at = end - 1
    following = tokens[end + 1].word if end + 1 < len(tokens) else ""
    of_thing = (
        following in lexicon.grammar.origin_of
        and end + 2 < len(tokens)
        and tokens[end + 2].word in lexicon.grammar.articles
    )
    if of_thing or following in lexicon.persons.no_name_after:
        # "lymphoedema is the name of a swelling"
        return len(tokens)
    while at > 0 and (tokens[at].word in lexicon.grammar.articles or tokens[at].word in lexicon.grammar.possessives):
        at -= 1
    if at <= 0 or tokens[at].word not in lexicon.grammar.copulas:
        return len(tokens)
    start = at
    while start > 0 and at - start < NAME_BEFORE and _may_name(tokens[start - 1].word, lexicon):
        start -= 1
    return start if start < at and (start == 0 or tokens[start - 1].word in lexicon.grammar.clause) else len(tokens)


def _may_name(word: str, lexicon: NameLexicon) -> bool:
    return (
        word in lexicon.grammar.particles
        or word
        not in lexicon.grammar.stop
        | lexicon.grammar.clause
        | lexicon.persons.kin
        | lexicon.grammar.articles
        | lexicon.persons.name_words
    )
