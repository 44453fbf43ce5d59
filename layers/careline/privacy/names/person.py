"""Finds the names of patients, callers and relatives, also in the lower case in which speech is written down.

A name begins where the lists and the cue before it together say so; it goes on over the surnames, particles and
unlisted words that follow. Names of staff, diseases, houses and streets are read in the same way and passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from careline.model import LANGUAGES, Span, SpanType
from careline.privacy.names.annotated_text import AnnotatedText
from careline.privacy.names.eponyms import bears_the_name
from careline.privacy.names.extent import read_name
from careline.privacy.names.introductions import strengths
from careline.privacy.names.lists.files import fold
from careline.privacy.names.lists.lexicon import NameLexicon, Strength, name_lexicon
from careline.privacy.names.lists.word_kinds import Kind
from careline.privacy.names.not_callers import other_end
from careline.privacy.names.sentence_frames import on_rota
from careline.privacy.names.spelled import said_in_letters, spelled_after, spelled_out
from careline.privacy.names.tokens import NameToken, cut, tokenise

_POLITE = frozenset(
    "mevrouw meneer mijnheer madame monsieur mme mr mrs ms miss signora signor sig mlle juffrouw".split()
)
"""Titles between a function and the name of who has it ("surgeon mr singh")."""

_INITIALS = 3
"""Letters before a surname at most."""

_REACH = 3
"""Words between a house or a disease and the name that it bears ("syndrome de Guillain Barré")."""


def find(text: str, language: str | None, staff: Sequence[str] = ()) -> Iterator[Span]:
    """Yield spans of personal names in order, without title or kinship word, not overlapping.

    `language` is "nl", "en", "fr" or "it"; None or another one lets the words decide. `staff` are full names of people
    who work here ("dr. Els Van Damme"): these, and their surnames alone unless a cue says it is the caller, are no
    personal data. Never raises; time grows with the length of the text.
    """
    rules = name_lexicon(language if language in LANGUAGES else guess(text))
    tokens = tokenise(text, rules)
    carried = strengths(tokens, rules)
    reading = AnnotatedText(tokens, rules, carried)
    at = 0
    while at < len(tokens):
        at, kept, strength = _step(reading, at)
        if (
            kept
            and reading.follows(at)
            and text[tokens[at].start : tokens[at].end].lower() in rules.grammar.conjunctions
        ):
            # "my sons tom and vlastimil"
            least = Strength.KIN if strength >= Strength.KIN else Strength.WEAK
            carried[at + 1 : at + 2] = [max(least, each) for each in carried[at + 1 : at + 2]]
            _carry_past_particle(reading, carried, kept[0], at, least)
        if kept and not (strength < Strength.KIN and _is_staff(tokens[slice(*kept)], staff, rules)):
            yield Span(
                tokens[kept[0]].start, tokens[kept[1] - 1].end, SpanType.PERSON, f"person.{strength.name.lower()}"
            )


def titled(text: str, language: str | None, staff: Sequence[str] = ()) -> Iterator[Span]:
    """Yield the names that follow a title of staff ("dokter Peeters") and are not those of `staff`, in order.

    For records: who is not known to work here may be anybody. Never raises; time grows with the length of the text.
    """
    rules = name_lexicon(language if language in LANGUAGES else guess(text))
    tokens = tokenise(text, rules)
    reading = AnnotatedText(tokens, rules, strengths(tokens, rules))
    at = 0
    while at < len(tokens):
        start = at + 1
        if tokens[at].word in rules.persons.staff:
            while start < len(tokens) and start - at < _REACH and _goes_between(reading, start, is_staff=True):
                start += 1
            if start < len(tokens) and (end := _named(reading, start)) > start:
                if not _is_staff(tokens[start:end], staff, rules):
                    yield Span(tokens[start].start, tokens[end - 1].end, SpanType.PERSON, "person.staff")
                start = end
        at = start


def _named(reading: AnnotatedText, at: int) -> int:
    """The end of the name that a title stands before; `at` if none is there."""
    if not reading.tokens[at].joined:
        return at
    initialled = _initialled(reading, at, Strength.TITLE)
    return initialled[1] if initialled else read_name(reading, at, Strength.TITLE)


def _carry_past_particle(reading: AnnotatedText, carried: list[Strength], start: int, at: int, least: Strength) -> None:
    """Let a name begin after the particle that stands before both ("the girl of giada and of mirko")."""
    before = reading.word(start - 1)
    if before and before == reading.word(at + 1) and before in reading.lexicon.grammar.origin_of:
        carried[at + 2 : at + 3] = [max(least, each) for each in carried[at + 2 : at + 3]]


def guess(text: str) -> str:
    """The language whose small words are most frequent in a text; Dutch if none is."""
    found = [fold(text[start:end]) for start, end in cut(text[:2000])]
    return max(
        LANGUAGES,
        key=lambda language: (sum(word in name_lexicon(language).grammar.stop for word in found), language == "nl"),
    )


def _step(reading: AnnotatedText, at: int) -> tuple[int, tuple[int, int] | None, Strength]:
    """Read at a word: where to go on, the words of a name if there is one, and how it was introduced."""
    strength = reading.strengths[at]
    named = said_in_letters(reading, at)
    if named:
        return named, (at, named), strength
    letters = spelled_out(reading, at)
    if letters:
        return letters.end, (at, letters.end) if letters.is_name else None, strength
    explained = spelled_after(reading, at)
    if explained:
        return explained, (at, explained), strength
    initialled = _initialled(reading, at, strength)
    if initialled:
        return initialled[1], None if bears_the_name(reading, *initialled, strength) else initialled, strength
    passed = max(other_end(reading, at), _passed_over(reading, at))
    if passed > at:
        return passed, None, strength
    end = read_name(reading, at, strength)
    if end == at:
        return at + 1, None, strength
    if bears_the_name(reading, at, end, strength):
        return end, None, strength
    end = said_in_letters(reading, end) or end
    letters = spelled_out(reading, end, after_name=True)
    return (letters.end, (at, letters.end), strength) if letters else (end, (at, end), strength)


def _initialled(reading: AnnotatedText, at: int, strength: Strength) -> tuple[int, int] | None:
    """The words of a name whose first names are initials ("initial j t barrowclough", "R. de Ruiter")."""
    core = at
    while core - at < _INITIALS and reading.kind(core) & Kind.LETTER:
        core += 1
    if core == at or not reading.follows(core):
        return None
    written = bool(reading.kind(core - 1) & Kind.INITIAL)
    if strength < Strength.TITLE and not (written and _is_initial(reading, at)):
        return None
    first = core
    while first - core < _REACH and reading.follows(first) and reading.kind(first) & Kind.PARTICLE:
        first += 1
    if written and not reading.kind(first) & Kind.CAPITAL:
        return None
    if not reading.kind(first) & (Kind.LISTED | Kind.UNKNOWN) or reading.kind(first) & (Kind.STOP | Kind.BUILT):
        return None
    end = read_name(reading, first, Strength.TITLE)
    # "M." is a title in French.
    start = core if (reading.word(core - 1), reading.lexicon.language) == ("m", "fr") else at
    return (start, end) if end > first else None


def _is_initial(reading: AnnotatedText, at: int) -> bool:
    """Whether a capital with a full stop begins a name; after a word of the sentence it ends that ("gate B. Note")."""
    before = reading.kind(at - 1)
    return not reading.follows(at) or bool(before & (Kind.STOP | Kind.CAPITAL)) or at == 0


def _passed_over(reading: AnnotatedText, at: int) -> int:
    """The end of what begins here and is named after a person, or is the name of staff; `at` if nothing is."""
    token, rules = reading.tokens[at], reading.lexicon
    if on_rota(reading.tokens, at):
        return at + 1
    is_staff = token.word in rules.persons.staff and reading.strength(at + 1) < Strength.KIN
    if not is_staff and token.word not in rules.persons.named_before and token.word not in rules.other_senses.eateries:
        return at
    if not is_staff and reading.strengths[at] >= Strength.TITLE and token.kind & Kind.LISTED:
        # "my name is prince mensah"
        return at
    start = at + 1
    while start < len(reading.tokens) and start - at < _REACH and _goes_between(reading, start, is_staff):
        start += 1
    if start >= len(reading.tokens) or not reading.tokens[start].joined:
        return at
    if not is_staff and reading.strengths[start] >= Strength.KIN:
        return at
    end = read_name(reading, start, Strength.TITLE if is_staff else Strength.WEAK)
    if end > start and not is_staff:
        end = _after_both(reading, end)
    return end if end > start else at


def _after_both(reading: AnnotatedText, end: int) -> int:
    """The end of the second surname that a thing bears ("aula falcone e borsellino"), or of the first."""
    kind = reading.kind(end + 1)
    if reading.word(end) not in reading.lexicon.grammar.conjunctions or reading.kind(end) & Kind.ACCENTED:
        return end
    is_surname = kind & Kind.LAST and not kind & (Kind.FIRST | Kind.COMMON_FIRST)
    return end + 2 if is_surname and reading.follows(end + 1) else end


def _goes_between(reading: AnnotatedText, at: int, is_staff: bool) -> bool:
    word = reading.tokens[at].word
    if is_staff:
        return bool(reading.kind(at) & Kind.INITIAL) or word in reading.lexicon.persons.staff or word in _POLITE
    following = reading.tokens[at + 1 : at + 2]
    if word not in reading.lexicon.grammar.particles or not following:
        return (
            word in reading.lexicon.other_senses.place_before
            and reading.word(at - 1) in reading.lexicon.other_senses.eateries
        )
    if (
        word in reading.lexicon.other_senses.place_before
        and reading.word(at - 1) in reading.lexicon.other_senses.eateries
    ):
        return True
    return bool(following[0].kind & Kind.CAPITAL) or following[0].word in reading.lexicon.other_senses.things


@lru_cache(maxsize=20_000)
def _staff_words(name: str, titles: frozenset[str]) -> list[str]:
    """Words of a colleague's name. A hospital has thousands of them, who are the same for every question."""
    found = [fold(name[start:end]) for start, end in cut(name)]
    return [word for word in found if word not in titles and len(word) > 1]


def _is_staff(run: Sequence[NameToken], staff: Sequence[str], rules: NameLexicon) -> bool:
    """Whether a name is that of a colleague: all its words are, and not the first name alone."""
    said = [token.word for token in run if token.word not in rules.grammar.particles]
    for colleague in (_staff_words(name, rules.persons.staff) for name in staff):
        if said and all(word in colleague for word in said) and (len(colleague) == 1 or said != colleague[:1]):
            return True
    return False
