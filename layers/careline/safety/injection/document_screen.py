"""Says whether a passage of a document may be told to callers, or is poison somebody put there.

Documents are data: what a page says is quoted to callers with the hospital's name behind it, so a page that discourages
calls for help, asks for secrets or instructs the assistant is held back until a person has looked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from careline.languages import told_apart
from careline.safety.injection.attempts import valid
from careline.safety.injection.contacts import Known
from careline.safety.injection.disguise import DATA, read_disguises
from careline.safety.injection.document_findings import OF_ANY_LANGUAGE, OF_FRAUD, findings
from careline.safety.injection.document_signals import read, statements, without_quotes
from careline.safety.rules.review import CompiledRules
from careline.safety.rules.rule_sets import RuleSet, read_rule_set
from careline.sentences import split

RULE_SETS = DATA / "documents"
_LONGEST_EXCERPT = 240
_LONGEST_DISGUISED = 600
"""Characters of a sentence that is read once more without its disguises."""
_ABOUT = frozenset({"ABOUT", "REPORTS"})
_ITEMS = ("- ", "* ", "• ")
_EVERYDAY = frozenset({"parted-words", "other-script"})
"""Tricks that hyphens and foreign words look like."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`reason` is a kind of `document_findings.KINDS` or `hidden_text`; `excerpt` the words that show it."""

    reason: str
    excerpt: str


@dataclass(frozen=True, slots=True)
class DocumentScreen:
    """The rule sets of signals by language. Every rule set is read, whatever the document's language."""

    rule_sets: Mapping[str, RuleSet]

    def judge(
        self, text: str, language: str, known: Known | None = None, headings: Sequence[str] = ()
    ) -> tuple[Finding, ...]:
        """What is wrong with a passage below its headings; empty when it may be told. Time is linear in the text."""
        written = [valid(each) for part in (*headings, text) for each in split(part, language)]
        lines = [each for line in written for each in statements(line)]
        told = self._told_about(lines)
        shown = self._marks_of_fraud(lines)
        foreign = [told_apart(line) for line in lines]
        found: dict[str, str] = {}
        said = [without_quotes(line) if quoted else line for line, quoted in zip(lines, told, strict=True)]
        for reading in self._readings(said):
            for spoken, rule_set in self.rule_sets.items():
                sentences = [read(line, rule_set) for line in reading]
                for kind, at in findings(sentences, known or Known(), undisguised=reading is not said):
                    if kind in OF_FRAUD and shown[at]:
                        continue
                    if kind in OF_ANY_LANGUAGE or foreign[at] in (None, spoken):
                        found.setdefault(kind, lines[at][:_LONGEST_EXCERPT])
        return tuple(Finding(kind, excerpt) for kind, excerpt in found.items())

    def _readings(self, lines: list[str]) -> list[list[str]]:
        """The sentences as they stand, and once more without disguises where there are any."""
        undone = [_undisguised(line) for line in lines]
        return [lines] if undone == lines else [lines, undone]

    def _told_about(self, lines: Sequence[str]) -> list[bool]:
        """Whether what a line quotes is told about: it, or the line before, is about fraud in any language."""
        about = [
            any(not _ABOUT.isdisjoint(read(line, rule_set).whole) for rule_set in self.rule_sets.values())
            for line in lines
        ]
        return [here or before for here, before in zip(about, [False, *about], strict=False)]

    def _marks_of_fraud(self, lines: Sequence[str]) -> list[bool]:
        """Whether a line is in a list of what false messages look like, on a page about fraud."""
        marks: list[bool] = []
        warned = listed = False
        for line in lines:
            item = line.lstrip().startswith(_ITEMS)
            marks.append(item and warned and listed)
            if item:
                continue
            signals = frozenset[str]().union(*(read(line, rule_set).whole for rule_set in self.rule_sets.values()))
            warned = warned or not _ABOUT.isdisjoint(signals)
            listed = "RECOGNISES" in signals
        return marks


def _undisguised(line: str) -> str:
    """The line as its reader takes it, where letters are hidden behind others; else as it came."""
    if len(line) > _LONGEST_DISGUISED:
        return line
    for reading in read_disguises().readings(line):
        if reading.trick not in _EVERYDAY:
            return reading.text
    return line


@cache
def read_document_screen() -> DocumentScreen:
    """The screen with the shipped rule sets. Raises: PackInvalid."""
    compiled_rules = CompiledRules()
    return DocumentScreen(
        {file.stem: read_rule_set(file, compiled_rules.of(file)) for file in sorted(RULE_SETS.glob("*.yaml"))}
    )
