"""The statements of a passage below its headings, each with where it stands in the passage's text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from careline.safety.injection.attempts import valid
from careline.safety.injection.document_signals import statement_spans
from careline.text.sentences import sentence_spans

Span = tuple[int, int]
"""Characters of a passage's text, as code points: the first, and the one behind the last."""


@dataclass(frozen=True, slots=True)
class PlacedStatement:
    """What a screen judges at a time: a sentence, or a cell of a row. `span` is None for one of the headings."""

    text: str
    span: Span | None


def placed_statements(text: str, language: str, headings: Sequence[str] = ()) -> list[PlacedStatement]:
    """The statements of the headings, then those of the text, in order."""
    found = [
        PlacedStatement(said, None)
        for heading in headings
        for start, end in sentence_spans(heading, language)
        for said, _, _ in statement_spans(valid(heading[start:end]))
    ]
    for start, end in sentence_spans(text, language):
        for said, first, last in statement_spans(valid(text[start:end])):
            found.append(PlacedStatement(said, (start + first, start + last)))
    return found
