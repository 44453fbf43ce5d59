"""Decides in which language a call goes on: the first confirmed utterance locks it, a key overrides it.

One language for a call lets speech be recognised by a model of that language alone, which hears dialects far better
than one of many languages. Words of another language, and a request to switch, change nothing here: they are asked like
any question, so that a cry for help is heard in each of the four languages, and the orchestrator says why the call
keeps its own (`turn.endings.end_by_request`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal

from careline.model import LANGUAGES
from careline.speech import language_data
from careline.speech.language_request import language_request
from careline.speech.phrases import PhraseSet, plain_words
from careline.text.languages import by_frequent_words, told_apart

CONFIDENCE = 0.7
"""Confidence of the recogniser, 0 to 1, from which one utterance of enough words locks."""
LEAST_WORDS = 2
"""Words besides greetings and noises that an utterance needs to lock by itself."""
VOTES = 2
"""Utterances that agree lock together where none of them did by itself."""
KEYS: Mapping[str, str] = MappingProxyType({"1": "nl", "2": "fr", "3": "en", "4": "it"})

Kind = Literal["wait", "lock", "stay", "unsupported"]


@dataclass(frozen=True, slots=True)
class LanguageDecision:
    """What follows from an utterance or a key.

    `wait`: go on listening in all languages. `lock`: from now on `language`. `stay`: already locked.
    `unsupported`: say `reply`, which offers a person; the call stays as it is.
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
            return LanguageDecision("stay", self.language)
        request = language_request(utterance)
        if request is not None and request.wanted in LANGUAGES:
            return self._take(request.wanted)
        telling = _telling_words(plain_words(utterance))
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
