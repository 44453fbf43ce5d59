"""What can be told from a telephone's recording: where somebody speaks, and whether a sentence is heard in it."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from careline_local.voice.sound import FRAME, RATE, Samples, loud_frames

STEP = FRAME / RATE
"""Seconds of a frame."""
PHASES = 4
"""Offsets within a frame that are tried: frames of a recording do not begin where those of a sentence do."""
PAUSE_SECONDS = 0.6
"""Silence that is longer than those within and between sentences."""
SAME = 0.7
"""Correlation of two loudness curves from which they are one sentence; of different sentences it stays below .6."""


def longest_silence(*channels: Samples) -> float:
    """Seconds in which none of the channels was heard, at most."""
    longest = silent = 0
    shortest = min(len(channel) for channel in channels)
    for loud in np.logical_or.reduce([loud_frames(channel[:shortest]) for channel in channels]):
        silent = 0 if loud else silent + 1
        longest = max(longest, silent)
    return longest * STEP


def seconds_to_silence(said: Samples, heard: Samples) -> float:
    """From the caller's first sound to the last that was heard before a pause; both recordings begin together."""
    spoken = np.flatnonzero(loud_frames(said))
    first = int(spoken[0]) if len(spoken) else 0
    loud = loud_frames(heard)[first:]
    pause = int(PAUSE_SECONDS / STEP)
    until = next((at for at in range(len(loud)) if not loud[at : at + pause].any()), len(loud))
    return until * STEP


def likeness(heard: Samples, sentence: Samples) -> float:
    """The best correlation (at most 1) of a sentence's loudness, frame by frame, with any part of what was heard."""
    wanted = _loudness(_trimmed(sentence))
    return max(_best_correlation(_loudness(heard[start:]), wanted) for start in range(0, FRAME, FRAME // PHASES))


def _best_correlation(curve: NDArray[np.float64], wanted: NDArray[np.float64]) -> float:
    if len(curve) < len(wanted):
        return 0.0
    windows = sliding_window_view(curve, len(wanted))
    windows = windows - windows.mean(axis=1, keepdims=True)
    wanted = wanted - wanted.mean()
    scale = np.sqrt((windows**2).sum(axis=1)) * np.sqrt((wanted**2).sum())
    return float((windows @ wanted / np.maximum(scale, 1e-9)).max())


def _loudness(audio: Samples) -> NDArray[np.float64]:
    """Root mean square of each frame, in decibels above the faintest speech: speech spans orders of magnitude."""
    frames = audio[: len(audio) // FRAME * FRAME].reshape(-1, FRAME).astype(np.float64)
    return np.log10(np.maximum(np.sqrt((frames**2).mean(axis=1)), 30.0))


def _trimmed(audio: Samples) -> Samples:
    loud = np.flatnonzero(loud_frames(audio))
    return audio[loud[0] * FRAME : (loud[-1] + 1) * FRAME] if len(loud) else audio
