"""The vendors that hear and speak for us, with the options that keep a caller's words out of their logs."""

from __future__ import annotations

import aiohttp
from livekit.agents.types import NOT_GIVEN
from livekit.plugins import deepgram, elevenlabs

from careline.errors import SettingsInvalid
from careline.settings import DeepgramSettings, ElevenLabsSettings

SAMPLE_RATE = 16_000
"""Hertz of what is sent to Deepgram and what ElevenLabs sends."""
MULTI = "multi"
"""Deepgram's mode for a caller whose language is not known yet."""
STABILITY, SIMILARITY = 0.6, 0.8


def hearing(settings: DeepgramSettings, keyterms: list[str], http: aiohttp.ClientSession) -> deepgram.STT:
    """Deepgram Nova-3, listening in all languages. Raises: SettingsInvalid without a key."""
    if settings.api_key is None:
        raise SettingsInvalid("CARELINE_DEEPGRAM_API_KEY: the phone needs a key of Deepgram to hear callers")
    return deepgram.STT(
        model="nova-3",
        language=MULTI,
        sample_rate=SAMPLE_RATE,
        keyterm=keyterms or NOT_GIVEN,
        mip_opt_out=True,
        api_key=settings.api_key.get_secret_value(),
        base_url=settings.url,
        http_session=http,
    )


def speaking(settings: ElevenLabsSettings, language: str, http: aiohttp.ClientSession) -> elevenlabs.TTS:
    """ElevenLabs, in the voice of the line's own language. Raises: SettingsInvalid without a key or a voice."""
    if settings.api_key is None:
        raise SettingsInvalid("CARELINE_ELEVENLABS_API_KEY: the phone needs a key of ElevenLabs to speak")
    return elevenlabs.TTS(
        voice_id=voice_of(settings, language),
        voice_settings=voice_settings(1.0),
        model=settings.model,
        encoding="pcm_16000",
        # Zero retention: what is said to a caller is not kept there.
        enable_logging=False,
        sync_alignment=False,
        api_key=settings.api_key.get_secret_value(),
        base_url=settings.url,
        http_session=http,
    )


def voice_of(settings: ElevenLabsSettings, language: str) -> str:
    """The voice of a language, else any. Raises: SettingsInvalid when there is none.

    The language is chosen by the voice alone: Multilingual v2 refuses a request that names one.
    """
    voices = settings.voices
    if not voices:
        raise SettingsInvalid("CARELINE_ELEVENLABS_VOICES: name a voice for each language, such as nl=VOICE,fr=VOICE")
    return voices.get(language) or next(iter(voices.values()))


def voice_settings(speed: float) -> elevenlabs.VoiceSettings:
    """How the voice speaks; `speed` is from `careline.speech.speed`."""
    return elevenlabs.VoiceSettings(stability=STABILITY, similarity_boost=SIMILARITY, speed=speed)
