"""Mono audio of 16 kHz: WAV files, speech found by its energy, and sentences spoken by espeak-ng or by tones."""

from __future__ import annotations

import io
import shutil
import subprocess
import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from careline.errors import BadRequest

RATE = 16_000
FRAME = RATE // 50
"""Samples of 20 ms, the step in which everything here is counted."""
LOUD = 250.0
"""Root mean square of a 20 ms frame, of 32,768, from which it is taken for speech (-42 dBFS)."""
LONGEST_SECONDS = 600
Samples = NDArray[np.int16]
VOICES = {"nl": "nl", "en": "en-gb", "fr": "fr-fr", "it": "it"}
WORDS_PER_MINUTE = 165


def read_wav(path: Path) -> Samples:
    """The samples of a WAV file, made mono and 16 kHz. Raises: BadRequest naming what is wrong with it."""
    try:
        with wave.open(str(path), "rb") as file:
            rate, width, channels = file.getframerate(), file.getsampwidth(), file.getnchannels()
            if width != 2 or not 4000 <= rate <= 192_000:
                raise BadRequest(f"{path.name}: give a WAV of 16 bits a sample, from 4 to 192 kHz")
            if file.getnframes() > LONGEST_SECONDS * rate:
                raise BadRequest(f"{path.name}: longer than {LONGEST_SECONDS} seconds")
            raw = file.readframes(file.getnframes())
    except (OSError, EOFError, wave.Error):
        raise BadRequest(f"{path.name}: cannot be read as a WAV file of PCM samples") from None
    samples = np.frombuffer(raw[: len(raw) // (2 * channels) * 2 * channels], np.int16).reshape(-1, channels)
    return resampled(samples.mean(axis=1), rate)


def write_wav(path: Path, *channels: Samples) -> None:
    """One or more channels of 16 kHz as a WAV file; shorter ones are filled up with silence."""
    longest = max(len(channel) for channel in channels)
    filled = [np.pad(channel, (0, longest - len(channel))) for channel in channels]
    with wave.open(str(path), "wb") as file:
        file.setnchannels(len(channels))
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(np.stack(filled, axis=1).astype("<i2").tobytes())


def resampled(samples: NDArray[np.float64], rate: int) -> Samples:
    """Samples of another rate at 16 kHz. Going down, each sample is the mean of those it stands for."""
    if rate > RATE:
        edges = np.arange(int(len(samples) * RATE / rate) + 1) * (rate / RATE)
        summed = np.interp(edges, np.arange(len(samples) + 1), np.concatenate([[0.0], np.cumsum(samples)]))
        samples = np.diff(summed) / (rate / RATE)
    elif rate < RATE:
        samples = np.interp(
            np.arange(int(len(samples) * RATE / rate)) * (rate / RATE), np.arange(len(samples)), samples
        )
    return np.clip(samples, -32768, 32767).astype(np.int16)


def loud_frames(samples: Samples) -> NDArray[np.bool_]:
    """Which frames of 20 ms hold speech; what does not fill a frame at the end is left out."""
    frames = samples[: len(samples) // FRAME * FRAME].reshape(-1, FRAME).astype(np.float64)
    return np.sqrt((frames**2).mean(axis=1)) > LOUD if len(frames) else np.zeros(0, np.bool_)


def speak(text: str, language: str) -> Samples:
    """The text spoken by espeak-ng, or by tones of about the same length where it is not installed."""
    program = shutil.which("espeak-ng")
    if program is None:
        return tones(text)
    command = [program, "-v", VOICES[language], "-s", str(WORDS_PER_MINUTE), "--stdout", "--stdin"]
    made = subprocess.run(command, input=text.encode(), capture_output=True, check=True, timeout=30)  # noqa: S603
    with wave.open(io.BytesIO(made.stdout), "rb") as file:
        rate = file.getframerate()
        # espeak-ng does not know the length when it writes the header.
        raw = made.stdout[44:]
    return resampled(np.frombuffer(raw[: len(raw) // 2 * 2], np.int16).astype(np.float64), rate)


def tones(text: str, hurry: float = 1.0) -> Samples:
    """A tone for each word, as long as saying it takes, with gaps between them; `hurry` times as quick."""
    parts = []
    for number, word in enumerate(text.split()):
        length = int(RATE * (0.12 + 0.05 * len(word)) / hurry)
        wave_form = 8000 * np.sin(2 * np.pi * (300 + 40 * (number % 5)) * np.arange(length) / RATE)
        parts += [wave_form.astype(np.int16), np.zeros(int(RATE / 20 / hurry), np.int16)]
    return np.concatenate(parts) if parts else np.zeros(0, np.int16)
