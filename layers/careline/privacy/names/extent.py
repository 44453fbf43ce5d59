"""Reads a name from where it may begin: the rules of what starts a name and of what goes on with it."""

from __future__ import annotations

from careline.privacy.names.annotated_text import AnnotatedText
from careline.privacy.names.doubts import (
    is_corrected,
    is_doubtful,
    is_in_full,
    is_long_surname,
    is_made_as_surname,
)
from careline.privacy.names.lists.files import names
from careline.privacy.names.lists.lexicon import Strength
from careline.privacy.names.lists.word_kinds import NAME, Kind

_LONGEST = 7
"""Words that a name has at most, with particles and two surnames."""
_DUTCH = frozenset({"van", "von", "ver"})
"""Particles behind a first name with which a surname goes on that is spelled like one ("hugo van outryve")."""
_SHORTEST = 3
"""Letters that an unlisted word has at least to be taken for a name."""


def read_name(reading: AnnotatedText, at: int, strength: Strength) -> int:
    """The end of the name that begins at a word, exclusive; `at` if none begins there."""
    end = _compound_surname(reading, at, strength)
    if end == at:
        end = at + 1 if begins(reading, at, strength) else at
    if end == at:
        return at
    while end - at < _LONGEST and reading.follows(end):
        following = _goes_on(reading, end, strength)
        if following == end:
            break
        end = following
    return end


def _compound_surname(reading: AnnotatedText, at: int, strength: Strength) -> int:
    """The end of a surname with particles ("van den broeck") that begins at a word; `at` if none does."""
    if not reading.kind(at) & Kind.PARTICLE:
        return at
    core = at + 1
    while core - at < 3 and reading.follows(core) and reading.kind(core) & Kind.PARTICLE:
        core += 1
    if not reading.follows(core) or reading.kind(core) & (Kind.LETTER | Kind.STOP):
        return at
    kind = reading.kind(core)
    whole = " ".join(token.word for token in reading.tokens[at : core + 1])
    is_listed = whole in names().last
    if strength < Strength.KIN and kind & Kind.PLACE:
        return at
    if is_listed and (strength >= Strength.WEAK or (not kind & Kind.WORD and not kind & Kind.COMMON_FIRST)):
        return core + 1
    if reading.word(core) in reading.lexicon.persons.staff:
        return at
    written = reading.lexicon.language == "nl" or reading.kind(at) & Kind.UPPER
    is_common = bool(kind & Kind.COMMON_LAST) and strength >= (Strength.TITLE if written else Strength.INTRODUCED)
    is_name = is_common or (bool(kind & (Kind.LAST | Kind.UNKNOWN | Kind.CAPITAL)) and not kind & Kind.FIRST)
    if kind & Kind.UNKNOWN and core - at > 1 and _is_dutch_prefix(reading, at):
        return core + 1
    if strength >= Strength.KIN and _is_led_surname(reading, at, core):
        return core + 1
    sure = strength >= Strength.TITLE or (reading.tokens[at].kind & Kind.CAPITAL and bool(kind & Kind.CAPITAL))
    if strength >= Strength.WEAK and not reading.kind(at) & Kind.STOP and kind & (Kind.LAST | Kind.LIKELY):
        # "I'm de souza": in this language the particle is nothing but a part of a name.
        return core + 1
    return core + 1 if is_name and sure and (core - at > 1 or not _is_preposition(reading, at)) else at


def _is_led_surname(reading: AnnotatedText, at: int, core: int) -> bool:
    """Whether an unlisted word is a surname with its particles after a relative or "booked under" ("de bruyckere")."""
    if reading.lexicon.language in ("fr", "it") or reading.kind(core) & (Kind.SURELY | Kind.BUILT) != Kind.SURELY:
        # French and Italian articles look like particles.
        return False
    return core - at > 1 or reading.word(at) in reading.lexicon.grammar.articles


def _is_dutch_prefix(reading: AnnotatedText, at: int) -> bool:
    """Whether "van der" begins here, which is nothing but a surname; "van de" is one outside Dutch only."""
    return reading.word(at) == "van" and (reading.lexicon.language != "nl" or reading.word(at + 1) == "der")


def _is_preposition(reading: AnnotatedText, at: int) -> bool:
    return reading.strengths[at] < Strength.TITLE and not reading.kind(at) & Kind.CAPITAL


