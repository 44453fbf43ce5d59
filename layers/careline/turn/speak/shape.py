"""Brings screened sentences into the shape of the channel: chat keeps markdown and markers, voice gets neither.

Markers are renumbered in the order in which the reader meets them, and markers that point at no source are dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import assert_never

from careline.screened import ScreenedText
from careline.speech.spoken.numbers import spoken_numbers
from careline.speech.spoken.speaker import Speaker
from careline.text.markers import MARKERS, is_range, marked, named
from careline.turn.outcome import Clarification, Confirmation, DirectoryAnswer, Reply, Written
from careline.turn.speak.screened_sentence import ScreenedSentence
from careline.turn.turn import Turn


@dataclass(slots=True)
class ChatShaper:
    """Shapes for reading. `cited` maps each number of `sources` to the number that the reader sees."""

    sources: frozenset[int]
    style: str
    cited: dict[int, int] = field(default_factory=dict)

    def push(self, sentence: ScreenedSentence) -> ScreenedText:
        """The sentence as it is shown; the style says what becomes of the markers."""
        return sentence.text.reshaped(lambda text: self._markers(_marked(text, sentence.unnamed)))

    def flush(self) -> ScreenedText | None:
        """What is left to show at the end: nothing."""
        return None

    def _markers(self, text: str) -> str:
        return MARKERS.sub(self._shown, text)

    def _shown(self, match: re.Match[str]) -> str:
        numbers = list(named(match[1]))
        if is_range(match[1]) and self.sources.isdisjoint(numbers):
            return match[0]
        return "".join(map(self._marker, numbers))

    def _marker(self, number: int) -> str:
        if number not in self.sources:
            return ""
        seen = self.cited.setdefault(number, len(self.cited) + 1)
        return {"inline": f" [{seen}]", "footnote": f"[^{seen}]", "sidebar": ""}[self.style]


def _marked(text: str, unnamed: tuple[int, ...]) -> str:
    """The sentence with a marker for each of its sources that nobody named."""
    there, body = marked(text), text.rstrip()
    return body + "".join(f" [{number}]" for number in unnamed if number not in there) + text[len(body) :]


@dataclass(slots=True)
class VoiceShaper:
    """Shapes for the ear. Citations come from the sources a sentence was drafted from, never from markers."""

    speaker: Speaker
    sources: frozenset[int]
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
    sources = _citable(turn)
    if turn.voice:
        return VoiceShaper(Speaker(turn.language), sources)
    return ChatShaper(sources, turn.preferences.citation_style)


def _citable(turn: Turn) -> frozenset[int]:
    """Numbers that a statement of the answer may rest on: of the sources, or of a directory answer's citations."""
    match turn.outcome:
        case DirectoryAnswer(citations=citations):
            return frozenset(range(1, len(citations) + 1))
        case Written() | Reply() | Clarification() | Confirmation():
            return frozenset(source.number for source in turn.sources)
        case _:
            assert_never(turn.outcome)


def as_spoken(text: ScreenedText, language: str) -> ScreenedText:
    """A whole chat answer as the phone would say it."""
    return text.reshaped(lambda whole: Speaker(language).say(without_markers(whole)))


def as_reply(text: ScreenedText, language: str) -> ScreenedText:
    """A reply of the pack for the ear: whole, its numbers spelled for speech."""
    return text.reshaped(lambda whole: spoken_numbers(whole, language))


def without_markers(text: str) -> str:
    """The text without citation markers, which mean nothing away from their citations."""
    return MARKERS.sub(lambda match: match[0] if is_range(match[1]) else "", text)
