"""What a recorded caller says: the words belong to a WAV, and are dealt out as its speech goes by."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from careline_local.voice.sound import FRAME, Samples, loud_frames

WHOLE = 0.97
"""Share of an utterance's speech after which all of its words were said; energy is not counted to the frame."""


@dataclass(frozen=True, slots=True)
class ScriptedUtterance:
    """Words and how many loud frames of 20 ms saying them takes."""

    text: str
    language: str
    frames: int

    @classmethod
    def of(cls, text: str, language: str, audio: Samples) -> ScriptedUtterance:
        """The words of a recording."""
        return cls(text, language, max(1, int(loud_frames(audio).sum())))


@dataclass(slots=True)
class Script:
    """One caller's utterances, in order. It goes on over connections that are dropped and made again."""

    utterances: list[ScriptedUtterance] = field(default_factory=list)
    heard: int = 0
    """Loud frames of the utterance that is being said."""
    told: int = 0
    """Words of it that were already given as final."""
    begun: int = 0
    _rest: bytes = b""

    @property
    def now(self) -> ScriptedUtterance | None:
        """The utterance that is being said, or would be next; None when all were."""
        return self.utterances[self.begun] if self.begun < len(self.utterances) else None

    def hear(self, audio: bytes) -> list[bool]:
        """Take audio in and say, for each frame of it, whether it was loud."""
        samples = np.frombuffer(self._rest + audio, np.int16)
        whole = len(samples) // FRAME * FRAME
        self._rest = samples[whole:].tobytes()
        return [bool(loud) for loud in loud_frames(samples[:whole])]

    def loud(self) -> None:
        """A frame of speech goes by."""
        if self.finished:
            self.turn_over()
        self.heard += 1

    @property
    def finished(self) -> bool:
        """Whether everything of this utterance was said and given as final."""
        return self.now is not None and self.told > 0 and self.told == len(self.now.text.split())

    def words(self) -> list[str]:
        """Words of the utterance said so far that were not yet given as final."""
        if self.now is None:
            return []
        every = self.now.text.split()
        share = self.heard / self.now.frames
        said = len(every) if share >= WHOLE else int(len(every) * share)
        return every[self.told : said]

    def give(self) -> list[str]:
        """The same words, given as final now."""
        words = self.words()
        self.told += len(words)
        return words

    def turn_over(self) -> None:
        """The next utterance."""
        self.begun, self.heard, self.told = self.begun + 1, 0, 0