def begins(reading: AnnotatedText, at: int, strength: Strength) -> bool:
    """Whether a name begins at a word, given how it is introduced."""
    kind = reading.kind(at)
    if kind & (Kind.LETTER | Kind.PARTICLE) and not kind & Kind.LISTED:
        return False
    if kind & Kind.STOP:
        # "my name is sunday like the day"
        return strength is Strength.INTRODUCED and reading.word(at) in reading.lexicon.other_senses.feasts
    if strength >= Strength.TITLE:
        return _begins_introduced(reading, at, strength)
    if is_doubtful(reading, at, strength):
        return False
    if (
        strength < Strength.KIN
        and reading.word(at - 1) in reading.lexicon.grammar.before_verb
        and _is_verb(reading, at)
    ):
        return False
    if reading.word(at) in reading.lexicon.persons.named_before or reading.word(at) in reading.lexicon.persons.staff:
        return False
    if reading.follows(at) and _is_thing(reading, at):
        return False
    if _is_pair(reading, at) or _is_shown(reading, at) or is_corrected(reading, at):
        return True
    if strength >= Strength.FAINT and _begins_after_cue(reading, at, strength):
        return True
    return _begins_alone(reading, at)


def _is_verb(reading: AnnotatedText, at: int) -> bool:
    return reading.word(at) in reading.lexicon.grammar.verbs or not reading.kind(at) & (
        NAME | Kind.CAPITAL | Kind.UNKNOWN
    )


def _begins_introduced(reading: AnnotatedText, at: int, strength: Strength) -> bool:
    kind = reading.kind(at)
    if not kind & (Kind.LISTED | Kind.CAPITAL):
        if reading.word(at) in reading.lexicon.spelling.spelled or reading.word(at) in reading.lexicon.persons.of_names:
            return False
    if reading.word(at) in reading.lexicon.persons.of_names and reading.word(at + 1) in reading.lexicon.grammar.copulas:
        # "the right surname is"
        return bool(kind & Kind.CAPITAL)
    if kind & Kind.WORD and not kind & (Kind.LISTED | Kind.CAPITAL):
        return strength is Strength.INTRODUCED or reading.word(at + 1) in reading.lexicon.grammar.predicates
    return bool(kind & (Kind.LISTED | Kind.CAPITAL | Kind.UNKNOWN | Kind.PLACE | Kind.EPONYM))


def _begins_after_cue(reading: AnnotatedText, at: int, strength: Strength) -> bool:
    kind = reading.kind(at)
    if kind & Kind.PLACE and not kind & Kind.COMMON_FIRST:
        return False
    if kind & NAME:
        return True
    if kind & Kind.COMMON_FIRST:
        return _has_verb(reading, at, strength) or reading.word(at) not in reading.lexicon.grammar.verbs
    if reading.word(at) in reading.lexicon.spelling.doubled and _has_verb(reading, at, strength):
        return True
    if kind & Kind.UNKNOWN:
        return len(reading.word(at)) >= _SHORTEST and _is_spelled_like_name(reading, at, strength)
    if kind & Kind.CAPITAL and kind & Kind.LISTED:
        return strength > Strength.FAINT or not kind & Kind.WORD
    return strength >= Strength.KIN and bool(kind & Kind.COMMON_LAST) and _is_common_pair(reading, at)


def _has_verb(reading: AnnotatedText, at: int, strength: Strength) -> bool:
    """Whether a relative is said to do something: "our daughter spring has"."""
    after, lexicon = reading.word(at + 1), reading.lexicon
    return strength >= Strength.KIN and (after in lexicon.grammar.predicates or after in lexicon.persons.deeds)


def _is_spelled_like_name(reading: AnnotatedText, at: int, strength: Strength) -> bool:
    kind = reading.kind(at)
    if strength is Strength.FAINT:
        # "can enitan stay", where enough words are known that this one is none.
        lexicon = reading.lexicon
        if reading.kind(at - 1) & Kind.PARTICLE:
            return False
        return (
            bool(kind & Kind.SURELY and lexicon.requests.reports)
            and reading.word(at + 1) in lexicon.requests.asks | lexicon.grammar.person_verbs
        )
    if strength is Strength.WEAK and not kind & Kind.CAPITAL:
        beside = reading.kind(at + 1) & (Kind.LIKELY | NAME) or _says_a_caller(reading, at + 1)
        return bool(kind & Kind.SURELY or (kind & Kind.LIKELY and beside))
    if kind & (Kind.LIKELY | Kind.CAPITAL):
        return True
    return not kind & Kind.BUILT and reading.word(at + 1) in reading.lexicon.grammar.person_verbs


