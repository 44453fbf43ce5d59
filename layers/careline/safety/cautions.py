"""Finds what a source warns of, so that a clinician who is given a dose is also shown when it must not be given.

A statement warns by its own words ("contraindicated below 30") or by the heading that it stands under. It belongs to an
answer when it, or what its document or section is about, names a medicine that the answer is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from careline.model import Chunk
from careline.ports import Source
from careline.safety.grounding.dose_conditions import names_kidneys, names_pregnancy, without_kidney_unit
from careline.safety.grounding.medicines import medicines
from careline.safety.rules.plain_text import normalise
from careline.safety.rules.rule_sets import RuleSet
from careline.text.sentences import split
from careline.text.values import NUMBER, Value, values

KINDS = ("CONTRAINDICATION", "CAUTION")
"""Classes of a rule set of cautions: what rules a medicine out, and what calls for care with it."""
EXCEPTION = "EXCEPTION"
"""Class of statements that warn of nothing wherever they stand: "is not a contraindication"."""
NEAR = 5.0
"""mL/min by which an eGFR may lie beside the limit of a warning that is for the patient all the same."""
_ITEM, _LEADS_IN, _ENDS = "- ", ":", (".", ";", "!", "?")


@dataclass(frozen=True, slots=True)
class CautionStatement:
    """A sentence or list item as it stands in a source, or a cell of a table under its names; and the heading above."""

    text: str
    heading: str


@dataclass(frozen=True, slots=True)
class Caution:
    """What one source warns of in one kind: the number of the source, and its statements in their order."""

    kind: str
    source: int
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PatientSeen:
    """What is known of a patient that some warnings are not for: the eGFR in mL/min/1.73 m², and that nobody is
    pregnant. None where it is not known."""

    egfr: float | None = None
    is_pregnant: bool | None = None

    def concerns(self, statement: CautionStatement, language: str) -> bool:
        """Whether a warning may be for the patient: not that of a pregnancy for who is not pregnant, nor that of
        kidneys that work much worse or better. Formulas of kidney function differ, so near a limit it is."""
        if self.is_pregnant is False and names_pregnancy(statement.text):
            return False
        if self.egfr is None or not names_kidneys(statement.text):
            return True
        said = values(without_kidney_unit(statement.text), (language,))
        ranges = [one for one in said if one.kind == NUMBER and not one.is_single]
        near = Value(NUMBER, self.egfr - NEAR, self.egfr + NEAR)
        return not ranges or any(one.meets(near) for one in ranges)


ANYBODY = PatientSeen()


@dataclass(frozen=True, slots=True)
class CautionScreen:
    """The rule sets of cautions of one pack, by language."""

    rule_sets: Mapping[str, RuleSet]

    def cautions(
        self, sources: Sequence[Source], about: str, patient: PatientSeen = ANYBODY
    ) -> tuple[Caution, ...]:
        """What the sources warn of with the medicines that `about` names, as far as it may be for the patient:
        contraindications before cautions.

        A statement that several sources make is the first one's. A source in a language without a rule set is read with
        every rule set.
        """
        named = medicines(normalise(about))
        if not named:
            return ()
        said: set[str] = set()
        found: list[Caution] = []
        for source in sources:
            kinds: dict[str, list[str]] = {}
            for kind, text in self._warnings(source, named, patient):
                if text not in said:
                    said.add(text)
                    kinds.setdefault(kind, []).append(text)
            found += (Caution(kind, source.number, tuple(texts)) for kind, texts in kinds.items())
        return tuple(sorted(found, key=lambda caution: KINDS.index(caution.kind)))

    def _warnings(self, source: Source, named: frozenset[str], patient: PatientSeen) -> Iterator[tuple[str, str]]:
        """The kind and the text of each statement that warns of one of the medicines and may be for the patient."""
        passage = source.hit.passage
        subject = medicines(normalise("\n".join((passage.facts.title, *passage.chunk.heading_path))))
        own = self.rule_sets.get(source.language)
        rule_sets = [own] if own is not None else list(self.rule_sets.values())
        for statement in statements(passage.chunk, source.language):
            about = subject | medicines(normalise(f"{statement.heading}\n{statement.text}"))
            kind = _kind(statement, rule_sets) if named & about else None
            if kind is not None and patient.concerns(statement, source.language):
                yield kind, statement.text


def statements(chunk: Chunk, language: str) -> Iterator[CautionStatement]:
    """The statements of a passage, each with what stands above it.

    A line that is no list item and ends without punctuation is a heading; one that ends in a colon leads in the items
    that follow it. The first row of a table names its columns; a cell is read with that name and the first of its row.
    """
    heading = chunk.heading_path[-1] if chunk.heading_path else ""
    if chunk.kind == "table":
        yield from _cells(chunk.text, heading)
        return
    lead_in = ""
    for line in filter(None, map(str.strip, chunk.text.split("\n"))):
        if line.startswith(_ITEM):
            yield from _sentences(line.removeprefix(_ITEM), language, lead_in or heading)
            continue
        lead_in = line if line.endswith(_LEADS_IN) else ""
        if not line.endswith((_LEADS_IN, *_ENDS)):
            heading = line
        elif not lead_in:
            yield from _sentences(line, language, heading)


def _sentences(line: str, language: str, heading: str) -> Iterator[CautionStatement]:
    return (CautionStatement(sentence, heading) for sentence in split(line, language))


def _cells(text: str, heading: str) -> Iterator[CautionStatement]:
    names, *rows = [[cell.strip() for cell in line.split("|")] for line in text.split("\n") if line.strip()] or [[]]
    for first, *cells in rows:
        for name, cell in zip(names[1:], cells, strict=False):
            if cell:
                yield CautionStatement(f"{names[0]} {first}, {name}: {cell}", heading)


def _kind(statement: CautionStatement, rule_sets: Iterable[RuleSet]) -> str | None:
    """The kind of a statement by its own words, else by what stands above it."""
    for rule_set in rule_sets:
        own = rule_set.find(normalise(statement.text))
        above = rule_set.find(normalise(statement.heading)) if EXCEPTION not in own else {}
        for met in (own, above):
            for kind in KINDS:
                if kind in met:
                    return kind
    return None
