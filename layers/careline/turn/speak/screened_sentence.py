"""A sentence that the output screen has read, and what becomes of the answer with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from careline.safety.completion_end import End
from careline.screened import ScreenedText


@dataclass(frozen=True, slots=True)
class ScreenedSentence:
    """A sentence that may be shown. `sources` are those it was drafted from, where known.

    `blocked` names the rules when the text stands in place of one that may not be shown, after which nothing follows;
    `withheld` those for which a sentence was left out. One without text may say by `ended` why the answer goes no
    further: its model wrote no answer any more, or named no source of what it wrote.
    """

    text: ScreenedText
    sources: tuple[int, ...] = ()
    unnamed: tuple[int, ...] = ()
    """Those of the sources that nobody named: where the sentence stands word for word, or those that hold its doses,
    which are never said uncited."""
    blocked: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    ended: End | Literal["uncited"] | None = None
    is_marked: bool = False
    """Whether the sentence itself named its sources."""
    restarts: bool = False
    """Whether nothing that was written before is part of the answer."""
    seconds: float = 0.0
    """How long the screens took over it."""
    by_words_alone: bool = False
    """Whether the screens doubted and its embedding came too late."""
