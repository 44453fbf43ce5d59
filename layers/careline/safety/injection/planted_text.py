"""Says which statements of a page somebody may have planted, as models see it that learned from lines of both sorts.

It stands behind the kinds of `kinds.yaml`, which find what they were written for and miss other wordings. A
model is sometimes wrong about an honest page, and a passage that is held back waits for a person: so pages are read
this way when they are taken in, and what is about to be said is not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import careline_artefacts
from careline.safety.classifiers.classifier import Classifier, Classifiers, FirstLook, places
from careline.safety.injection.document_screen import LONGEST_EXCERPT, Finding, found_at, read_document_screen
from careline.safety.injection.placed_statements import PlacedStatement, placed_statements
from careline.safety.rules.plain_text import normalise_answer

FOLDER = careline_artefacts.FOLDER / "screens" / "documents"
PLANTED = "PLANTED"
PLANTED_TEXT = "planted_text"
"""The reason of what models find."""
SHORTEST = 3
"""Words of a statement that is read alone."""
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
    yield from (said for said, _ in _stated(placed_statements(text, language)))


def unsettled_statements(text: str, language: str, headings: Sequence[str] = ()) -> Iterator[str]:
    """The statements of a passage below its headings, without those that are known to be none: see
    `DocumentScreen.settled`."""
    yield from (said for said, _ in _stated(_unsettled(text, language, headings)))


def found_planted(
    text: str, language: str, headings: Sequence[str], planted: Collection[str]
) -> tuple[Finding, ...]:
    """Where those of the unsettled statements stand that are `planted`; a finding at most."""
    found = [(said, parts) for said, parts in _stated(_unsettled(text, language, headings)) if said in planted]
    if not found:
        return ()
    at = found_at(PLANTED_TEXT, [part for _, parts in found for part in parts])
    return (replace(at, excerpt=found[0][0][:LONGEST_EXCERPT]),)


def _unsettled(text: str, language: str, headings: Sequence[str]) -> list[PlacedStatement | None]:
    """The statements of the text, None in the place of each that is known to be none."""
    lines = placed_statements(text, language, headings)
    known = read_document_screen().settled([one.text for one in lines], language)
    return [None if rule else one for one, rule in zip(lines, known, strict=True) if one.span is not None]


def _stated(lines: Iterable[PlacedStatement | None]) -> Iterator[tuple[str, tuple[PlacedStatement, ...]]]:
    """What models read, and which statements it is made of: each that says something, and short ones behind the one
    before. A label of a word or two says nothing by itself."""
    read = list(lines)
    yield from ((one.text, (one,)) for one in read if one is not None and len(one.text.split()) >= SHORTEST)
    for before, here in pairwise(read):
        if before is not None and here is not None and len(before.text) + len(here.text) <= LONGEST_PAIR:
            yield f"{before.text} {here.text}", (before, here)


@cache
def read_planted_text_screen() -> PlantedTextScreen:
    """The screen with the shipped models."""
    words, semantic = (Classifier(FOLDER / f"planted_text{each}.npz") for each in ("", "_semantic"))
    return PlantedTextScreen(Classifiers(words, semantic))
