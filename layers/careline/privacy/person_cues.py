"""Holds what stands beside the name of a person, read from `data/person` when a language is first needed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING

from careline.privacy.person_contrasts import affirmed, contrasted
from careline.privacy.person_frames import NAME_BEFORE, framed, named_before
from careline.privacy.person_kinds import NAME, Kind
from careline.privacy.person_lists import content
from careline.privacy.person_things import Things, introduces_nobody, is_described, speaks_of_a_thing, things
from careline.privacy.person_told import told

if TYPE_CHECKING:
    from careline.privacy.person_tokens import Token

_PART = re.compile(r"[^\W\d_]+'(?=[^\W\d_]{2})|[^\s']+(?:'[^\s']+)*|\S+")
_ELISIONS = frozenset("l' d' j' qu' n' s' c' m' t' jusqu' un' dell' nell' all' dall' sull' quell'".split())
_OWN = (
    "staff named_before named_after disease place_before articles no_name_after possessives conjunctions copulas "
    "clause person_verbs name_words within things origin origin_of denied corrected stop accented before_verb "
    "predicates verbs particles spelled of_names links doubles openers wishes asks toward errands errand_leads "
    "reports closings "
    "alternatives lettered quantities called myself people calendar relatives initials starts "
    "convent religious writes parted feasts rooms doubled deeds "
    "contrast oneself affirmed letters_said letters_also led_by "
    "greeted letter_names chambers eateries renamed resumed"
).split()
"""Sets of words that every language has."""
_SHARED = "disease_of eponyms shared_eponyms not_names months peoples".split()
"""Sets of words that are the same in every language."""
_POSSESSIVE = 3
"""Code points of the English "'s " between what somebody has and what it is."""
_NEAR = 5
"""Code points between a cue and a name at most; an amount stands in more."""
_NEAR_ERRAND = 4
"""Words after "for" in which it is said what somebody comes for."""
_NOT_ALONE = Kind.STOP | Kind.WORD | Kind.LETTER | Kind.BUILT | Kind.SHORT
"""What an unintroduced word at the beginning is that is no name."""


class Strength(IntEnum):
    """How surely a name follows: FAINT "with", WEAK "this is", KIN "my son", TITLE "madam", INTRODUCED "my name is".

    A phrase of one word ("name") introduces no more surely than a title does.
    """

    NONE = 0
    FAINT = 1
    WEAK = 2
    KIN = 3
    TITLE = 4
    INTRODUCED = 5


@dataclass(frozen=True, slots=True)
class Cues:
    """The cues of one language. `phrases`: by first word, the words and the strength, longest first."""

    language: str
    phrases: dict[str, list[tuple[tuple[str, ...], Strength]]]
    staff: frozenset[str]
    named_before: frozenset[str]
    named_after: frozenset[str]
    disease: frozenset[str]
    disease_of: frozenset[str]
    place_before: frozenset[str]
    articles: frozenset[str]
    no_name_after: frozenset[str]
    possessives: frozenset[str]
    conjunctions: frozenset[str]
    copulas: frozenset[str]
    clause: frozenset[str]
    person_verbs: frozenset[str]
    name_words: frozenset[str]
    within: frozenset[str]
    things: frozenset[str]
    origin: frozenset[str]
    origin_of: frozenset[str]
    denied: frozenset[str]
    corrected: frozenset[str]
    built_on: tuple[str, ...]
    stop: frozenset[str]
    accented: frozenset[str]
    kin: frozenset[str]
    before_verb: frozenset[str]
    predicates: frozenset[str]
    verbs: frozenset[str]
    particles: frozenset[str]
    spelled: frozenset[str]
    of_names: frozenset[str]
    links: frozenset[str]
    doubles: frozenset[str]
    openers: frozenset[str]
    wishes: frozenset[str]
    asks: frozenset[str]
    toward: frozenset[str]
    errands: frozenset[str]
    errand_leads: frozenset[str]
    reports: frozenset[str]
    closings: frozenset[str]
    alternatives: frozenset[str]
    lettered: frozenset[str]
    quantities: frozenset[str]
    called: frozenset[str]
    myself: frozenset[str]
    people: frozenset[str]
    calendar: frozenset[str]
    relatives: frozenset[str]
    initials: frozenset[str]
    starts: frozenset[str]
    convent: frozenset[str]
    religious: frozenset[str]
    writes: frozenset[str]
    parted: frozenset[str]
    feasts: frozenset[str]
    rooms: frozenset[str]
    doubled: frozenset[str]
    deeds: frozenset[str]
    contrast: frozenset[str]
    oneself: frozenset[str]
    affirmed: frozenset[str]
    letters_said: frozenset[str]
    letters_also: frozenset[str]
    led_by: frozenset[str]
    greeted: frozenset[str]
    letter_names: frozenset[str]
    chambers: frozenset[str]
    eateries: frozenset[str]
    renamed: frozenset[str]
    resumed: frozenset[str]
    eponyms: frozenset[str]
    shared_eponyms: frozenset[str]
    not_names: frozenset[str]
    months: frozenset[str]
    peoples: frozenset[str]
    suffixes: tuple[str, ...]
    medical: Things
    """What tells things of medicine from people."""


def pieces(phrase: str) -> tuple[str, ...]:
    """A folded phrase cut as `person_tokens.cut` cuts a text: an elided word stands alone, a possessive is dropped."""
    found = []
    for part in phrase.split():
        head, mark, rest = part.partition("'")
        if mark and rest and head + mark in _ELISIONS and len(rest) > 1:
            found += [head + mark, rest]
        elif part.endswith("'s") and len(part) > 2:
            found.append(part[:-2])
        else:
            found.append(part)
    return tuple(found)


def _phrases(own: dict[str, str]) -> dict[str, list[tuple[tuple[str, ...], Strength]]]:
    """The phrases that introduce a name, by their first word, longest first."""
    phrases: dict[str, list[tuple[tuple[str, ...], Strength]]] = {}
    for field, strength in (
        ("introduce", Strength.INTRODUCED),
        ("title", Strength.TITLE),
        ("kin", Strength.KIN),
        ("weak", Strength.WEAK),
        ("faint", Strength.FAINT),
    ):
        for line in own[field].splitlines():
            cut = pieces(line)
            is_loose = len(cut) == 1 and strength is Strength.INTRODUCED
            phrases.setdefault(cut[0], []).append((cut, Strength.TITLE if is_loose else strength))
    for options in phrases.values():
        options.sort(key=lambda option: -len(option[0]))
    return phrases


@cache
def cues(language: str) -> Cues:
    """The cues of "nl", "en", "fr" or "it"."""
    own, shared = content(language), content("shared")

    def entries(name: str, source: dict[str, str] = own) -> frozenset[str]:
        return frozenset(source[name].split())

    return Cues(
        language=language,
        phrases=_phrases(own),
        kin=frozenset(line for line in own["kin"].splitlines() if " " not in line),
        suffixes=tuple(own["suffixes"].split()),
        built_on=tuple(own["built_on"].split()),
        medical=things(language),
        **{name: entries(name) for name in _OWN},
        **{name: entries(name, shared) for name in _SHARED},
    )


def strengths(tokens: Sequence[Token], cues: Cues) -> list[Strength]:
    """For each word, how surely a name begins there, by what stands before it; a title keeps a stronger cue."""
    found = [Strength.NONE] * (len(tokens) + 1)
    for end, start, strength in _matches(tokens, cues):
        carried = found[start] if strength is Strength.TITLE else Strength.NONE
        found[end] = max(found[end], strength, carried)
        if strength is Strength.TITLE and len(tokens[end].word) == 1:
            # An initial stands between a title and the name.
            found[end + 1] = max(found[end + 1], strength)
    for end, token in enumerate(tokens):
        if token.word in cues.name_words:
            start = named_before(tokens, end, cues)
            found[start] = max(found[start], Strength.TITLE)
    for start in framed(tokens, cues):
        found[start] = max(found[start], Strength.TITLE)
    for start in (*told(tokens, cues), *contrasted(tokens, cues), *affirmed(tokens, cues)):
        found[start] = Strength.INTRODUCED
    for start, strength in (*_unlisted(tokens, cues), *_opened(tokens, cues, found)):
        found[start] = max(found[start], strength)
    return found[: len(tokens)]


def _unlisted(tokens: Sequence[Token], cues: Cues) -> Iterator[tuple[int, Strength]]:
    """Where unlisted words stand as a name does: alone before a wish, or two together after "with" or "for"."""
    start = 0
    while start < len(tokens) and tokens[start].word in cues.openers:
        start += 1
    end = start
    while end < len(tokens) and end - start < NAME_BEFORE and (end == start or tokens[end].joined):
        kind = tokens[end].kind
        if kind & _NOT_ALONE or not kind & (Kind.UNKNOWN | Kind.LISTED):
            break
        end += 1
    yield from _before_wish(tokens, start, end, cues)
    for at in range(1, len(tokens) - 1):
        if tokens[at].kind & Kind.UNKNOWN and tokens[at + 1].joined and _is_person_here(tokens, at, cues):
            yield at, Strength.KIN


def _opened(tokens: Sequence[Token], cues: Cues, found: Sequence[Strength]) -> Iterator[tuple[int, Strength]]:
    """Where a name begins after "initials", or after a first word that says who calls ("met vanden berghe")."""
    for at in range(1, len(tokens)):
        if tokens[at - 1].word in cues.initials and tokens[at].kind & Kind.LETTER:
            yield at, Strength.TITLE
    start = 0
    while start < len(tokens) and tokens[start].word in cues.openers and tokens[start].word not in cues.starts:
        start += 1
    titled = any(each >= Strength.TITLE for each in found[start + 1 : start + 4])
    if start + 1 < len(tokens) and tokens[start].word in cues.starts and tokens[start + 1].joined and not titled:
        yield start + 1, Strength.WEAK


def _is_person_here(tokens: Sequence[Token], at: int, cues: Cues) -> bool:
    """Whether the words around an unlisted one say that it is somebody's name."""
    kind, after = tokens[at].kind, tokens[at + 1]
    relative = tokens[at + 2].word if at + 2 < len(tokens) else ""
    if cues.reports and after.word in cues.possessives and relative in cues.kin:
        # "greetings from manila my aunt"
        return tokens[at - 1].word not in cues.origin_of
    if kind & Kind.SURELY and tokens[at].joined and _is_reported(tokens, at, cues):
        return True
    if not kind & Kind.LIKELY or tokens[at - 1].word not in cues.toward or speaks_of_a_thing(tokens, at, cues):
        return False
    if at > 1 and (tokens[at - 2].word in cues.place_before or tokens[at - 2].word in cues.origin):
        return False
    wished = after.word in cues.asks or after.word in cues.closings
    if kind & Kind.SURELY and (wished or after.kind & ~Kind.PARTICLE == Kind.UNKNOWN):
        return True
    return bool(after.kind & Kind.LIKELY and (kind | after.kind) & Kind.SURELY)


