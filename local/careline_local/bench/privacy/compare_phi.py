"""Measures another detector of personal data beside ours, on the same lines and by the same three measures.

`python -m careline_local.bench.privacy.compare_phi COMMAND ...`; what the command reads and answers is in
`other_detector`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from careline.model import LANGUAGES, Span, SpanType
from careline.privacy.detect import Detector
from careline_local.bench.privacy.other_detector import AnsweredSpan, answered
from careline_local.bench.privacy.phi_measures import PhiSpan, SpanCounts, compare, hit
from careline_local.bench.safety import lines, wanted_spans

FOLDED = {SpanType.DATE_OF_BIRTH: SpanType.DATE}
"""Few detectors tell a date of birth from another date."""
HEAD = (
    "| | found, overlap | right of what was found | found, exact | characters leaked | masked needlessly |",
    "|---|---|---|---|---|---|",
)


@dataclass(frozen=True, slots=True)
class Compared:
    """A line of the set with what each found; kinds are folded."""

    language: str
    text: str
    wanted: list[PhiSpan]
    ours: list[PhiSpan]
    theirs: list[PhiSpan]


def main(argv: Sequence[str] | None = None) -> None:
    """Print Markdown tables: all of a language, then each kind in all languages."""
    parser = argparse.ArgumentParser(prog="compare_phi", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--part", choices=("held_out", "open"), default="held_out")
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, help="what reads lines and answers spans, with its arguments"
    )
    given = parser.parse_args(argv)
    if not given.command:
        parser.error("name the command to compare with")
    marked = [(each, line) for each in LANGUAGES for line in lines(each, "phi", given.part)]
    detector = Detector()
    compared = [
        Compared(language, line["text"], fold(wanted_spans(line)), fold(_spans(ours)), fold(_spans(theirs)))
        for (language, line), ours, theirs in zip(
            marked,
            (detector.find(line["text"], language) for language, line in marked),
            answered([(language, line["text"]) for language, line in marked], given.command),
            strict=True,
        )
    ]
    sys.stdout.writelines(f"{row}\n" for row in tables(compared))


def fold(spans: Iterable[PhiSpan]) -> list[PhiSpan]:
    """Spans with kinds as they are compared."""
    return [(start, end, FOLDED.get(kind, kind)) for start, end, kind in spans]


def _spans(found: Iterable[Span | AnsweredSpan]) -> Iterator[PhiSpan]:
    return ((span.start, span.end, span.type) for span in found)


def tables(compared: Sequence[Compared]) -> Iterator[str]:
    """Rows of Markdown, then how many of the spans that ours miss the command finds."""
    yield from HEAD
    for language in LANGUAGES:
        yield from _rows(language, [one for one in compared if one.language == language])
    yield from ("", *HEAD)
    yield from _rows("lines with capitals", [one for one in compared if one.text != one.text.lower()])
    yield from _rows("lines without", [one for one in compared if one.text == one.text.lower()])
    yield from ("", *HEAD)
    for kind in SpanType:
        if kind not in FOLDED:
            yield from _rows(kind, compared, kind)
    missed = [(span, one) for one in compared for span in one.wanted if not hit(span, one.ours)]
    yield f"\nOf {len(missed)} spans that ours miss, theirs find {sum(hit(span, one.theirs) for span, one in missed)}."


def _rows(name: str, compared: Sequence[Compared], kind: SpanType | None = None) -> Iterator[str]:
    yield _row(f"{name} ours", sum((counted(one, one.ours, kind) for one in compared), SpanCounts()))
    yield _row(f"{name} theirs", sum((counted(one, one.theirs, kind) for one in compared), SpanCounts()))


def counted(line: Compared, found: Sequence[PhiSpan], kind: SpanType | None) -> SpanCounts:
    """The counts of one line, of one kind or of all; leaked and needless characters go by spans of any kind."""
    if kind is None:
        return compare(line.text, line.wanted, found)
    wanted, of_kind = ([span for span in spans if span[2] is kind] for spans in (line.wanted, found))
    needless = compare(line.text, line.wanted, of_kind).needless
    return replace(
        compare(line.text, wanted, of_kind), leaked=compare(line.text, wanted, found).leaked, needless=needless
    )


def _row(name: str, counts: SpanCounts) -> str:
    shares = (
        (counts.overlapped, counts.wanted),
        (counts.overlapping, counts.found),
        (counts.exact, counts.wanted),
        (counts.leaked, counts.characters),
        (counts.needless, counts.masked),
    )
    return f"| {name} | {' | '.join(f'{some / of:.3f} ({some}/{of})' if of else '-' for some, of in shares)} |"


if __name__ == "__main__":
    main()
