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
from careline.safety.injection.disguise import DATA
from careline.safety.injection.document_findings import OF_ANY_LANGUAGE, OF_FRAUD, findings
from careline.safety.injection.document_signals import Reader, statements, without_quotes
from careline.safety.injection.sentence_place import says_when_to_call
from careline.safety.injection.told_about import marks_of_fraud, quotes_told_about
from careline.safety.rules.review import DOCUMENTS, CompiledRules
from careline.safety.rules.rule_sets import RuleSet, read_rule_set
from careline.sentences import split

RULE_SETS = DATA / "documents"
_LONGEST_EXCERPT = 240


@dataclass(frozen=True, slots=True)
class Finding:
    """`reason` is a kind of `document_findings.KINDS` or `hidden_text`; `excerpt` the words that show it."""

    reason: str
    excerpt: str


@dataclass(frozen=True, slots=True)
class DocumentScreen:
    """The rule sets of signals by language. Every rule set is read, whatever the document's language."""

    rule_sets: Mapping[str, RuleSet]

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
        lines = _lines(text, language, headings)
        told = quotes_told_about(lines, reader)
        shown = marks_of_fraud(lines, reader)
        foreign = [told_apart(line) for line in lines]
        found: dict[str, str] = {}
        said = [without_quotes(line) if quoted else line for line, quoted in zip(lines, told, strict=True)]
        for reading in _readings(said, reader):
            for spoken in self.rule_sets:
                sentences = [reader.read(line, spoken) for line in reading]
                for kind, at in findings(sentences, known or Known(), undisguised=reading is not said):
                    if kind in OF_FRAUD and shown[at]:
                        continue
                    if kind in OF_ANY_LANGUAGE or foreign[at] in (None, spoken):
                        found.setdefault(kind, lines[at][:_LONGEST_EXCERPT])
        return tuple(Finding(kind, excerpt) for kind, excerpt in found.items())

    def says_when_to_call(self, text: str, language: str, headings: Sequence[str] = ()) -> bool:
        """Whether a passage below its headings tells when the number for help is to be called."""
        if language not in self.rule_sets:
            return False
        reader = self.reader()
        return says_when_to_call([reader.read(line, language) for line in _lines(text, language, headings)])


def _lines(text: str, language: str, headings: Sequence[str]) -> list[str]:
    written = [valid(each) for part in (*headings, text) for each in split(part, language)]
    return [each for line in written for each in statements(line)]


def _readings(lines: list[str], reader: Reader) -> list[list[str]]:
    """The sentences as they stand, and once more without disguises where there are any."""
    undone = [reader.undisguised(line) for line in lines]
    return [lines] if undone == lines else [lines, undone]


@cache
def read_document_screen() -> DocumentScreen:
    """The screen with the shipped rule sets. Raises: PackInvalid."""
    compiled_rules = CompiledRules(DOCUMENTS)
    return DocumentScreen(
        {file.stem: read_rule_set(file, compiled_rules.of(file)) for file in sorted(RULE_SETS.glob("*.yaml"))}
    )
