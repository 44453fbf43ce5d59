"""A hospital's own documents and questions, measured by the command as its staff would run it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.journeys.process import Careline
from tests.local.bench.hospital_builders import PARKING, a_folder, asked

CLOSES = {"facts": [r"\b4[.,]50\b"], "documents": ["parking.md"]}
QUESTIONS = [
    asked(ask="what does a day of parking in the north car park cost"),
    asked(
        id="en-02",
        kind="follow_up",
        before=["where do visitors leave the car"],
        ask="what does parking cost a day",
        **CLOSES,
    ),
    asked(id="en-03", kind="unanswerable", expect="decline", ask="who feeds the swans in the castle moat"),
    asked(id="en-04", kind="refused", expect="refuse", ask="how much paracetamol may I take"),
]
WRONG_PRICE = [asked(ask="what does a day of parking in the north car park cost", facts=["3.20"], wrong=["4[.,]50"])]


@pytest.fixture
def careline(tmp_path: Path) -> Careline:
    return Careline(tmp_path / "home")


def shares(rows: list[dict[str, Any]], name: str) -> dict[str, tuple[int, int]]:
    (row,) = (one for one in rows if one["name"] == name)
    return {share["name"]: (share["right"], share["of"]) for share in row["shares"]}


def test_a_folder_of_ones_own_is_ingested_asked_and_judged(careline: Careline, tmp_path: Path) -> None:
    folder = a_folder(tmp_path / "north", QUESTIONS)
    (measured,) = careline.json("bench", "answers", "--on", str(folder))["hospitals"]
    assert (measured["part"], measured["model"], measured["hospitals"]) == ("own", "extractive", ["north"])
    found = shares(measured["by_language"], "all")
    assert found["fact said"] == found["right document first"] == (3, 3)
    assert found["wrong figure said"] == (0, 3)
    assert (found["unanswerable admitted"], found["refused as it should be"]) == ((1, 1), (1, 1))
    kinds = [row["name"] for row in measured["by_kind"]]
    assert {"follow_up, in a conversation", "follow_up, with history"} < set(kinds)
    assert not careline.home.exists()


def test_a_wrong_figure_ends_the_command_with_one_and_is_listed_when_asked_for(
    careline: Careline, tmp_path: Path
) -> None:
    folder = a_folder(tmp_path / "north", WRONG_PRICE)
    done = careline.run("bench", "answers", "--on", str(folder), "--show", "wrong")
    assert done.returncode == 1, done.stderr
    assert "en-01 · direct · wrong figure said" in done.stdout
    assert "4.50 euro a day" in done.stdout
    assert "ingesting" in done.stderr or "indexing" in done.stderr
    values = careline.json("bench", "values", "--on", str(folder), code=1)["hospitals"][0]["figures_said"][0]
    assert (values["said"], values["of_others"], values["ungrounded"], values["wrong"]) == (1, 1, 0, 1)


def test_a_model_that_copies_stands_beside_what_is_quoted(careline: Careline, tmp_path: Path) -> None:
    folder = a_folder(tmp_path / "north", QUESTIONS[:1])
    quoted, copied = careline.json("bench", "answers", "--on", str(folder), "--with-model")["hospitals"]
    assert (quoted["model"], copied["model"]) == ("extractive", "copying-model")
    assert shares(copied["by_kind"], "all")["fact said"] == (1, 1)


def test_a_document_that_cannot_be_read_is_told_and_the_others_are_asked(careline: Careline, tmp_path: Path) -> None:
    folder = a_folder(tmp_path / "north", QUESTIONS[:1], parking=PARKING, empty="")
    done = careline.run("bench", "answers", "--on", str(folder))
    assert done.returncode == 0
    assert "north: 1 documents were refused" in done.stderr
    assert "empty.md" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("answers", "--on", "nowhere"), "nowhere needs a folder documents/ and a file questions.yaml"),
        (("turn", "--on", "."), "--on, --with-model and --show go with `answers` and `values`"),
        (("search", "--show", "wrong"), "--on, --with-model and --show go with"),
    ],
)
def test_what_cannot_be_measured_is_said(careline: Careline, arguments: tuple[str, ...], complaint: str) -> None:
    done = careline.run("bench", *arguments)
    assert done.returncode in {1, 2}
    assert complaint in " ".join(done.stderr.split())
