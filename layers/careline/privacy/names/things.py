"""Tells a cue of a name that speaks of a thing of medicine from one that introduces a person."""

from __future__ import annotations

from collections.abc import Sequence

from careline.privacy.names.lists.lexicon import NameLexicon
from careline.privacy.names.lists.word_kinds import NAME, Kind
from careline.privacy.names.tokens import NameToken
from careline.privacy.pasted_tables import field_words

_BACK = 8
"""Words before "called" in which it is said who or what is called so."""
_SOLD = 3
"""Words before "name" in which it is said that a thing has it."""
_CLIPPED = 3
"""Code points of the "'s " that a pronoun before a name has lost."""


def introduces_nobody(
    tokens: Sequence[NameToken], start: int, end: int, phrase: tuple[str, ...], lexicon: NameLexicon
) -> bool:
    """Whether a cue of a name, from the word `start`, speaks of a thing ("a protein called actin").

    `phrase`: its words as listed; `end`: where the name would begin.
    """
    told, said, after = lexicon.medical, " ".join(phrase), tokens[end]
    if said in told.collective:
        # "in a family member", "it runs in the family. Diabetes"
        ended = not after.joined or bool(after.kind & Kind.OPENS)
        return ended or after.word in told.familiar or told.is_word(after.word)
    if said in told.clipped:
        return tokens[start + 1].start - tokens[start].end < _CLIPPED
    if said in told.has and start > 0 and tokens[start - 1].word in told.sufferers:
        return True
    beyond = tokens[end + 1].word if end + 1 < len(tokens) else ""
    if after.word in field_words() and (not after.kind & Kind.LISTED or beyond in lexicon.grammar.origin_of):
        # "surname, forename, date of birth"
        return True
    led = tokens[start - 1].word if start else ""
    if phrase[-1] in ("name", "nome") and led in lexicon.grammar.articles and after.word in lexicon.persons.of_names:
        # "the first name field"
        return True
    if len(phrase) == 1 and tokens[start].kind & Kind.SHORT and not after.kind & (Kind.SHORT | Kind.LISTED):
        # "no cure for MS. Many"
        return True
    return _names_nobody(tokens, start, end, phrase, lexicon)


def _names_nobody(
    tokens: Sequence[NameToken], start: int, end: int, phrase: tuple[str, ...], lexicon: NameLexicon
) -> bool:
    """Whether words that give a name ("called", "name") give it to a thing."""
    told, after = lexicon.medical, tokens[end]
    if any(word in lexicon.persons.name_words for word in phrase):
        is_thing = phrase[-1] in lexicon.persons.name_words and told.is_word(after.word)
        return is_thing or any(token.word in told.sold for token in tokens[max(0, start - _SOLD) : start])
    if " ".join(phrase) not in told.naming:
        return False
    is_thing = after.word in lexicon.persons.no_name_after or told.is_word(after.word)
    return is_thing or not _names_a_person(tokens, start, lexicon)


def speaks_of_a_thing(tokens: Sequence[NameToken], at: int, lexicon: NameLexicon) -> bool:
    """Whether what stands before an unlisted word says that it is a thing ("symptoms of", "an enzyme called")."""
    told = lexicon.medical
    if tokens[at - 1].word in told.naming:
        return not _names_a_person(tokens, at - 1, lexicon)
    led = tokens[at - 2].word if at > 1 else ""
    return led in told.matters or (tokens[at - 1].word in told.has and led in told.sufferers)


def is_described(tokens: Sequence[NameToken], at: int, lexicon: NameLexicon) -> bool:
    """Whether it is said from a word on what something is ("cutis laxa is a rare disorder")."""
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    return tokens[at].word in lexicon.grammar.copulas and after in lexicon.medical.described


def _names_a_person(tokens: Sequence[NameToken], start: int, lexicon: NameLexicon) -> bool:
    """Whether what stands before "called" is a person, or nothing."""
    told, at = lexicon.medical, start
    while at > 0 and not tokens[at].kind & Kind.OPENS and tokens[at - 1].word in told.between:
        at -= 1
    if at == 0 or tokens[at].kind & Kind.OPENS:
        return True
    before = tokens[at - 1]
    if before.word in told.subjects or (before.kind & NAME and not before.kind & Kind.EPONYM):
        return True
    for back in range(at - 1, max(-1, at - 1 - _BACK), -1):
        word = tokens[back].word
        if word in told.persons or word in lexicon.persons.kin:
            return True
        if (
            word in lexicon.grammar.origin_of
            and back
            and (tokens[back - 1].word in lexicon.persons.kin or tokens[back - 1].word in told.persons)
        ):
            # "my neighbour of the next bed is called"
            return True
        if tokens[back].kind & Kind.OPENS or word in told.neutral or word in told.has or told.is_illness(word):
            return False
        if word in lexicon.grammar.articles and (
            back == 0 or tokens[back - 1].word not in lexicon.other_senses.place_before
        ):
            return False
    return False
