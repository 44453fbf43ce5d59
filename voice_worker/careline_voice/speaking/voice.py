"""The line's own sentences: through the vendor's voice, or from recordings while that does not answer."""

from __future__ import annotations

import time
from collections.abc import Callable

from livekit.agents import AgentSession
from livekit.agents.voice import SpeechHandle
from livekit.plugins import elevenlabs

from careline.settings import ElevenLabsSettings
from careline.speech.speed import speech_speed
from careline.speech.spoken.numbers import spoken_numbers
from careline_voice.speaking.recordings import Recordings, sentence
from careline_voice.vendors import voice_of, voice_settings

TRY_AGAIN_SECONDS = 30.0
"""How long recordings speak after the vendor failed."""
BASE_SPEED = 1.0


class Voice:
    """How one call is spoken to. `language` and `speed` are those of the vendor's voice now."""

    def __init__(
        self,
        settings: ElevenLabsSettings,
        tts: elevenlabs.TTS,
        recordings: Recordings,
        language: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings, self._tts, self._recordings, self._clock = settings, tts, recordings, clock
        self.language, self.speed = language, BASE_SPEED
        self._requested = 0
        self._failed_at: float | None = None

    @property
    def failing(self) -> bool:
        """Whether the vendor failed a moment ago."""
        return self._failed_at is not None and self._clock() - self._failed_at < TRY_AGAIN_SECONDS

    def failed(self) -> None:
        """The vendor gave no audio for a text."""
        self._failed_at = self._clock()

    def speak(self, language: str) -> None:
        """Speak this language from the next sentence on."""
        if language != self.language:
            self.language = language
            self._tts.update_options(voice_id=voice_of(self._settings, language))

    def pace(self, requested: int, distressed: bool, words_per_minute: float | None) -> None:
        """Fit the speed to the caller (W6): `requested` is this turn's wish, added to those before."""
        self._requested += requested
        speed = speech_speed(BASE_SPEED, self._requested, distressed, words_per_minute)
        if speed != self.speed:
            self.speed = speed
            self._tts.update_options(voice_settings=voice_settings(speed))

    def say(self, text: str, session: AgentSession[None], language: str | None = None) -> SpeechHandle:
        """Say a reviewed sentence of ours, after whatever is being said, its numbers shaped for the ear. A recording of
        it is played where the vendor fails, else the one of the outage; a text that nobody recorded is never a silence.
        """
        spoken = language or self.language
        if not self.failing:
            return session.say(spoken_numbers(text, spoken))
        audio = self._recordings.frames(text, spoken)
        if audio is None:
            text = sentence("outage_alone", spoken)
            audio = self._recordings.frames(text, spoken)
        shaped = spoken_numbers(text, spoken)
        return session.say(shaped) if audio is None else session.say(shaped, audio=audio)
