"""What is learned from is never what is tested with, and neither reads the other's files."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from careline.safety.rules.plain_text import normalise

ROOT = Path(__file__).parents[2]
TRAINING, TESTS = ROOT / "training", ROOT / "tests"
LINES_OF_TESTS = [TESTS / "safety" / name for name in ("utterances", "injections", "answers", "documents")]
SHORTEST = 4
"""Words of a text in the code of a test from which it counts as a line that somebody says."""
HOSPITALS = {
    "open": TRAINING / "development" / "hospitals", "unread": TESTS / "evaluation" / "hospitals",
}  # fmt: skip
READER_PAGES = TRAINING / "reader_pages"
ASKED_BY_OTHERS = 1
"""Questions of a hospital, of some 170, that a writer of other lines happened to put in the same words."""
UNWRITTEN = {"__pycache__", "artefacts"}
"""Folders that running tests fill: bytecode, and pictures of what failed."""
NOT_SAID = {"documents", "expects", "facts", "id", "kind", "part", "says", "trick", "wrong"}
"""Keys of questions whose values are no lines."""


def strings(held: Any) -> Iterator[str]:
    """Every text of what a file of data holds."""
    if isinstance(held, str):
        yield held
    elif isinstance(held, dict):
        for key, value in held.items():
            yield from strings(value) if key not in NOT_SAID else ()
    elif isinstance(held, list):
        for value in held:
            yield from strings(value)


def lines(file: Path) -> Iterator[str]:
    """The lines of a file, whatever its form; none of a picture or a document."""
    if file.suffix not in {".tsv", ".jsonl", ".yaml", ".py", ".txt", ".md"}:
        return
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".tsv":
        yield from (line.rpartition("\t")[2] for line in text.splitlines())
    elif file.suffix == ".jsonl":
        yield from (json.loads(line)["text"] for line in text.splitlines())
    elif file.suffix == ".yaml":
        yield from strings(yaml.load(text, Loader=yaml.CSafeLoader))
    elif file.suffix == ".py":
        constants = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
        yield from (value for value in constants if isinstance(value, str))
    else:
        yield from text.splitlines()


def plain(line: str) -> str:
    return normalise(line).strip()


@cache
def learned_from() -> frozenset[str]:
    """Every line that the screens may learn from, normalised. The reader learns from pages of its own."""
    files = (path for path in TRAINING.rglob("*") if path.suffix in {".tsv", ".jsonl", ".yaml"})
    apart = (file for file in files if not {READER_PAGES, HOSPITALS["open"]} & {*file.parents})
    return frozenset(plain(line) for file in apart for line in lines(file)) - {""}


@cache
def learned_by_the_reader() -> frozenset[str]:
    """Every text of the pages that the reader learns from, normalised."""
    return frozenset(plain(line) for file in READER_PAGES.rglob("*.yaml") for line in lines(file)) - {""}


def written_for(folder: Path) -> Iterator[tuple[Path, str]]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and not UNWRITTEN & set(path.parts))
    yield from ((file, line) for file in files for line in lines(file))


def test_training_holds_lines_to_compare_with() -> None:
    assert len(learned_from()) > 100_000


@pytest.mark.parametrize("folder", LINES_OF_TESTS, ids=lambda folder: folder.name)
def test_no_line_that_the_screens_are_tested_with_was_learned_from(folder: Path) -> None:
    found = list(written_for(folder))
    assert found
    assert [line for _, line in found if plain(line) in learned_from()] == []


def test_no_sentence_in_a_test_was_learned_from() -> None:
    """The held-out sets have a stricter test, by what each model learned: `test_train_screens`."""
    said = [(file, line) for file, line in written_for(TESTS) if not file.is_relative_to(TESTS / "evaluation")]
    taught = [
        (file.relative_to(TESTS).as_posix(), line)
        for file, line in said
        if len(plain(line).split()) >= SHORTEST and any(map(str.isalpha, line)) and plain(line) in learned_from()
    ]
    assert taught == []


def questions(file: Path) -> set[str]:
    """What is asked in a file of questions, as far as it is long enough not to be asked by everybody."""
    said = {plain(line) for line in lines(file)}
    return {line for line in said if len(line.split()) >= SHORTEST}


@pytest.mark.parametrize("part", HOSPITALS)
def test_a_question_of_a_hospital_is_learned_from_only_where_somebody_else_asks_the_same(part: str) -> None:
    """Counted and not listed: of the unread ones nobody sees a question."""
    files = sorted(HOSPITALS[part].glob("*/questions.yaml"))
    assert len(files) == 2
    for taught in (learned_from(), learned_by_the_reader()):
        assert max(len(questions(file) & taught) for file in files) <= ASKED_BY_OTHERS


def test_open_and_unread_hospitals_have_no_question_in_common() -> None:
    asked = [questions(file) for folder in HOSPITALS.values() for file in folder.glob("*/questions.yaml")]
    assert len(frozenset().union(*asked)) == sum(map(len, asked))


def test_no_line_of_a_hospitals_documents_is_on_a_page_that_the_reader_learns_from() -> None:
    written = {file.name: questions(file) for folder in HOSPITALS.values() for file in folder.rglob("documents/*.md")}
    assert len(learned_by_the_reader()) > 5_000
    assert len(written) > 4
    assert [name for name, said in written.items() if said & learned_by_the_reader()] == []


def test_only_the_program_that_counts_names_the_hospitals() -> None:
    programs = sorted(file.name for file in TRAINING.rglob("*.py") if "hospitals" in set(lines(file)))
    assert programs == ["count_lines.py"]


def test_training_names_no_file_of_tests() -> None:
    named = [
        file.name
        for file in TRAINING.rglob("*.py")
        if "tests" in {part for line in lines(file) for part in line.split("/")} or "import tests" in file.read_text()
    ]
    assert named == []


def test_nothing_that_is_installed_or_deployed_imports_training() -> None:
    roots = [ROOT / "layers", ROOT / "local", ROOT / "functions", ROOT / "infra"]
    importing = []
    for file in (path for root in roots for path in root.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            importing += [file.name for name in names if name.split(".")[0] in {"training", "tests"}]
    assert importing == []