def _says_a_caller(reading: AnnotatedText, at: int) -> bool:
    """Whether what stands after a name that a caller gave is here: nothing, or what the caller wants."""
    word, lexicon = reading.word(at), reading.lexicon
    if not lexicon.requests.errand_leads:
        return False
    return (
        not reading.follows(at)
        or word in lexicon.requests.asks
        or word in lexicon.requests.wishes
        or word in lexicon.requests.errand_leads
    )


def _is_common_pair(reading: AnnotatedText, at: int) -> bool:
    return reading.follows(at + 1) and bool(reading.kind(at + 1) & NAME)


def _is_pair(reading: AnnotatedText, at: int) -> bool:
    """Whether two words that say little alone are a first name and a surname together, in either order."""
    if not reading.follows(at + 1):
        return False
    kind, after = reading.kind(at), reading.kind(at + 1)
    if after & Kind.STOP:
        return False
    capitals = bool(kind & Kind.CAPITAL and after & Kind.CAPITAL)
    if kind & Kind.OPENS and kind & Kind.UPPER and kind & Kind.COMMON_FIRST and after & Kind.CAPITAL:
        # "May Rivers is on the envelope"
        if after & (Kind.COMMON_LAST | Kind.UNKNOWN) and not after & Kind.SHORT:
            return reading.word(at + 1) not in reading.lexicon.persons.named_after
    if kind & Kind.COMMON_FIRST and after & (Kind.LAST | Kind.COMMON_LAST):
        return capitals or not after & (Kind.WORD | Kind.PLACE)
    if kind & Kind.COMMON_FIRST and after & Kind.LIKELY and "-" in reading.word(at + 1):
        return True
    return bool(kind & Kind.COMMON_LAST and after & Kind.FIRST and (capitals or not kind & (Kind.WORD | Kind.PLACE)))


def _is_thing(reading: AnnotatedText, at: int) -> bool:
    """Whether an article before a word says that it is a thing here ("een albert heijn", "de merel")."""
    before = reading.word(at - 1)
    if before in reading.lexicon.persons.no_name_after:
        # "it should be verbeeck-ooms", where the article is a pronoun
        return not ("-" in reading.word(at) and reading.kind(at) & Kind.LAST) and not is_in_full(reading, at)
    if reading.strengths[at] >= Strength.WEAK:
        # "sono la rosa": the article is part of what introduces a caller.
        return False
    return before in reading.lexicon.grammar.articles and reading.word(at) in reading.lexicon.other_senses.things


def _in_place(reading: AnnotatedText, at: int) -> bool:
    """Whether what stands before a word says that it is a place ("naar nancy", "je viens de nancy")."""
    before = reading.word(at - 1)
    if before in reading.lexicon.other_senses.place_before:
        return True
    if before in reading.lexicon.grammar.origin_of and reading.word(at - 2) in reading.lexicon.grammar.origin:
        return True
    after_place = at > 1 and reading.kind(at - 1) & Kind.PLACE and not reading.follows(at)
    return bool(after_place) and reading.word(at - 2) in reading.lexicon.other_senses.place_before


def _is_within(reading: AnnotatedText, at: int) -> bool:
    """Whether a word that is no listed place is one all the same ("she lives in barry")."""
    before, lexicon = reading.word(at - 1), reading.lexicon
    if reading.kind(at) & Kind.CAPITAL and not reading.kind(at) & Kind.COMMON_FIRST:
        if before in lexicon.grammar.origin_of and reading.word(at - 2) in lexicon.grammar.origin:
            return True
        second = reading.follows(at) and reading.kind(at - 1) & Kind.CAPITAL
        if (
            second
            and reading.word(at - 2) in lexicon.other_senses.place_before
            and reading.word(at - 3) in lexicon.grammar.origin
        ):
            # "sta a Vibo Valentia": the second word of a town.
            return True
    return before in lexicon.persons.within or (
        before in lexicon.other_senses.place_before and reading.word(at - 2) in lexicon.grammar.origin
    )


def _is_shown(reading: AnnotatedText, at: int) -> bool:
    """Whether what follows says that a first name that is also a word is a name here ("joy is my wife")."""
    lexicon, after = reading.lexicon, reading.word(at + 1)
    if not reading.kind(at) & Kind.COMMON_FIRST or not reading.follows(at + 1) or reading.kind(at - 1) & Kind.SHORT:
        return False
    relative = at + 2 if after in lexicon.grammar.copulas else at + 1
    is_verb = reading.word(at) in lexicon.grammar.verbs
    if reading.word(relative) in lexicon.grammar.possessives and reading.word(relative + 1) in lexicon.persons.kin:
        return relative == at + 2 or not is_verb
    if is_verb or (reading.follows(at) and reading.word(at - 1) not in lexicon.grammar.clause):
        return False
    if after in lexicon.grammar.conjunctions and not reading.kind(at + 2) & Kind.PLACE:
        other, verb = reading.kind(at + 2), reading.word(at + 3) in lexicon.grammar.person_verbs
        return bool(other & Kind.FIRST or (other & Kind.COMMON_FIRST and verb))
    return after in lexicon.grammar.person_verbs


