"""What a price is asked for one of: an hour, a week, a kilowatt hour."""

from __future__ import annotations

from careline.directory.phrase_tables import found_in
from careline.text.asked_words import words_of

NAME = "units"


def units_in(text: str, language: str) -> tuple[str, ...]:
    """The units that a text names; of words that overlap those of the longest."""
    found = sorted(found_in(words_of(text), NAME, language), key=lambda one: (one[1], one[1] - one[2]))
    units: list[str] = []
    ended = 0
    for unit, start, end in found:
        if start >= ended:
            units.append(unit)
            ended = end
    return tuple(dict.fromkeys(units))
