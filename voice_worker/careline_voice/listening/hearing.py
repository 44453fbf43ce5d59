"""What a caller's words mean for the call before anybody is asked: which language, which repair, murmur or turn."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace

from livekit.agents import stt

from careline.speech.backchannel import is_backchannel
from careline.speech.language_lock import KEYS, LanguageDecision, LanguageLock
from careline.speech.overlay import Overlay, repair
from careline.speech.speed import words_per_minute

_WORDS = (stt.SpeechEventType.INTERIM_TRANSCRIPT, stt.SpeechEventType.FINAL_TRANSCRIPT)
MOST_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one transcript would decide if it turned out to be what the caller said."""

    lock: LanguageLock
    decision: LanguageDecision


class Hearing:
    """One call's transcripts. What an attempt decides holds only once its message is committed."""

    def __init__(self, default: str, overlays: Mapping[str, Overlay]) -> None:
        # A plain dictionary, so that attempts can copy the lock.
        self._lock = LanguageLock(default, dict(KEYS))
        self._default, self._overlays = default, overlays
        self._finals: list[stt.SpeechData] = []
        self._attempts: dict[str, Attempt] = {}
        self.murmured = False
        """Whether a murmur was kept back since the caller last began to speak."""

    @property
    def language(self) -> str | None:
        """The language the call is locked to; None as long as it is not."""
        return self._lock.language

    @property
    def spoken(self) -> str:
        """The language the line speaks now."""
        return self._lock.language or self._default

    def take(self, event: stt.SpeechEvent, speaking: bool) -> stt.SpeechEvent | None:
        """The event with known mishearings repaired; None for a murmur while the line is `speaking`."""
        if event.type not in _WORDS or not event.alternatives:
            return event
        first = event.alternatives[0]
        repaired = replace(first, text=repair(first.text, self._overlays[self.spoken]))
        if speaking and is_backchannel(repaired.text, self.spoken):
            self.murmured = True
            return None
        if event.type is stt.SpeechEventType.FINAL_TRANSCRIPT and repaired.text:
            self._finals.append(repaired)
        return replace(event, alternatives=[repaired, *event.alternatives[1:]])

    def attempt(self, message_id: str, text: str) -> LanguageDecision:
        """What `text`, the turn so far, would decide about the call's language."""
        lock = copy.deepcopy(self._lock)
        last = self._finals[-1] if self._finals else None
        heard = None if last is None or self._lock.language else str(last.language) or None
        decision = lock.heard(text, heard, 0.0 if last is None else last.confidence)
        self._attempts[message_id] = Attempt(lock, decision)
        return decision

    def commit(self, message_id: str) -> bool:
        """The message is what the caller said. Returns whether the call's language was locked by it."""
        before, attempt = self._lock.language, self._attempts.get(message_id)
        if attempt is not None:
            self._lock = attempt.lock
        self._attempts.clear()
        return self._lock.language != before

    def pace(self) -> float | None:
        """Words per minute of the turn that ends here, which is forgotten; None where it is too short to tell."""
        finals, self._finals = self._finals, []
        if not finals:
            return None
        text = " ".join(one.text for one in finals)
        return words_per_minute(text, finals[-1].end_time - finals[0].start_time)

    def press(self, digit: str) -> bool:
        """A key; returns whether it changed the call's language."""
        before = self._lock.language
        self._lock.press(digit)
        return self._lock.language != before
