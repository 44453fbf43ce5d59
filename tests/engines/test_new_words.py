"""A short follow-up that names something new is not told the row of before."""

from __future__ import annotations

import pytest

from careline.engines.embedded.evidence_quotes import evidence_quotes
from careline.model import ReadWindow, Table, TableRow
from careline.ports import PromptInput
from tests.engines.test_evidence_quotes import a_source

HOURS = Table(
    "",
    ("Afdeling",),
    (("Bezoekuren",),),
    (
        TableRow(("Chirurgie",), ("14.00 - 19.00 uur",)),
        TableRow(("Geriatrie",), ("11.00 - 18.30 uur",)),
        TableRow(("Materniteit",), ("15.00 - 20.00 uur",)),
    ),
)


def told(question: str, asked: str) -> list[str]:
    source = a_source("", ReadWindow(0, 6.0), ReadWindow(1, 2.0), table=HOURS, heading_path=("Bezoekuren",))
    prompt_input = PromptInput(question, asked, None, "nl", "", (source,))
    return [one.text(False) for quote in evidence_quotes(prompt_input, 3, 700) for one in quote.quotables]


@pytest.mark.parametrize(
    ("question", "asked", "is_told"),
    [
        ("en op het brandwondencentrum?", "bezoekuren chirurgie, op het brandwondencentrum?", False),
        ("en op geriatrie?", "bezoekuren op geriatrie?", True),
        ("en wanneer precies?", "bezoekuren chirurgie, wanneer precies?", True),
        ("bezoekuren chirurgie", "bezoekuren chirurgie", True),
    ],
)
def test_a_row_is_told_only_where_it_or_its_table_has_what_is_new(question: str, asked: str, is_told: bool) -> None:
    assert bool(told(question, asked)) is is_told
