"""Says whether a passage of a document may be told to callers, or is poison somebody put there.

Documents are data: what a page says is quoted to callers with the hospital's name behind it, so a page that discourages
calls for help, asks for secrets or instructs the assistant is held back until a person has looked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from careline.safety.injection.conditions import Passage
from careline.safety.injection.contacts import Known
from careline.safety.injection.disguise import DATA
from careline.safety.injection.document_signals import (
    Reader,
    marks_of_fraud,
    quotes_told_about,
    without_quotes,
)
from careline.safety.injection.kinds import SETTLED, SETTLED_IN_A_LIST, WHEN_TO_CALL, Kinds, read_kinds
from careline.safety.injection.placed_statements import PlacedStatement, Span, placed_statements
from careline.safety.rules.review import DOCUMENTS, CompiledRules
from careline.safety.rules.rule_sets import RuleSet, read_rule_set
from careline.text.languages import told_apart

RULE_SETS = DATA / "documents"
LONGEST_EXCERPT = 240
"""Characters of the words that show a finding."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`reason` is a kind of `kinds.yaml` or `hidden_text`; `excerpt` the words that show it, of which there may be more
    elsewhere.

    `marks` is where the words stand in the passage's text; `beside` says that some stand in its headings or in what the
    document says of itself, or that it is the passage as a whole that is held against.
    """

    reason: str
    excerpt: str
    marks: tuple[Span, ...] = ()
    beside: bool = False


@dataclass(frozen=True, slots=True)
class DocumentScreen:
    """The rule sets of signals by language, all of which are read whatever the document's language, and the kinds of
    planted text that signals make."""

    rule_sets: Mapping[str, RuleSet]
    kinds: Kinds

    def reader(self) -> Reader:
        """What reads for several judgements that share sentences, each of them once."""
        return Reader(self.rule_sets)

    def judge(
        self,
        text: str,
        language: str,
        known: Known | None = None,
        headings: Sequence[str] = (),
        reader: Reader | None = None,
    ) -> tuple[Finding, ...]:
        """What is wrong with a passage below its headings; empty when it may be told. Time is linear in the text."""
        reader = self.reader() if reader is None else reader
        placed = placed_statements(text, language, headings)
        lines = [one.text for one in placed]
        told = quotes_told_about(lines, reader)
        shown = marks_of_fraud(lines, reader)
        foreign = [told_apart(line) for line in lines]
        found: dict[str, dict[int, None]] = {}
        said = [without_quotes(line) if quoted else line for line, quoted in zip(lines, told, strict=True)]
        for reading in _readings(said, reader):
            seen: dict[object, bool] = {}
            for spoken in self.rule_sets:
                sentences = [reader.read(line, spoken) for line in reading]
                passage = Passage(sentences, known or Known(), seen=seen)
                for kind, at in self.kinds.findings(passage, undisguised=reading is not said):
                    if kind.written.mark_of_fraud and shown[at]:
                        continue
                    if kind.written.in_any_language or foreign[at] in (None, spoken):
                        found.setdefault(kind.reason, {})[at] = None
        return tuple(found_at(kind, [placed[at] for at in places]) for kind, places in found.items())

    def says_when_to_call(self, text: str, language: str, headings: Sequence[str] = ()) -> bool:
        """Whether a passage below its headings tells when the number for help is to be called."""
        if language not in self.rule_sets:
            return False
        reader = self.reader()
        passage = Passage([reader.read(line, language) for line in _lines(text, language, headings)], Known())
        return any(self.kinds.holds(WHEN_TO_CALL, place) for place in passage.places)

    def settled(self, lines: Sequence[str], language: str) -> list[bool]:
        """Whether a line is of a sort that models take for planted and that is known to be none."""
        if language not in self.rule_sets:
            return [False] * len(lines)
        reader = self.reader()
        marks = marks_of_fraud(lines, reader)
        return [self._settled(line, language, reader, mark=mark) for line, mark in zip(lines, marks, strict=True)]

    def failing_lines(self) -> Iterator[str]:
        """One sentence for each example line of a kind that is not judged as the file says."""
        for reason, kind in self.kinds.kinds.items():
            for field, by_language in (("holds", kind.written.holds), ("passes", kind.written.passes)):
                for language, line in ((each, line) for each, lines in by_language.items() for line in lines):
                    held = any(each.reason == reason for each in self.judge(line, language))
                    if held is not (field == "holds"):
                        what = "is" if held else "is not"
                        yield f"kinds/{reason}/{field}/{language}: {what} held back: {line!r}"

    def _settled(self, line: str, language: str, reader: Reader, *, mark: bool) -> bool:
        alone = Passage([reader.read(line, language)], Known(), anywhere=reader.anywhere(line))
        return self.kinds.holds(SETTLED_IN_A_LIST if mark else SETTLED, alone.places[0])


def found_at(reason: str, places: Sequence[PlacedStatement]) -> Finding:
    """What is found at these statements, of which the first is shown."""
    marks = dict.fromkeys(one.span for one in places if one.span is not None)
    beside = any(one.span is None for one in places)
    return Finding(reason, places[0].text[:LONGEST_EXCERPT], tuple(sorted(marks)), beside)


def _lines(text: str, language: str, headings: Sequence[str]) -> list[str]:
    return [one.text for one in placed_statements(text, language, headings)]


def _readings(lines: list[str], reader: Reader) -> list[list[str]]:
    """The sentences as they stand, and once more without disguises where there are any."""
    undone = [reader.undisguised(line) for line in lines]
    return [lines] if undone == lines else [lines, undone]


@cache
def read_document_screen() -> DocumentScreen:
    """The screen with the shipped rule sets and kinds. Raises: PackInvalid."""
    compiled_rules = CompiledRules(DOCUMENTS)
    rule_sets = {file.stem: read_rule_set(file, compiled_rules.of(file)) for file in sorted(RULE_SETS.glob("*.yaml"))}
    signals = frozenset[str]().union(*(each.groups for each in rule_sets.values()))
    return DocumentScreen(rule_sets, read_kinds(signals))
