"""What a user said, as the screens of input read it: made plain and taken apart once for all of them."""

from __future__ import annotations

from functools import cached_property

from careline.safety.classifiers.classifier import Places, places
from careline.safety.clauses import clauses
from careline.safety.rules.plain_text import Plain, normalise
from careline.safety.rules.prefilter import pieces


class Utterance:
    """An utterance of any length, as it came in `text`."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def plain(self) -> Plain:
        """The text as patterns and models read it."""
        return normalise(self.text)

    @cached_property
    def pieces(self) -> frozenset[str]:
        """What patterns are looked up by."""
        return pieces(self.plain)

    @cached_property
    def windows(self) -> list[Places]:
        """What models read."""
        return places(self.plain)

    def clauses(self, language: str | None) -> list[Plain]:
        """The parts of the text; none when it is all of one piece."""
        return [normalise(part) for part in clauses(self.text, language)]
