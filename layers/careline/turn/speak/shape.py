"""Brings screened sentences into the shape of the channel: chat keeps markdown and markers, voice gets neither.

Markers are renumbered in the order in which the reader meets them, and markers that point at no source are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from careline.model import LANGUAGES
from careline.screened import ScreenedText
from careline.speech.spoken.numbers import spoken_numbers
from careline.speech.spoken.speaker import NOT_QUOTED, Quoted, Speaker
from careline.text.markers import MARKERS, is_interval, is_range, marked, named
from careline.text.sentences import split
from careline.turn.outcome import Clarification, Confirmation, DirectoryAnswer, Reply, Written
from careline.turn.speak.generate import notices
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
        if is_interval(match[1], self.sources):
            return match[0]
        return "".join(map(self._marker, named(match[1])))

    def _marker(self, number: int) -> str:
        if number not in self.sources:
            return ""
        seen = self.cited.setdefault(number, len(self.cited) + 1)
        return {"inline": f" [{seen}]", "footnote": f"[^{seen}]", "sidebar": ""}[self.style]


def _marked(text: str, unnamed: tuple[int, ...]) -> str:
    """The sentence with a marker for each of its sources that nobody named."""
    there, body = marked(text), text.rstrip()
    return body + "".join(f" [{number}]" for number in unnamed if number not in there) + text[len(body) :]


@dataclass(frozen=True, slots=True)
class ForeignSource:
    """The language that a source is quoted in, and what is said before it."""

    language: str
    notice: str


@dataclass(slots=True)
class VoiceShaper:
    """Shapes for the ear. Citations come from the sources a sentence was drafted from, never from markers.

    `foreign` are the sources that are quoted in another language than the answer's."""

    speaker: Speaker
    sources: frozenset[int]
    foreign: Mapping[int, ForeignSource] = field(default_factory=dict)
    cited: dict[int, int] = field(default_factory=dict)
    _last: ScreenedText | None = None

    def push(self, sentence: ScreenedSentence) -> ScreenedText:
        """What can be said already, which may be nothing yet."""
        for number in sentence.sources:
            if number in self.sources:
                self.cited.setdefault(number, len(self.cited) + 1)
        self._last = sentence.text
        quoted = NOT_QUOTED if sentence.blocked else _quoted(sentence.text, sentence.sources, self.foreign)
        return sentence.text.reshaped(lambda text: self.speaker.push(text, quoted))

    def flush(self) -> ScreenedText | None:
        """What was held back until the end, such as a list."""
        return None if self._last is None else self._last.reshaped(lambda _: self.speaker.flush())


def shaper(turn: Turn, *, is_quoted: bool = False) -> ChatShaper | VoiceShaper:
    """The shaper of the turn's channel. `is_quoted`: whether the answer is in the words of its sources."""
    sources = _citable(turn)
    if turn.voice:
        return VoiceShaper(Speaker(turn.language), sources, _foreign(turn) if is_quoted else {})
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


def _foreign(turn: Turn) -> dict[int, ForeignSource]:
    """The sources in other languages that figures are said in, by their numbers."""
    said_before = notices(turn)
    return {
        source.number: ForeignSource(source.language, said_before[source.language].replace("{title}", source.title))
        for source in turn.sources
        if source.language in said_before and source.language in LANGUAGES
    }


def _quoted(text: str, sources: Sequence[int], foreign: Mapping[int, ForeignSource]) -> Quoted:
    """From where on a sentence is in the language of a source, behind what is said before a quotation of it."""
    of = {foreign[number] for number in sources if number in foreign}
    if not of or any(number not in foreign for number in sources) or len({one.language for one in of}) > 1:
        return NOT_QUOTED
    lead = len(text) - len(text.lstrip())
    starts = (lead + len(one.notice) for one in of if text.startswith(one.notice, lead))
    return Quoted(next(iter(of)).language, next(starts, 0))


def as_spoken(text: ScreenedText, turn: Turn, language: str, shown: Mapping[int, int] | None = None) -> ScreenedText:
    """A whole chat answer as the phone would say it. `shown`: of an answer in the words of its sources, the source of
    each number that the reader sees."""
    foreign = _foreign(turn) if shown else {}
    numbers = dict(shown or {})

    def spoken(whole: str) -> str:
        speaker = Speaker(language)
        said = ""
        for sentence in split(whole, language):
            sources = [numbers[number] for number in sorted(marked(sentence)) if number in numbers]
            bare = without_markers(sentence)
            said += speaker.push(bare, _quoted(bare, sources, foreign))
        return (said + speaker.flush()).strip()

    return text.reshaped(spoken)


def as_reply(text: ScreenedText, language: str) -> ScreenedText:
    """A reply of the pack for the ear: whole, its numbers spelled for speech."""
    return text.reshaped(lambda whole: spoken_numbers(whole, language))


def without_markers(text: str) -> str:
    """The text without citation markers, which mean nothing away from their citations."""
    return MARKERS.sub(lambda match: match[0] if is_range(match[1]) else "", text)
