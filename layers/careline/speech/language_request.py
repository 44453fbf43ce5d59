"""Recognises a caller who asks to go on in another language: nothing but such a request, in any of the four languages.

Every word has to belong to it. So an interpreter, a leaflet in French or a doctor who speaks it stay questions like
others, and an utterance that says anything else besides is never taken for a request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from careline.model import LANGUAGES
from careline.speech import language_data
from careline.speech.phrases import PhraseSet, phrases, plain_words
from careline.text.languages import by_frequent_words

MOST_WORDS = 16
MOST_WORDS_WITHOUT_A_VERB = 3
"""`in het Frans` and `français` ask by themselves."""
UNKNOWN = "other"
"""A language that has a name here and that the line does not speak."""


@dataclass(frozen=True, slots=True)
class LanguageRequest:
    """`wanted`: one of the four, a code of another language, or UNKNOWN. `said_in`: the one of the four in which it was
    asked, where that is plain."""

    wanted: str
    said_in: str | None


def language_request(utterance: str) -> LanguageRequest | None:
    """What an utterance asks for that is a request for a language and nothing else; None for any other.

    "I do not speak Dutch" asks for the language that it is said in, UNKNOWN when that is Dutch. Of several languages
    the last is wanted.
    """
    words = plain_words(utterance)
    if not 0 < len(words) <= MOST_WORDS or not _vocabulary(*LANGUAGES).make_up(words):
        return None
    named = _named(words)
    if not named or not (_asks(words) or _is_name_alone(words)):
        return None
    said_in = _said_in(utterance, words)
    denied = any(phrases(code, "language", "denied").found_in(words) for code in LANGUAGES)
    if not denied or len(named) > 1:
        return LanguageRequest(named[-1], said_in)
    return LanguageRequest(UNKNOWN if said_in in {None, named[0]} else str(said_in), said_in)


def _named(words: Sequence[str]) -> list[str]:
    """The languages that the words name, in their order."""
    return [code for at in range(len(words)) for code, names in _names().items() if names.length_at(words, at)]


def _asks(words: Sequence[str]) -> bool:
    return any(phrases(code, "language", "switch").found_in(words) for code in LANGUAGES)


def _is_name_alone(words: Sequence[str]) -> bool:
    """Whether nothing but a name is said; one that begins with "and", in its language, follows what was said."""
    own = [code for code in LANGUAGES if _names_in(code).found_in(words)]
    goes_on = any(phrases(code, "language", "goes_on").length_at(words, 0) for code in own)
    return len(words) <= MOST_WORDS_WITHOUT_A_VERB and not goes_on


def _said_in(utterance: str, words: Sequence[str]) -> str | None:
    """The only language whose words make up the request, else the one of its frequent words."""
    possible = [code for code in LANGUAGES if _vocabulary(code).make_up(words)]
    if len(possible) == 1:
        return possible[0]
    told = by_frequent_words(utterance[:1000])
    return told[0] if told is not None and told[0] in (possible or LANGUAGES) else None


@cache
def _names() -> Mapping[str, PhraseSet]:
    """The names of each language in all four."""
    named: dict[str, list[str]] = {}
    for code in LANGUAGES:
        for other, names in language_data.lists(code, "language", "heard_names").items():
            named.setdefault(other, []).extend(names)
    return MappingProxyType({code: PhraseSet.of(names) for code, names in named.items()})


@cache
def _names_in(code: str) -> PhraseSet:
    """The names of all languages in one."""
    return PhraseSet.of(name for some in language_data.lists(code, "language", "heard_names").values() for name in some)


@cache
def _vocabulary(*codes: str) -> PhraseSet:
    """What a request is made of in these languages: names in any of them or their own, verbs, and words beside."""
    paths = ("switch", "beside_switch", "denied")
    words = {
        tuple(plain_words(word))
        for code in codes
        for path in paths
        for word in language_data.texts(code, "language", path)
    }
    known = frozenset(words).union(*(_names_in(code).known for code in codes))
    return PhraseSet(known, max(map(len, known)))
