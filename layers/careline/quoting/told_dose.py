"""Leaves out of what was read the windows that tell a dose of something else than was asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from careline.model import Table
from careline.passages.windows import PassageWindow
from careline.ports import Source
from careline.safety.grounding.dose_conditions import (
    DOSE,
    AskedDose,
    ToldDose,
    asked_dose,
    is_another_dose,
    is_under_condition,
    names_medicine,
)
from careline.safety.grounding.medicines import is_about_another, speaks_of_medicines
from careline.text.figures import figures, readable
from careline.text.label_words import label_words

AGE = "year"
"""The concept of labels above which an age stands."""


@dataclass(frozen=True, slots=True)
class DoseGate:
    """What may be told to who asked a question."""

    question: str
    asked: AskedDose

    @classmethod
    def of(cls, question: str, language: str) -> DoseGate:
        """The gate of a question."""
        return cls(question, asked_dose(question, language))

    def lets_through(self, source: Source, window: PassageWindow) -> bool:
        """Whether a window of a source tells no dose, or the one asked for as far as both say."""
        passage = source.hit.passage
        if not speaks_of_medicines(self.question, passage):
            return False
        if not _tells_dose(source, window, self.asked):
            return True
        told = _told(source, window)
        if not (self.asked.is_dose or names_medicine(told)):
            return True
        is_other = is_about_another(passage, (self.question,))
        return not (is_other or is_another_dose(self.asked, told, source.language))

    def is_under_condition(self, source: Source, row: int) -> bool:
        """Whether a row of a source's table is that of the age or the kidneys that the question names."""
        table = source.hit.passage.chunk.table
        if table is None or not self.asked.is_dose:
            return False
        labels = " ".join((*table.stub, *table.rows[row].labels))
        return is_under_condition(self.asked, labels, source.language)

    def may_be_listed(self, source: Source, window: PassageWindow) -> bool:
        """Whether a window may be told among the rows of its table: where some are those of the age or the kidneys that
        the question names, these alone."""
        if not self.lets_through(source, window):
            return False
        table = source.hit.passage.chunk.table
        if table is None or window.row is None:
            return True
        meant = [n for n in range(len(table.rows)) if self.is_under_condition(source, n)]
        return not meant or window.row in meant


def _tells_dose(source: Source, window: PassageWindow, asked: AskedDose) -> bool:
    """Whether a window speaks of a dose, or tells anything in figures of a medicine that was asked about. A cell seldom
    says so itself: its unit stands above."""
    table, language = source.hit.passage.chunk.table, source.language
    found = figures(readable(window.text), (language,))
    if any(figure.is_dose for figure in found) or (asked.medicines and found):
        return True
    if asked.is_dose and any(DOSE in word.concepts for word in label_words(window.text, language)):
        return True
    return window.row is not None and table is not None and _has_label(table, DOSE, language)


def _has_label(table: Table, concept: str, language: str) -> bool:
    labels = (label for path in (*table.columns, table.stub) for label in path)
    return any(concept in word.concepts for label in labels for word in label_words(label, language))


def _told(source: Source, window: PassageWindow) -> ToldDose:
    passage, table = source.hit.passage, source.hit.passage.chunk.table
    above = dict.fromkeys((window.heading, *reversed(passage.chunk.heading_path)))
    title = " ".join((passage.facts.title, passage.facts.drug_name or ""))
    if window.row is None or table is None:
        return ToldDose(window.text, (*above, title))
    row = table.rows[window.row]
    columns = " ".join((*table.stub, *(label for path in table.columns for label in path)))
    said, labels = " ".join((*row.labels, *row.values)), " ".join((*table.stub, *row.labels))
    return ToldDose(said, (table.caption, columns, *above, title), labels, tuple(_ages(table, window.row, source)))


def _ages(table: Table, row: int, source: Source) -> Iterator[str]:
    """The cells of a row below a label that names an age."""
    for path, value in zip(table.columns, table.rows[row].values, strict=False):
        if any(AGE in word.concepts for label in path for word in label_words(label, source.language)):
            yield value