def _begins_alone(reading: AnnotatedText, at: int) -> bool:
    kind = reading.kind(at)
    if kind & Kind.PLACE:
        return bool(kind & Kind.COMMON_FIRST and kind & Kind.FIRST) and not _in_place(reading, at)
    if (
        _is_within(reading, at)
        and not is_made_as_surname(reading, at)
        and not (reading.follows(at + 1) and reading.kind(at + 1) & (NAME | Kind.SURELY))
    ):
        return False
    if kind & Kind.FIRST:
        return bool(kind & Kind.COMMON_FIRST) or len(reading.word(at)) > _SHORTEST
    if kind & Kind.LAST:
        if is_made_as_surname(reading, at):
            return True
        if reading.word(at - 1) in reading.lexicon.grammar.articles and not kind & Kind.CAPITAL:
            return False
        sure = kind & Kind.COMMON_LAST or kind & Kind.CAPITAL or is_long_surname(reading, at)
        return bool(sure) and reading.word(at - 1) not in reading.lexicon.other_senses.place_before
    no_name = reading.lexicon.other_senses.months | reading.lexicon.other_senses.peoples
    return bool(kind & Kind.CAPITAL and kind & Kind.COMMON_FIRST) and reading.word(at) not in no_name


def _goes_on(reading: AnnotatedText, at: int, strength: Strength) -> int:
    """The end of the part of a name that stands at a word, given that a name has begun before it; `at` if none does."""
    kind = reading.kind(at)
    compound = _compound_after_name(reading, at, strength)
    if compound > at:
        return compound
    if kind & (Kind.STOP | Kind.LETTER) or reading.word(at) in reading.lexicon.persons.name_words:
        return at
    if kind & NAME and not kind & Kind.PLACE:
        return at + 1
    if kind & Kind.CAPITAL:
        return at + 1 if kind & (Kind.LISTED | Kind.UNKNOWN | Kind.PLACE) else at
    if kind & Kind.COMMON_LAST and (
        reading.word(at) not in reading.lexicon.grammar.verbs or at + 1 == len(reading.tokens)
    ):
        return at + 1
    if kind & Kind.LISTED and reading.word(at + 1) in reading.lexicon.grammar.predicates:
        return at + 1
    believed = kind & Kind.LIKELY or strength >= Strength.TITLE
    believed = believed or (strength >= Strength.WEAK and reading.kind(at - 1) & Kind.SURELY)
    is_unlisted = bool(kind & Kind.UNKNOWN and believed) and len(reading.word(at)) >= _SHORTEST
    return at + 1 if is_unlisted and not _is_cased_name(reading, at - 1) else at


def _is_cased_name(reading: AnnotatedText, at: int) -> bool:
    return bool(reading.kind(at) & Kind.CAPITAL)


def _compound_after_name(reading: AnnotatedText, at: int, strength: Strength) -> int:
    """The end of a surname with particles after a first name: "(els) van den broeck", "(maria) de luca"."""
    core = at
    while core - at < 3 and reading.follows(core) and reading.kind(core) & Kind.PARTICLE:
        core += 1
    if core == at or not reading.follows(core) or reading.kind(core) & (Kind.STOP | Kind.LETTER):
        return at
    kind = reading.kind(core)
    whole = " ".join(token.word for token in reading.tokens[at : core + 1])
    if whole in names().last or (kind & Kind.CAPITAL and not reading.kind(at) & Kind.STOP):
        return core + 1
    if kind & Kind.CAPITAL or (kind & Kind.LAST and not kind & (Kind.FIRST | Kind.PLACE)):
        return core + 1
    is_unlisted = bool(kind & Kind.UNKNOWN) and not kind & Kind.BUILT and not _is_cased_name(reading, at - 1)
    if reading.kind(at - 2) & Kind.PARTICLE:
        return at
    surely = strength >= Strength.WEAK or (reading.word(at) in _DUTCH and kind & Kind.SURELY)
    return core + 1 if is_unlisted and (core - at > 1 or surely) else at
