"""Says for each word how surely a name begins there, by what stands before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from careline.privacy.names.contrasts import affirmed, contrasted
from careline.privacy.names.frames import NAME_BEFORE, framed, named_before
from careline.privacy.names.lists.lexicon import NameLexicon, Strength
from careline.privacy.names.lists.word_kinds import NAME, Kind
from careline.privacy.names.sentence_frames import told
from careline.privacy.names.things import introduces_nobody, is_described, speaks_of_a_thing
from careline.privacy.names.tokens import NameToken

_POSSESSIVE = 3
"""Code points of the English "'s " between what somebody has and what it is."""
_NEAR = 5
"""Code points between a cue and a name at most; an amount stands in more."""
_NEAR_ERRAND = 4
"""Words after "for" in which it is said what somebody comes for."""
_NOT_ALONE = Kind.STOP | Kind.WORD | Kind.LETTER | Kind.BUILT | Kind.SHORT
"""What an unintroduced word at the beginning is that is no name."""


def strengths(tokens: Sequence[NameToken], lexicon: NameLexicon) -> list[Strength]:
    """For each word, how surely a name begins there, by what stands before it; a title keeps a stronger cue."""
    found = [Strength.NONE] * (len(tokens) + 1)
    for end, start, strength in _matches(tokens, lexicon):
        carried = found[start] if strength is Strength.TITLE else Strength.NONE
        found[end] = max(found[end], strength, carried)
        if strength is Strength.TITLE and len(tokens[end].word) == 1:
            # An initial stands between a title and the name.
            found[end + 1] = max(found[end + 1], strength)
    for end, token in enumerate(tokens):
        if token.word in lexicon.persons.name_words:
            start = named_before(tokens, end, lexicon)
            found[start] = max(found[start], Strength.TITLE)
    for start in framed(tokens, lexicon):
        found[start] = max(found[start], Strength.TITLE)
    for start in (*told(tokens, lexicon), *contrasted(tokens, lexicon), *affirmed(tokens, lexicon)):
        found[start] = Strength.INTRODUCED
    for start, strength in (*_unlisted(tokens, lexicon), *_opened(tokens, lexicon, found)):
        found[start] = max(found[start], strength)
    return found[: len(tokens)]


def _unlisted(tokens: Sequence[NameToken], lexicon: NameLexicon) -> Iterator[tuple[int, Strength]]:
    """Where unlisted words stand as a name does: alone before a wish, or two together after "with" or "for"."""
    start = 0
    while start < len(tokens) and tokens[start].word in lexicon.requests.openers:
        start += 1
    end = start
    while end < len(tokens) and end - start < NAME_BEFORE and (end == start or tokens[end].joined):
        kind = tokens[end].kind
        if kind & _NOT_ALONE or not kind & (Kind.UNKNOWN | Kind.LISTED):
            break
        end += 1
    yield from _before_wish(tokens, start, end, lexicon)
    for at in range(1, len(tokens) - 1):
        if tokens[at].kind & Kind.UNKNOWN and tokens[at + 1].joined and _is_person_here(tokens, at, lexicon):
            yield at, Strength.KIN


def _opened(
    tokens: Sequence[NameToken], lexicon: NameLexicon, found: Sequence[Strength]
) -> Iterator[tuple[int, Strength]]:
    """Where a name begins after "initials", or after a first word that says who calls ("met vanden berghe")."""
    for at in range(1, len(tokens)):
        if tokens[at - 1].word in lexicon.spelling.initials and tokens[at].kind & Kind.LETTER:
            yield at, Strength.TITLE
    start = 0
    while (
        start < len(tokens)
        and tokens[start].word in lexicon.requests.openers
        and tokens[start].word not in lexicon.requests.starts
    ):
        start += 1
    titled = any(each >= Strength.TITLE for each in found[start + 1 : start + 4])
    if (
        start + 1 < len(tokens)
        and tokens[start].word in lexicon.requests.starts
        and tokens[start + 1].joined
        and not titled
    ):
        yield start + 1, Strength.WEAK


def _is_person_here(tokens: Sequence[NameToken], at: int, lexicon: NameLexicon) -> bool:
    """Whether the words around an unlisted one say that it is somebody's name."""
    kind, after = tokens[at].kind, tokens[at + 1]
    relative = tokens[at + 2].word if at + 2 < len(tokens) else ""
    if lexicon.requests.reports and after.word in lexicon.grammar.possessives and relative in lexicon.persons.kin:
        # "greetings from manila my aunt"
        return tokens[at - 1].word not in lexicon.grammar.origin_of
    if kind & Kind.SURELY and tokens[at].joined and _is_reported(tokens, at, lexicon):
        return True
    if (
        not kind & Kind.LIKELY
        or tokens[at - 1].word not in lexicon.requests.toward
        or speaks_of_a_thing(tokens, at, lexicon)
    ):
        return False
    if at > 1 and (
        tokens[at - 2].word in lexicon.other_senses.place_before or tokens[at - 2].word in lexicon.grammar.origin
    ):
        return False
    wished = after.word in lexicon.requests.asks or after.word in lexicon.requests.closings
    if kind & Kind.SURELY and (wished or after.kind & ~Kind.PARTICLE == Kind.UNKNOWN):
        return True
    return bool(after.kind & Kind.LIKELY and (kind | after.kind) & Kind.SURELY)


