"""How fast the voice speaks: slower for those who ask, who are upset, or who speak slowly themselves."""

from __future__ import annotations

import math

from careline.speech.phrases import phrases, plain_words

SLOWEST, FASTEST = 0.70, 1.00
STEP = 0.10
"""What one explicit request changes."""
DISTRESS = -0.05
SLOW_SPEAKER, VERY_SLOW_SPEAKER = 110.0, 80.0
"""Words per minute below which a caller gets the same pace back; ordinary telephone speech has 120 to 180."""
SLOW_OFFSET, VERY_SLOW_OFFSET = -0.05, -0.10
LEAST_WORDS, LEAST_SECONDS = 6, 2.0
"""What an utterance needs before its pace says something of the speaker."""
MOST_REQUEST_WORDS = 14


def speech_speed(base: float, request: int, distress: bool, words_per_minute: float | None) -> float:
    """Speed of the voice as ElevenLabs takes it (1.0 is ordinary), from 0.70 to 1.00.

    The terms are added and the sum is clamped; factors multiplied would pile up until speech is distorted.
    `request`: requests for faster less those for slower, over the call (`requested_change`). `distress`: the caller
    sounds upset. `words_per_minute`: the caller's own pace, None as long as it is not known.
    Raises: ValueError where a figure is not finite.
    """
    figures = (base, 0.0 if words_per_minute is None else words_per_minute)
    if not all(map(math.isfinite, figures)):
        raise ValueError("base and words_per_minute have to be finite numbers")
    wanted = base + request * STEP + (DISTRESS if distress else 0.0) + _pace(words_per_minute)
    return round(min(FASTEST, max(SLOWEST, wanted)), 2)


def _pace(words_per_minute: float | None) -> float:
    if words_per_minute is None or words_per_minute <= 0 or words_per_minute >= SLOW_SPEAKER:
        return 0.0
    return VERY_SLOW_OFFSET if words_per_minute < VERY_SLOW_SPEAKER else SLOW_OFFSET


def requested_change(text: str, language: str) -> int:
    """-1 where the caller asks the voice to go slower, 1 for faster, else 0.

    "Kan het sneller?" about an appointment is none: a word of such things in the same utterance rules it out.
    """
    words = plain_words(text)
    if len(words) > MOST_REQUEST_WORDS or phrases(language, "speed", "not_speech").found_in(words):
        return 0
    if phrases(language, "speed", "slower").found_in(words):
        return -1
    return 1 if phrases(language, "speed", "faster").found_in(words) else 0


def sounds_distressed(text: str, language: str) -> bool:
    """Whether the caller says to be afraid, worried or at a loss. Emergencies are the screens' to find, not this."""
    return phrases(language, "speed", "distress").found_in(plain_words(text))


def words_per_minute(text: str, seconds: float) -> float | None:
    """Pace of an utterance that took `seconds` to say; None where it is too short to tell."""
    count = len(plain_words(text))
    if count < LEAST_WORDS or not math.isfinite(seconds) or seconds < LEAST_SECONDS:
        return None
    return count * 60.0 / seconds
