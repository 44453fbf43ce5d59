"""The page about stages names every one of them, in the order in which they run."""

from __future__ import annotations

import re
from pathlib import Path

from careline.turn.pipeline import STAGES

PAGE = Path(__file__).parents[2] / "docs" / "stages.md"


def test_the_page_lists_the_stages_of_a_turn_in_order() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("## Of the ingestion")[0]
    named = re.findall(r"^\| `(\w+)`", table, re.MULTILINE)
    assert named == ["admit", *(stage.__name__ for stage in STAGES)]
