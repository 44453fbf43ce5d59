"""Decides in which language a call goes on: the first confirmed utterance locks it, a key overrides it.

One language for a call lets speech be recognised by a model of that language alone, which hears dialects far better
than one of many languages; so a request to switch is refused with the reason and the offer of a person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal

from careline.languages import by_frequent_words, told_apart
from careline.model import LANGUAGES
from careline.speech import language_data
from careline.speech.phrases import PhraseSet, phrases, plain_words

CONFIDENCE = 0.7
"""Confidence of the recogniser, 0 to 1, from which one utterance of enough words locks."""
LEAST_WORDS = 2
"""Words besides greetings and noises that an utterance needs to lock by itself."""
VOTES = 2
"""Utterances that agree lock together where none of them did by itself."""
MOST_REQUEST_WORDS = 12
KEYS: Mapping[str, str] = MappingProxyType({"1": "nl", "2": "fr", "3": "en", "4": "it"})

Kind = Literal["wait", "lock", "stay", "refuse_switch", "unsupported"]


@dataclass(frozen=True, slots=True)
class LanguageDecision:
    """What follows from an utterance or a key.

    `wait`: go on listening in all languages. `lock`: from now on `language`. `stay`: already locked.
    `refuse_switch` and `unsupported`: say `reply`, which offers a person; the call stays as it is.
    """

    kind: Kind
    language: str | None
    reply: str | None = None


class LanguageLock:
    """The language of one call. `language` is None until it is locked; `default` is what `unsupported` speaks."""

    def __init__(self, default: str = "nl", keys: Mapping[str, str] = KEYS) -> None:
        self._default = default
        self._keys = keys
        self._votes: dict[str, int] = {}
        self.language: str | None = None

    def heard(self, utterance: str, language: str | None, confidence: float) -> LanguageDecision:
        """What a final transcript decides. `language`, an ISO 639-1 code with or without a region, and `confidence`,
        0 to 1, are the recogniser's; None where it does not tell languages apart."""
        if self.language is not None:
            return self._locked(utterance, self.language)
        words = plain_words(utterance)
        telling = _telling_words(words)
        found, sure = _language_of(utterance, language, confidence)
        if found is None or not telling:
            return LanguageDecision("wait", None)
        if sure >= CONFIDENCE and telling >= LEAST_WORDS:
            return self._take(found)
        self._votes[found] = self._votes.get(found, 0) + 1
        return self._take(found) if self._votes[found] >= VOTES else LanguageDecision("wait", None)

    def press(self, digit: str) -> LanguageDecision:
        """A key chooses a language, before the lock and after it; other keys change nothing."""
        chosen = self._keys.get(digit)
        if chosen is None:
            return LanguageDecision("wait" if self.language is None else "stay", self.language)
        self.language = chosen
        return LanguageDecision("lock", chosen)

    def _take(self, found: str) -> LanguageDecision:
        if found not in LANGUAGES:
            self._votes.clear()
            return LanguageDecision("unsupported", None, language_data.text(self._default, "language", "unsupported"))
        self.language = found
        return LanguageDecision("lock", found)

    def _locked(self, utterance: str, locked: str) -> LanguageDecision:
        told = told_apart(utterance[:1000])
        if asks_to_switch(utterance, locked) or told not in {None, locked}:
            name = language_data.text(locked, "language", "names", locked)
            refusal = language_data.text(locked, "language", "refusal").format(language=name)
            return LanguageDecision("refuse_switch", locked, refusal)
        return LanguageDecision("stay", locked)


def asks_to_switch(utterance: str, locked: str) -> bool:
    """Whether a caller asks to go on in another language than `locked`, in any of the four.

    Asking for a doctor, an interpreter or a leaflet that has the language is a question like others.
    """
    words = plain_words(utterance)
    if len(words) > MOST_REQUEST_WORDS or _of_others().found_in(words):
        return False
    named = [code for code in _named_languages() if _named_languages()[code].found_in(words)]
    if not named or named == [locked]:
        return False
    alone = len(words) == 1
    return alone or any(phrases(language, "language", "switch").found_in(words) for language in LANGUAGES)


def _language_of(utterance: str, language: str | None, confidence: float) -> tuple[str | None, float]:
    """The language and how sure: plain words of one language alone outweigh the recogniser, which outweighs a guess."""
    told = told_apart(utterance[:1000])
    if told is not None:
        return told, max(confidence, CONFIDENCE)
    if language is not None:
        return language.replace("_", "-").split("-")[0].lower(), confidence
    return by_frequent_words(utterance[:1000]) or (None, 0.0)


def _telling_words(words: Sequence[str]) -> int:
    """Words that a noise or a greeting of any language is not."""
    greetings = _greetings().known
    return sum((word,) not in greetings for word in words)


@cache
def _greetings() -> PhraseSet:
    return PhraseSet.of(word for code in LANGUAGES for word in language_data.texts(code, "language", "not_telling"))


@cache
def _of_others() -> PhraseSet:
    return PhraseSet.of(word for code in LANGUAGES for word in language_data.texts(code, "language", "about_others"))


@cache
def _named_languages() -> Mapping[str, PhraseSet]:
    """The names of each language in all four."""
    named: dict[str, list[str]] = {}
    for code in LANGUAGES:
        for other, names in language_data.lists(code, "language", "heard_names").items():
            named.setdefault(other, []).extend(names)
    return MappingProxyType({code: PhraseSet.of(names) for code, names in named.items()})
