"""Lines with what identifies somebody between tags, and how a detector does on them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from careline.model import Span, SpanType

LINES = Path(__file__).parent / "lines"
_TAG = re.compile(r"<(/?)([A-Z_]+)>")


@dataclass(frozen=True, slots=True)
class Line:
    """A text without its tags, and the spans that they marked."""

    text: str
    spans: tuple[Span, ...]


@dataclass(slots=True)
class Score:
    """Spans found, missed and invented; a find counts when it has the type and overlaps."""

    found: int = 0
    missed: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """Share of the marked spans that were found."""
        return self.found / max(1, self.found + len(self.missed))

    @property
    def precision(self) -> float:
        """Share of the finds that were marked."""
        return self.found / max(1, self.found + len(self.invented))

    def add(self, line: Line, found: tuple[Span, ...]) -> None:
        """Count one line."""
        for wanted in line.spans:
            if any(_same(wanted, each) for each in found):
                self.found += 1
            else:
                self.missed.append(f"{wanted.type} {line.text[wanted.start : wanted.end]!r} in {line.text!r}")
        for each in found:
            if not any(_same(wanted, each) for wanted in line.spans):
                self.invented.append(f"{each.type} {line.text[each.start : each.end]!r} {each.rule} in {line.text!r}")


def read(name: str) -> list[Line]:
    """The lines of one file, such as `nl` or `nl_1`."""
    return [parse(written) for written in yaml.safe_load((LINES / f"{name}.yaml").read_text("utf-8"))]


def parse(written: str) -> Line:
    """One line, its tags taken out."""
    text, spans, opened, done = "", [], 0, 0
    for tag in _TAG.finditer(written):
        text += written[done : tag.start()]
        done = tag.end()
        if tag[1]:
            spans.append(Span(opened, len(text), SpanType(tag[2]), "marked"))
        else:
            opened = len(text)
    return Line(text + written[done:], tuple(spans))


def _same(wanted: Span, found: Span) -> bool:
    return wanted.type is found.type and wanted.start < found.end and found.start < wanted.end