def _is_reported(tokens: Sequence[Token], at: int, cues: Cues) -> bool:
    """Whether it is said of an unlisted word what it does ("i was told that tevita can go")."""
    lead = at - 2 if tokens[at - 1].word in cues.clause else at - 1
    after = tokens[at + 1].word
    return (
        lead >= 0
        and tokens[lead].word in cues.reports
        and (after in cues.person_verbs or after in cues.copulas or after in cues.asks)
    )


def _before_wish(tokens: Sequence[Token], start: int, end: int, cues: Cues) -> Iterator[tuple[int, Strength]]:
    """The unlisted words from `start` to `end` when a wish follows; one alone needs a surer sign than several."""
    if start == end or end >= len(tokens) or not tokens[end].joined or is_described(tokens, end, cues):
        return
    kinds, after = [token.kind for token in tokens[start:end]], tokens[end].word
    if len(kinds) == 1 and kinds[0] & (Kind.LIKELY | Kind.LAST):
        comes_for = (token.word for token in tokens[end + 1 : end + 1 + _NEAR_ERRAND])
        is_long = len(tokens[start].word) > _NEAR_ERRAND
        if is_long and after in cues.errand_leads and any(word in cues.errands for word in comes_for):
            yield start, Strength.KIN
    if len(kinds) == 1 and kinds[0] & Kind.SURELY:
        led = start == 1 and tokens[0].word in cues.toward and tokens[end].kind & Kind.STOP
        if after in cues.asks or (led and after not in cues.copulas):
            yield start, Strength.KIN
    if len(kinds) > 1 and any(kind & (Kind.SURELY | NAME) for kind in kinds):
        if after in cues.wishes or after in cues.asks or after in cues.person_verbs:
            yield start, Strength.TITLE


