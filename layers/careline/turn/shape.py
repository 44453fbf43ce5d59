"""Brings screened sentences into the shape of the channel: chat keeps markdown and markers, voice gets neither.

Markers are renumbered in the order in which the reader meets them, and markers that point at no source are dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from careline.ports import Source
from careline.screened import ScreenedText
from careline.speech.spoken import Speaker
from careline.turn.cite import MARKER
from careline.turn.screen_output import Sentence
from careline.turn.turn import Turn

_SPACE_BEFORE_MARKER = re.compile(r"[ \t]*\[(\d{1,2})\]")


@dataclass(slots=True)
class ChatShaper:
    """Shapes for reading. `cited` maps each source number to the number the reader sees."""

    sources: dict[int, Source]
    style: str
    cited: dict[int, int] = field(default_factory=dict)

    def push(self, sentence: Sentence) -> ScreenedText:
        """The sentence as it is shown; the style says what becomes of the markers."""
        return sentence.text.reshaped(self._markers)

    def flush(self) -> ScreenedText | None:
        """What is left to show at the end: nothing."""
        return None

    def _markers(self, text: str) -> str:
        def replaced(match: re.Match[str]) -> str:
            number = int(match[1])
            if number not in self.sources:
                return ""
            seen = self.cited.setdefault(number, len(self.cited) + 1)
            return {"inline": f" [{seen}]", "footnote": f"[^{seen}]", "sidebar": ""}[self.style]

        return _SPACE_BEFORE_MARKER.sub(replaced, text)


@dataclass(slots=True)
class VoiceShaper:
    """Shapes for the ear. Citations come from the sources a sentence was drafted from, never from markers (T15)."""

    speaker: Speaker
    sources: dict[int, Source]
    cited: dict[int, int] = field(default_factory=dict)
    _last: ScreenedText | None = None

    def push(self, sentence: Sentence) -> ScreenedText:
        """What can be said already, which may be nothing yet."""
        for number in sentence.sources:
            if number in self.sources:
                self.cited.setdefault(number, len(self.cited) + 1)
        self._last = sentence.text
        return sentence.text.reshaped(self.speaker.push)

    def flush(self) -> ScreenedText | None:
        """What was held back until the end, such as a list."""
        return None if self._last is None else self._last.reshaped(lambda _: self.speaker.flush())


def shaper(turn: Turn) -> ChatShaper | VoiceShaper:
    """The shaper of the turn's channel."""
    sources = {source.number: source for source in turn.sources}
    if turn.voice:
        return VoiceShaper(Speaker(turn.language), sources)
    return ChatShaper(sources, turn.preferences.citation_style)


def as_spoken(text: ScreenedText, language: str) -> ScreenedText:
    """A whole chat answer as the phone would say it."""
    return text.reshaped(lambda whole: Speaker(language).say(MARKER.sub("", whole)))
