"""Sentences recorded beforehand, for when the voice's vendor does not answer: a small file for each text and language.

A recording is found by its exact text, so that one of an older wording is never played in place of a newer. Beside the
sentences of a hospital's menu lies the line that they were made of, so that the menu can be said of what was recorded.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import yaml
from livekit import rtc
from livekit.agents.utils.audio import audio_frames_from_file

from careline.speech.line import PhoneLine, recorded_line

SHIPPED = Path(__file__).parent / "recordings"
SAMPLE_RATE = 16_000
SUFFIX = ".opus"


def file_name(text: str) -> str:
    """The name of a text's recording."""
    return hashlib.sha256(text.encode()).hexdigest()[:16] + SUFFIX


class Recordings:
    """Recordings below `folders`, each with a folder for every language; the first folder that has a text wins."""

    def __init__(self, *folders: Path) -> None:
        self._folders = (*folders, SHIPPED)

    @cached_property
    def line(self) -> PhoneLine | None:
        """The line whose menu was recorded; None where none was. Raises: SettingsInvalid for a file that is none."""
        found = (recorded_line(folder) for folder in self._folders)
        return next((line for line in found if line is not None), None)

    def path(self, text: str, language: str) -> Path | None:
        """The file of a text; None where nobody recorded it."""
        found = (folder / language / file_name(text) for folder in self._folders)
        return next((path for path in found if path.is_file()), None)

    def frames(self, text: str, language: str) -> AsyncIterator[rtc.AudioFrame] | None:
        """The recorded text as audio of 16 kHz; None where nobody recorded it."""
        path = self.path(text, language)
        return None if path is None else audio_frames_from_file(str(path), SAMPLE_RATE)


def sentence(key: str, language: str) -> str:
    """A sentence that only the worker says, from `sentences.yaml`. Raises: KeyError where there is none."""
    return str(_sentences()[key][language])


def sentence_keys() -> tuple[str, ...]:
    """The keys of all of them."""
    return tuple(_sentences())


@cache
def _sentences() -> Any:
    return yaml.safe_load((Path(__file__).parent / "sentences.yaml").read_text("utf-8"))
