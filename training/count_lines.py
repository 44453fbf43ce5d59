"""Counts what the sets hold, as a table: `python -m training.count_lines` prints it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import yaml

from careline.model import LANGUAGES
from training.train_screens import DEVELOPMENT, FOLDER, HERE, REFERENCE, templates, written

NAMES = HERE / "names"
READER_PAGES = HERE / "reader_pages"
PLANTED_TEXT = HERE / "planted_text"
_HEAD = "# What the sets hold\n"


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _table(what: str, rows: list[tuple[str, list[int]]]) -> Iterator[str]:
    """A table with a column for each language and their sum."""
    yield f"\n## {what}\n"
    yield _row("", *LANGUAGES, "all")
    yield _row("---", *(["---:"] * (len(LANGUAGES) + 1)))
    yield from (_row(name, *counts, sum(counts)) for name, counts in rows)


def _by_label(name: str, files: dict[str, list[Path]]) -> list[tuple[str, list[int]]]:
    counted = {each: Counter(label for file in files[each] for label, _ in written(file)) for each in LANGUAGES}
    labels = sorted({label for each in counted.values() for label in each})
    return [(f"{name}: {label}", [counted[each][label] for each in LANGUAGES]) for label in labels]


def _of_lines() -> Iterator[tuple[str, list[int]]]:
    for name in ("utterances", "answers", "injections"):
        yield from _by_label(name, {each: sorted((FOLDER / each).glob(f"{name}_*.tsv")) for each in LANGUAGES})


def _of_planted_text() -> Iterator[tuple[str, list[int]]]:
    yield from _by_label("planted_text", {each: sorted((PLANTED_TEXT / each).glob("*.tsv")) for each in LANGUAGES})


def _of_development() -> Iterator[tuple[str, list[int]]]:
    for name in ("utterances", "answers", "injections"):
        yield from _by_label(name, {each: [DEVELOPMENT / each / f"{name}.jsonl"] for each in LANGUAGES})
    personal = [len((DEVELOPMENT / each / "phi.jsonl").read_text(encoding="utf-8").splitlines()) for each in LANGUAGES]
    yield "lines with personal data marked", personal
    asked = [yaml.safe_load((DEVELOPMENT / each / "questions.yaml").read_text(encoding="utf-8")) for each in LANGUAGES]
    yield "questions to the demo hospital", [len(each["questions"]) for each in asked]
    yield from _of_hospitals()


def _of_hospitals() -> Iterator[tuple[str, list[int]]]:
    """Questions and documents of the open hospitals; the name of a document ends with its language."""
    folders = sorted(one for one in (DEVELOPMENT / "hospitals").iterdir() if one.is_dir())
    held = [yaml.safe_load((one / "questions.yaml").read_text(encoding="utf-8"))["questions"] for one in folders]
    asked = Counter(question["language"] for each in held for question in each)
    written = Counter(file.stem[-2:] for one in folders for file in (one / "documents").iterdir())
    yield "questions to the open hospitals", [asked[each] for each in LANGUAGES]
    yield "documents of the open hospitals", [written[each] for each in LANGUAGES]


def _of_reader_pages() -> Iterator[tuple[str, list[int]]]:
    files = sorted(READER_PAGES.rglob("*.yaml"))
    pages = [page for file in files for page in yaml.safe_load(file.read_text(encoding="utf-8"))]
    written = Counter(page["language"] for page in pages)
    yield "pages", [written[each] for each in LANGUAGES]
    asked = [question for page in pages for question in page["questions"]]
    for name, answered in (("questions that the page answers", True), ("questions that it does not", False)):
        chosen = [one for one in asked if (one["answer"] is not None) is answered]
        yield name, [sum(each in one["ask"] for one in chosen) for each in LANGUAGES]


def _of_reference() -> Iterator[tuple[str, list[int]]]:
    for name in ("utterances", "answers", "injections"):
        yield from _by_label(name, {each: [REFERENCE / name / f"{each}.yaml"] for each in LANGUAGES})


def _of_templates() -> Iterator[tuple[str, list[int]]]:
    held = [templates(each) for each in LANGUAGES]
    for label in sorted({label for each in held for label in each} - {"lists"}):
        yield f"templates: {label}", [len(each.get(label, ())) for each in held]
    yield "lists that fill their slots", [len(each["lists"]) for each in held]


def _of_names() -> Iterator[str]:
    yield "\n## names\n"
    yield _row("file", "entries")
    yield _row("---", "---:")
    for file in sorted(NAMES.glob("*.txt")):
        lines = file.read_text(encoding="utf-8").splitlines()
        yield _row(file.name, sum(len(line.split()) for line in lines if not line.startswith("#")))


def table() -> str:
    """All counts, in Markdown."""
    parts = [
        *_table("lines", [*_of_lines(), *_of_templates()]),
        *_table("planted_text", list(_of_planted_text())),
        *_table("development", list(_of_development())),
        *_table("reference", list(_of_reference())),
        *_table("reader_pages", list(_of_reader_pages())),
        *_of_names(),
    ]
    return _HEAD + "\n".join(parts) + "\n"


def main() -> None:
    """Print the table."""
    sys.stdout.write(table())


if __name__ == "__main__":
    main()
