"""Tells things of medicine from people: words made as its words are, and cues of a name that speak of a thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from careline.privacy.person_kinds import NAME, Kind
from careline.privacy.person_lists import content
from careline.privacy.rows import field_words

if TYPE_CHECKING:
    from careline.privacy.person_cues import Cues
    from careline.privacy.person_tokens import Token

_PHRASES = frozenset({"naming", "collective"})
"""Lists of phrases, one a line."""
_ENDED = 5
"""Letters that a word has more of when its ending says what it is."""
_BEGUN = 8
"""The same where its beginning does."""
_BACK = 8
"""Words before "called" in which it is said who or what is called so."""
_SOLD = 3
"""Words before "name" in which it is said that a thing has it."""
_CLIPPED = 3
"""Code points of the "'s " that a pronoun before a name has lost."""


@dataclass(frozen=True, slots=True)
class Things:
    """What one language and medicine have for things: see `data/person/medical.yaml`."""

    naming: frozenset[str]
    collective: frozenset[str]
    persons: frozenset[str]
    subjects: frozenset[str]
    neutral: frozenset[str]
    between: frozenset[str]
    sold: frozenset[str]
    sufferers: frozenset[str]
    has: frozenset[str]
    conditions: frozenset[str]
    clipped: frozenset[str]
    matters: frozenset[str]
    described: frozenset[str]
    familiar: frozenset[str]
    lands: frozenset[str]
    illnesses: tuple[str, ...]
    others: tuple[str, ...]
    beginnings: tuple[str, ...]

    def is_word(self, word: str) -> bool:
        """Whether a folded word is made as words of medicine are ("nephrostomy", "hyperkaliemie")."""
        if len(word) > _BEGUN and word.startswith(self.beginnings):
            return True
        return len(word) > _ENDED and (word.endswith(self.illnesses) or word.endswith(self.others))

    def is_illness(self, word: str) -> bool:
        """Whether a folded word is a kind of illness, such as is named after who described it."""
        return word in self.conditions or (len(word) > _ENDED and word.endswith(self.illnesses))


@cache
def things(language: str) -> Things:
    """What "nl", "en", "fr" or "it" has for things."""
    written: dict[str, Any] = content("medical")
    own, shared = written[language], written["shared"]
    listed: dict[str, Any] = {name: frozenset(own[name].split()) for name in own.keys() - _PHRASES}
    listed |= {name: frozenset(own[name].splitlines()) for name in _PHRASES}
    listed |= {name: tuple(shared[name].split()) for name in ("illnesses", "others", "beginnings")}
    return Things(**listed, lands=frozenset(shared["lands"].split()))


def introduces_nobody(tokens: Sequence[Token], start: int, end: int, phrase: tuple[str, ...], cues: Cues) -> bool:
    """Whether a cue of a name, from the word `start`, speaks of a thing ("a protein called actin").

    `phrase`: its words as listed; `end`: where the name would begin.
    """
    told, said, after = cues.medical, " ".join(phrase), tokens[end]
    if said in told.collective:
        # "in a family member", "it runs in the family. Diabetes"
        ended = not after.joined or bool(after.kind & Kind.OPENS)
        return ended or after.word in told.familiar or told.is_word(after.word)
    if said in told.clipped:
        return tokens[start + 1].start - tokens[start].end < _CLIPPED
    if said in told.has and start > 0 and tokens[start - 1].word in told.sufferers:
        return True
    beyond = tokens[end + 1].word if end + 1 < len(tokens) else ""
    if after.word in field_words() and (not after.kind & Kind.LISTED or beyond in cues.origin_of):
        # "surname, forename, date of birth"
        return True
    led = tokens[start - 1].word if start else ""
    if phrase[-1] in ("name", "nome") and led in cues.articles and after.word in cues.of_names:
        # "the first name field"
        return True
    if len(phrase) == 1 and tokens[start].kind & Kind.SHORT and not after.kind & (Kind.SHORT | Kind.LISTED):
        # "no cure for MS. Many"
        return True
    return _names_nobody(tokens, start, end, phrase, cues)


def _names_nobody(tokens: Sequence[Token], start: int, end: int, phrase: tuple[str, ...], cues: Cues) -> bool:
    """Whether words that give a name ("called", "name") give it to a thing."""
    told, after = cues.medical, tokens[end]
    if any(word in cues.name_words for word in phrase):
        is_thing = phrase[-1] in cues.name_words and told.is_word(after.word)
        return is_thing or any(token.word in told.sold for token in tokens[max(0, start - _SOLD) : start])
    if " ".join(phrase) not in told.naming:
        return False
    is_thing = after.word in cues.no_name_after or told.is_word(after.word)
    return is_thing or not _names_a_person(tokens, start, cues)


def speaks_of_a_thing(tokens: Sequence[Token], at: int, cues: Cues) -> bool:
    """Whether what stands before an unlisted word says that it is a thing ("symptoms of", "an enzyme called")."""
    told = cues.medical
    if tokens[at - 1].word in told.naming:
        return not _names_a_person(tokens, at - 1, cues)
    led = tokens[at - 2].word if at > 1 else ""
    return led in told.matters or (tokens[at - 1].word in told.has and led in told.sufferers)


def is_described(tokens: Sequence[Token], at: int, cues: Cues) -> bool:
    """Whether it is said from a word on what something is ("cutis laxa is a rare disorder")."""
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    return tokens[at].word in cues.copulas and after in cues.medical.described


def _names_a_person(tokens: Sequence[Token], start: int, cues: Cues) -> bool:
    """Whether what stands before "called" is a person, or nothing."""
    told, at = cues.medical, start
    while at > 0 and not tokens[at].kind & Kind.OPENS and tokens[at - 1].word in told.between:
        at -= 1
    if at == 0 or tokens[at].kind & Kind.OPENS:
        return True
    before = tokens[at - 1]
    if before.word in told.subjects or (before.kind & NAME and not before.kind & Kind.EPONYM):
        return True
    for back in range(at - 1, max(-1, at - 1 - _BACK), -1):
        word = tokens[back].word
        if word in told.persons or word in cues.kin:
            return True
        if (
            word in cues.origin_of
            and back
            and (tokens[back - 1].word in cues.kin or tokens[back - 1].word in told.persons)
        ):
            # "my neighbour of the next bed is called"
            return True
        if tokens[back].kind & Kind.OPENS or word in told.neutral or word in told.has or told.is_illness(word):
            return False
        if word in cues.articles and (back == 0 or tokens[back - 1].word not in cues.place_before):
            return False
    return False
