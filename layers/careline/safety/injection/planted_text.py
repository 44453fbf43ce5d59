"""Says which statements of a page somebody may have planted, as models see it that learned from lines of both sorts.

It stands behind the kinds of `kinds.yaml`, which find what they were written for and miss other wordings. A
model is sometimes wrong about an honest page, and a passage that is held back waits for a person: so pages are read
this way when they are taken in, and what is about to be said is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import careline_artefacts
from careline.safety.classifiers.classifier import Classifier, Classifiers, FirstLook, places
from careline.safety.injection.attempts import valid
from careline.safety.injection.document_screen import read_document_screen
from careline.safety.injection.document_signals import statements
from careline.safety.rules.plain_text import normalise_answer
from careline.text.sentences import split

FOLDER = careline_artefacts.FOLDER / "screens" / "documents"
PLANTED = "PLANTED"
LONGEST_PAIR = 400
"""Characters up to which a statement is read once more together with the one before it."""


@dataclass(frozen=True, slots=True)
class PlantedTextScreen:
    """The models of words and, where sentence embeddings are made, of words and meaning."""

    classifiers: Classifiers

    def first_look(self, statement: str, language: str) -> FirstLook[bool]:
        """Whether a statement may be planted, as far as words tell; `verdict` takes its sentence embedding too."""
        said = self.classifiers.read(places(normalise_answer(statement)))
        return FirstLook(
            in_doubt=said.may_be((PLANTED,)),
            judge=lambda sentence_embedding: said.find(language, sentence_embedding) is not None,
        )


def read_statements(text: str, language: str) -> Iterator[str]:
    """The statements of a passage, and each short one with the one before: "Chest pain? Wait until the morning." """
    yield from _stated(_lines(text, language))


def unsettled_statements(text: str, language: str, headings: Sequence[str] = ()) -> Iterator[str]:
    """The statements of a passage below its headings, without those that are known to be none: see
    `DocumentScreen.settled`."""
    above = [line for heading in headings for line in _lines(heading, language)]
    lines = _lines(text, language)
    known = read_document_screen().settled([*above, *lines], language)[len(above) :]
    yield from _stated(None if rule else line for line, rule in zip(lines, known, strict=True))


def _lines(text: str, language: str) -> list[str]:
    return [each for line in split(text, language) for each in statements(valid(line))]


def _stated(lines: Iterable[str | None]) -> Iterator[str]:
    read = list(lines)
    yield from filter(None, read)
    for before, here in pairwise(read):
        if before is not None and here is not None and len(before) + len(here) <= LONGEST_PAIR:
            yield f"{before} {here}"


@cache
def read_planted_text_screen() -> PlantedTextScreen:
    """The screen with the shipped models."""
    words, semantic = (Classifier(FOLDER / f"planted_text{each}.npz") for each in ("", "_semantic"))
    return PlantedTextScreen(Classifiers(words, semantic))