def _is_reported(tokens: Sequence[NameToken], at: int, lexicon: NameLexicon) -> bool:
    """Whether it is said of an unlisted word what it does ("i was told that tevita can go")."""
    lead = at - 2 if tokens[at - 1].word in lexicon.grammar.clause else at - 1
    after = tokens[at + 1].word
    return (
        lead >= 0
        and tokens[lead].word in lexicon.requests.reports
        and (
            after in lexicon.grammar.person_verbs or after in lexicon.grammar.copulas or after in lexicon.requests.asks
        )
    )


def _before_wish(
    tokens: Sequence[NameToken], start: int, end: int, lexicon: NameLexicon
) -> Iterator[tuple[int, Strength]]:
    """The unlisted words from `start` to `end` when a wish follows; one alone needs a surer sign than several."""
    if start == end or end >= len(tokens) or not tokens[end].joined or is_described(tokens, end, lexicon):
        return
    kinds, after = [token.kind for token in tokens[start:end]], tokens[end].word
    if len(kinds) == 1 and kinds[0] & (Kind.LIKELY | Kind.LAST):
        comes_for = (token.word for token in tokens[end + 1 : end + 1 + _NEAR_ERRAND])
        is_long = len(tokens[start].word) > _NEAR_ERRAND
        if (
            is_long
            and after in lexicon.requests.errand_leads
            and any(word in lexicon.requests.errands for word in comes_for)
        ):
            yield start, Strength.KIN
    if len(kinds) == 1 and kinds[0] & Kind.SURELY:
        led = start == 1 and tokens[0].word in lexicon.requests.toward and tokens[end].kind & Kind.STOP
        if after in lexicon.requests.asks or (led and after not in lexicon.grammar.copulas):
            yield start, Strength.KIN
    if len(kinds) > 1 and any(kind & (Kind.SURELY | NAME) for kind in kinds):
        if after in lexicon.requests.wishes or after in lexicon.requests.asks or after in lexicon.grammar.person_verbs:
            yield start, Strength.TITLE


def _is_owned(tokens: Sequence[NameToken], at: int, strength: Strength, lexicon: NameLexicon) -> bool:
    """Whether a word is what a person has and not the person ("the other lady's cardigan")."""
    before = tokens[at - 1]
    if (
        strength not in (Strength.KIN, Strength.TITLE)
        or before.word in lexicon.persons.name_words
        or before.word == "name"
    ):
        return False
    return tokens[at].start - before.end == _POSSESSIVE and lexicon.language == "en" and not tokens[at].joined


def _surer(
    tokens: Sequence[NameToken], start: int, phrase: tuple[str, ...], strength: Strength, lexicon: NameLexicon
) -> Strength:
    """How surely a cue introduces a name when a person stands right before it ("my uncle is called angel")."""
    before = tokens[start - 1].word if start else ""
    is_of_person = before in lexicon.persons.kin or before in lexicon.medical.persons
    return Strength.INTRODUCED if is_of_person and " ".join(phrase) in lexicon.medical.naming else strength


def _matches(tokens: Sequence[NameToken], lexicon: NameLexicon) -> Iterator[tuple[int, int, Strength]]:
    fillers = ("euh", "eh", "uh", "um", "uhm", "ehm", "er", "erm", "hm", "ah")
    free = 0
    for start, token in enumerate(tokens):
        if start < free:
            continue
        for phrase, strength in lexicon.phrases.get(token.word, ()):
            end = start + len(phrase)
            if end <= len(tokens) and all(tokens[start + i].word == word for i, word in enumerate(phrase)):
                free = end
                while end < len(tokens) and tokens[end].word in fillers:
                    end += 1
                is_near = end < len(tokens) and tokens[end].start - tokens[end - 1].end <= _NEAR
                if is_near and not _is_owned(tokens, end, strength, lexicon):
                    if not introduces_nobody(tokens, start, end, phrase, lexicon):
                        yield end, start, _surer(tokens, start, phrase, strength, lexicon)
                break
