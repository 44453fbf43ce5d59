"""Brings screened sentences into the shape of the channel: chat keeps markdown and markers, voice gets neither.

Markers are renumbered in the order in which the reader meets them, and markers that point at no source are dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from careline.ports import Source
from careline.screened import ScreenedText
from careline.speech.spoken import Speaker
from careline.speech.spoken_numbers import spoken_numbers
from careline.turn.screen_output import ScreenedSentence
from careline.turn.turn import Turn

_MARKERS = re.compile(r"(?<![ \t])[ \t]*\[(\d{1,2}(?:\s?[,;]\s?\d{1,2}){0,8})\]")
"""Markers of a draft, `[1]` or `[1, 3]`, with the space before them; the numbers are the sources'."""


@dataclass(slots=True)
class ChatShaper:
    """Shapes for reading. `cited` maps each source number to the number the reader sees."""

    sources: dict[int, Source]
    style: str
    cited: dict[int, int] = field(default_factory=dict)

    def push(self, sentence: ScreenedSentence) -> ScreenedText:
        """The sentence as it is shown; the style says what becomes of the markers."""
        return sentence.text.reshaped(lambda text: self._markers(_marked(text, sentence.unnamed)))

    def flush(self) -> ScreenedText | None:
        """What is left to show at the end: nothing."""
        return None

    def _markers(self, text: str) -> str:
        return _MARKERS.sub(lambda match: "".join(map(self._marker, re.findall(r"\d+", match[1]))), text)

    def _marker(self, written: str) -> str:
        number = int(written)
        if number not in self.sources:
            return ""
        seen = self.cited.setdefault(number, len(self.cited) + 1)
        return {"inline": f" [{seen}]", "footnote": f"[^{seen}]", "sidebar": ""}[self.style]


def _marked(text: str, unnamed: tuple[int, ...]) -> str:
    """The sentence with a marker for each of its sources that nobody named."""
    there = {int(number) for marker in _MARKERS.finditer(text) for number in re.findall(r"\d+", marker[0])}
    body = text.rstrip()
    return body + "".join(f" [{number}]" for number in unnamed if number not in there) + text[len(body) :]


@dataclass(slots=True)
class VoiceShaper:
    """Shapes for the ear. Citations come from the sources a sentence was drafted from, never from markers."""

    speaker: Speaker
    sources: dict[int, Source]
    cited: dict[int, int] = field(default_factory=dict)
    _last: ScreenedText | None = None

    def push(self, sentence: ScreenedSentence) -> ScreenedText:
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
    return text.reshaped(lambda whole: Speaker(language).say(without_markers(whole)))


def as_reply(text: ScreenedText, language: str) -> ScreenedText:
    """A reply of the pack for the ear: whole, its numbers spelled for speech."""
    return text.reshaped(lambda whole: spoken_numbers(whole, language))


def without_markers(text: str) -> str:
    """The text without citation markers, which mean nothing away from their citations."""
    return _MARKERS.sub("", text)
