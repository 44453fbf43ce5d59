"""A damaged index, from where a user stands: told with what helps, and mended by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.conftest import DOCUMENTS, RECORDS
from tests.journeys.process import Careline


def flip(file: Path, start: int, length: int) -> None:
    content = bytearray(file.read_bytes())
    for place in range(start, min(len(content), start + length)):
        content[place] ^= 0x5A
    file.write_bytes(content)


@pytest.mark.parametrize(("start", "length"), [(0, 16), (100, 4000), (4096, 200_000)])
def test_a_damaged_index_names_the_command_that_mends_it(careline: Careline, start: int, length: int) -> None:
    flip(careline.home / "index" / "passages.sqlite", start, length)
    searched = careline.run("search", "parkeren")
    assert (searched.returncode, "careline reindex" in searched.stderr) == (3, True)
    asked = careline.run("ask", "hoeveel kost parkeren per uur")
    assert "careline reindex" in asked.stderr
    assert "Traceback" not in asked.stderr
    assert careline.json("reindex") == {"documents": len(DOCUMENTS) + len(RECORDS)}
    assert "2,50 euro" in careline.json("ask", "hoeveel kost parkeren per uur")["text"]


def test_an_index_that_is_gone_comes_back(careline: Careline) -> None:
    for file in (careline.home / "index").glob("passages.sqlite*"):
        file.unlink()
    assert careline.json("reindex") == {"documents": len(DOCUMENTS) + len(RECORDS)}
    assert "2,50 euro" in careline.json("ask", "hoeveel kost parkeren per uur")["text"]
