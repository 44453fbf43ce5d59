"""Tells the name of a disease, a house or a street from that of the person whom it is named after."""

from __future__ import annotations

from careline.privacy.names.annotated_text import AnnotatedText
from careline.privacy.names.lists.lexicon import NameLexicon, Strength
from careline.privacy.names.lists.word_kinds import NAME, Kind

_REACH = 3
"""Words between a disease and the name that it bears ("syndrome de Guillain Barré")."""
_COMPOUND = 6
"""Words from a name on in which the illness stands that bears it ("Laing early-onset distal myopathy")."""


def bears_the_name(reading: AnnotatedText, start: int, end: int, strength: Strength) -> bool:
    """Whether a disease, a house or a street bears the name that was read from a word to `end`, exclusive."""
    if _is_named_after(reading, start, end, strength):
        return True
    tokens, rules = reading.tokens, reading.lexicon
    if strength < Strength.TITLE and any(
        reading.word(at) in rules.other_senses.disease_of for at in range(start - 2, start)
    ):
        return True
    run = tokens[start:end]
    if strength < Strength.WEAK and len(run) > 1 and run[-1].word in rules.persons.named_after:
        # "richmond park", but not "sarah park".
        if not run[0].kind & Kind.COMMON_FIRST:
            return True
    around = [token.word for token in (*tokens[max(0, start - _REACH) : start], *tokens[end : end + 2])]
    eponym = any(_names_diseases(rules, token.word) for token in run) and not _is_full(reading, start, end)
    if eponym and any(word in rules.other_senses.disease for word in around):
        return True
    if strength < Strength.TITLE and _is_eponym(reading, start, end):
        return True
    return _is_of_a_house(reading, end, strength) or _is_of_an_illness(reading, start, end, strength)


def _is_of_a_house(reading: AnnotatedText, end: int, strength: Strength) -> bool:
    """Whether capitals go on after a name to a word such as institute ("Jules Bordet Cancer Institute")."""
    if strength >= Strength.KIN:
        return False
    for at in range(end, min(end + _COMPOUND, len(reading.tokens))):
        token = reading.tokens[at]
        if not token.kind & Kind.CAPITAL or not (token.joined or token.kind & Kind.OWNED):
            return False
        if token.word in reading.lexicon.persons.named_after:
            return True
    return False


def _is_named_after(reading: AnnotatedText, start: int, end: int, strength: Strength) -> bool:
    """Whether the word right after a name says what bears it."""
    tokens, rules = reading.tokens, reading.lexicon
    after = tokens[end : end + 1]
    if not after or strength >= Strength.TITLE:
        return False
    word, kind = after[0].word, after[0].kind
    if after[0].joined:
        # "precious okonkwo-bello, day of birth" is no holiday.
        named = word in rules.persons.named_after and not (
            end - start > 1 and reading.word(end + 1) in rules.grammar.origin_of
        )
        if named or (word.endswith(rules.built_on) and kind & Kind.UNKNOWN):
            return True
    return _names_diseases(rules, word) and not kind & Kind.STOP


def _names_diseases(rules: NameLexicon, word: str) -> bool:
    """Whether diseases are named after people of this name, in this language or all."""
    return word in rules.other_senses.eponyms or word in rules.other_senses.shared_eponyms


def _is_full(reading: AnnotatedText, start: int, end: int) -> bool:
    """Whether a first name that is no eponym stands before a surname, as for a person alone."""
    first = reading.tokens[start]
    is_first = bool(first.kind & (Kind.FIRST | Kind.COMMON_FIRST)) and not first.kind & Kind.EPONYM
    return end - start > 1 and is_first and bool(reading.kind(end - 1) & Kind.LISTED)


def _is_eponym(reading: AnnotatedText, start: int, end: int) -> bool:
    """Whether all words are eponyms, with particles at most ("De Quervain")."""
    run = [token for token in reading.tokens[start:end] if not token.kind & Kind.PARTICLE]
    return bool(run) and all(token.word in reading.lexicon.other_senses.eponyms for token in run)


def _is_of_an_illness(reading: AnnotatedText, start: int, end: int, strength: Strength) -> bool:
    """Whether words of an illness follow a name ("Ullrich congenital muscular dystrophy", "Werner's syndrome")."""
    told = reading.lexicon.medical
    upper = bool(reading.kind(start) & Kind.UPPER)
    if strength is Strength.NONE and upper and reading.follows(end) and reading.word(end) in told.conditions:
        return True
    if strength >= Strength.KIN or _is_full(reading, start, end):
        return False
    for at in range(end, min(end + _COMPOUND, len(reading.tokens))):
        token = reading.tokens[at]
        if not token.joined and not (at == end and token.kind & Kind.OWNED):
            return False
        if at == end and token.word in told.conditions and (upper or token.word in reading.lexicon.persons.named_after):
            return True
        if not upper or token.kind & Kind.STOP:
            return False
        if told.is_illness(token.word):
            return True
        if token.kind & NAME:
            return False
    return False
