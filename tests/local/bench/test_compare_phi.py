"""Another detector beside ours: what it is asked, what it may answer, and what the tables say of both."""

from __future__ import annotations

import sys

import pytest

from careline.model import SpanType
from careline_local.bench.privacy.compare_phi import Compared, fold, tables
from careline_local.bench.privacy.other_detector import answered

ASKED = [("en", "Ask Ada."), ("nl", "Vraag Jan.")]
ECHO = """
import json, sys
for line in map(json.loads, sys.stdin):
    at = len(line["text"]) - 4
    print(json.dumps({"id": line["id"], "spans": [{"start": at, "end": at + 3, "type": "PERSON", "score": 1.0}]}))
"""


def command(code: str) -> list[str]:
    return [sys.executable, "-S", "-c", code]


def says(line: str) -> list[str]:
    return command(f"import sys; sys.stdin.read(); print({line!r})")


def test_a_command_is_asked_every_line_and_its_spans_come_back_by_line() -> None:
    spans = answered(ASKED, command(ECHO))
    assert [[text[s.start : s.end] for s in each] for (_, text), each in zip(ASKED, spans, strict=True)] == [
        ["Ada"],
        ["Jan"],
    ]


def test_a_line_without_an_answer_has_no_spans() -> None:
    spans = answered(ASKED, says('{"id": 1, "spans": [{"start": 6, "end": 9, "type": "PERSON"}]}'))
    assert [len(each) for each in spans] == [0, 1]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("no JSON", "answer 1 is not a line of JSON"),
        ('{"id": 0, "spans": [{"start": 0, "end": 3, "type": "DOG"}]}', "answer 1 is not a line of JSON"),
        ('{"id": 2, "spans": []}', "not asked about"),
        ('{"id": 0, "spans": [{"start": 4, "end": 99, "type": "PERSON"}]}', "not asked about"),
        ('{"id": 0, "spans": [{"start": 4, "end": 4, "type": "PERSON"}]}', "not asked about"),
    ],
)
def test_an_answer_that_is_none_is_refused_with_its_number(line: str, why: str) -> None:
    with pytest.raises(SystemExit, match=why):
        answered(ASKED, says(line))


def test_a_command_that_fails_is_no_detector_that_found_nothing() -> None:
    with pytest.raises(SystemExit, match="ended with 3"):
        answered(ASKED, command("import sys; sys.stdin.read(); sys.exit(3)"))
    with pytest.raises(SystemExit, match="cannot be started"):
        answered(ASKED, ["/nowhere/detector"])


def test_the_tables_name_both_and_count_what_the_other_finds_of_what_ours_miss() -> None:
    name = [(4, 7, SpanType.PERSON)]
    rows = list(tables([Compared("en", "Ask Ada.", name, [], name)]))
    assert "| en ours | 0.000 (0/1) | - | 0.000 (0/1) | 1.000 (3/3) | - |" in rows
    assert "| en theirs | 1.000 (1/1) | 1.000 (1/1) | 1.000 (1/1) | 0.000 (0/3) | 0.000 (0/3) |" in rows
    assert rows[-1] == "\nOf 1 spans that ours miss, theirs find 1."


def test_a_mask_of_another_kind_neither_finds_nor_leaks() -> None:
    wanted, found = [(4, 7, SpanType.PERSON)], [(4, 7, SpanType.ADDRESS)]
    rows = list(tables([Compared("en", "Ask Ada.", wanted, found, [])]))
    assert "| PERSON ours | 0.000 (0/1) | - | 0.000 (0/1) | 0.000 (0/3) | - |" in rows
    assert "| ADDRESS ours | - | 0.000 (0/1) | - | - | 0.000 (0/3) |" in rows


def test_a_date_of_birth_is_compared_as_a_date() -> None:
    assert fold([(0, 1, SpanType.DATE_OF_BIRTH), (2, 3, SpanType.PHONE)]) == [
        (0, 1, SpanType.DATE),
        (2, 3, SpanType.PHONE),
    ]
