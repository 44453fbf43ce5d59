"""Reads the pages that the reader learns from, cut into the same windows as the pages of a hospital."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from careline.model import Chunk, Table, TableRow
from careline.passages.quotable import Quotable
from careline.passages.windows import PassageWindow, cells_of, in_context, windows_of

FOLDER = Path(__file__).parents[1] / "reader_pages"


@dataclass(frozen=True)
class Piece:
    """What the reader reads beside a question: `context` is what it stands under. `page` is the number of its page."""

    context: str
    text: str
    page: int

    def holds(self, answer: str) -> bool:
        return _plain(answer) in _plain(self.text)


@dataclass(frozen=True)
class Question:
    """A question in four languages; `answer` is a piece of its page word by word, None when the page has none."""

    ask: dict[str, str]
    answer: str | None
    row: tuple[str, ...]


@dataclass
class TrainingPage:
    """A page with its windows, its small pieces (sentences, cells) and its questions."""

    number: int
    language: str
    title: str
    hospital: str
    family: str
    windows: list[Piece] = field(default_factory=list)
    parts: list[Piece] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


def read_pages(folder: Path = FOLDER) -> list[TrainingPage]:
    """Every page of the folder, in the order of the files' names."""
    texts = [path.read_text("utf-8") for path in sorted(folder.rglob("*.yaml"))]
    contents = [one for text in texts for one in yaml.load(text, Loader=yaml.CSafeLoader)]
    return [_page(number, content) for number, content in enumerate(contents)]


def _page(number: int, content: dict[str, Any]) -> TrainingPage:
    own = f"{content.get('hospital', '')}/{content['id']}"
    page = TrainingPage(
        number,
        content["language"],
        content["title"],
        str(content.get("hospital", "")),
        str(content.get("family") or own),
    )
    for section in content["sections"]:
        for chunk in _chunks(section, page.title):
            for window in windows_of(chunk, page.language):
                context = in_context(page.title, window.heading)
                page.windows.append(Piece(context, window.text, number))
                page.parts += [Piece(context, text, number) for text in _parts(chunk, window)]
    page.questions = [
        Question(one["ask"], one["answer"], tuple(map(str, one.get("row") or ()))) for one in content["questions"]
    ]
    return page


def _chunks(section: dict[str, Any], title: str) -> Iterator[Chunk]:
    path = tuple(dict.fromkeys((title, str(section.get("heading") or title))))
    if text := section.get("text"):
        yield Chunk(0, str(text), "text", path, 1, 1, 0)
    if drawn := section.get("table"):
        first, *columns = [str(one) for one in drawn["columns"]]
        rows = tuple(TableRow((str(row[0]),), tuple(map(str, row[1:]))) for row in drawn["rows"])
        notes = (("*", str(drawn["note"])),) if drawn.get("note") else ()
        yield Chunk(0, "", "table", path, 1, 1, 0, Table("", (first,), tuple((one,) for one in columns), rows, notes))


def _parts(chunk: Chunk, window: PassageWindow) -> Sequence[str]:
    if chunk.table is not None and window.row is not None:
        return [said for _, said in cells_of(chunk.table, window.row)]
    return [_said(one) for one in window.quotables]


def _said(one: Quotable) -> str:
    return " ".join(part for part in (one.lead, *one.items) if part)


def is_answer(piece: Piece, question: Question) -> bool:
    """Whether a piece of the question's own page holds its answer, in the right row where there is one."""
    if question.answer is None or not piece.holds(question.answer):
        return False
    return not question.row or _plain(question.row[0]) in _plain(piece.text)


def is_cell(piece: Piece, question: Question) -> bool:
    """Whether a small piece holds the answer under the right labels of row and column."""
    return is_answer(piece, question) and all(_plain(label) in _plain(piece.text) for label in question.row)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".")