def _is_owned(tokens: Sequence[Token], at: int, strength: Strength, cues: Cues) -> bool:
    """Whether a word is what a person has and not the person ("the other lady's cardigan")."""
    before = tokens[at - 1]
    if strength not in (Strength.KIN, Strength.TITLE) or before.word in cues.name_words or before.word == "name":
        return False
    return tokens[at].start - before.end == _POSSESSIVE and cues.language == "en" and not tokens[at].joined


def _surer(tokens: Sequence[Token], start: int, phrase: tuple[str, ...], strength: Strength, cues: Cues) -> Strength:
    """How surely a cue introduces a name when a person stands right before it ("my uncle is called angel")."""
    before = tokens[start - 1].word if start else ""
    is_of_person = before in cues.kin or before in cues.medical.persons
    return Strength.INTRODUCED if is_of_person and " ".join(phrase) in cues.medical.naming else strength


def _matches(tokens: Sequence[Token], cues: Cues) -> Iterator[tuple[int, int, Strength]]:
    fillers = ("euh", "eh", "uh", "um", "uhm", "ehm", "er", "erm", "hm", "ah")
    free = 0
    for start, token in enumerate(tokens):
        if start < free:
            continue
        for phrase, strength in cues.phrases.get(token.word, ()):
            end = start + len(phrase)
            if end <= len(tokens) and all(tokens[start + i].word == word for i, word in enumerate(phrase)):
                free = end
                while end < len(tokens) and tokens[end].word in fillers:
                    end += 1
                is_near = end < len(tokens) and tokens[end].start - tokens[end - 1].end <= _NEAR
                if is_near and not _is_owned(tokens, end, strength, cues):
                    if not introduces_nobody(tokens, start, end, phrase, cues):
                        yield end, start, _surer(tokens, start, phrase, strength, cues)
                break
