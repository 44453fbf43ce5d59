"""What is found in every committed page, so that a change of kinds or signals shows what it moves.

    python -m tests.safety.findings_of_pages --write     writes findings_of_pages.json anew
    python -m tests.safety.findings_of_pages             compares all of it, and prints what is found otherwise

Either reads some ten thousand passages and lines, each as if it were the first document of a library, for minutes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

from careline.knowledge.chunk.chunk import chunk
from careline.knowledge.clean.clean import clean
from careline.knowledge.extract.read import read
from careline.model import LANGUAGES
from careline.safety.injection.document_screen import read_document_screen

ROOT = Path(__file__).parents[2]
WRITTEN = Path(__file__).with_suffix(".json")
LISTS = ("tests/safety/documents/*.txt", "tests/safety/injections/*.yaml")
"""Lists of lines, which the tests read whole."""
LINES = ("training/planted_text/*/*.tsv",)
DOCUMENTS = (
    "local/careline_local/demo/documents/*/*",
    "local/careline_local/demo/clinical/*/*",
    "training/development/hospitals/*/documents/*",
    "tests/evaluation/hospitals/*/documents/*",
)
Passage = tuple[tuple[str, ...], str]
"""Headings and text."""
Findings = dict[str, list[str]]
"""Reasons by the number of a passage in its file, without those in which nothing is found."""


def files(*patterns: str) -> list[Path]:
    """The files of these patterns, in order."""
    return sorted(file for pattern in patterns for file in ROOT.glob(pattern))


def findings(file: Path) -> Findings:
    """What is found in a file's passages."""
    language, judge = _language(file), read_document_screen().judge
    judged = (judge(text, language, headings=headings) for headings, text in _passages(file, language))
    return {str(at): [each.reason for each in found] for at, found in enumerate(judged) if found}


def _language(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").as_posix().replace("/", "_").replace("-", "_").split("_")
    return next((part for part in reversed(parts) if part in LANGUAGES), "en")


def _passages(file: Path, language: str) -> Iterator[Passage]:
    if file.suffix in (".txt", ".tsv"):
        yield from (((), line.split("\t", 1)[-1]) for line in file.read_text(encoding="utf-8").splitlines())
    elif file.suffix == ".yaml":
        yield from (((), each) for each in _strings(yaml.safe_load(file.read_text(encoding="utf-8"))))
    else:
        chunks = chunk(clean(read(file.name, file.read_bytes())), language, lambda text: len(text) // 4)
        yield from ((each.heading_path, each.text) for each in chunks)


def _strings(held: object) -> Iterator[str]:
    if isinstance(held, str):
        yield held
    elif isinstance(held, dict | list):
        for each in held.values() if isinstance(held, dict) else held:
            yield from _strings(each)


def written() -> dict[str, Findings]:
    """What was found when the file was written, by path."""
    held: dict[str, Findings] = json.loads(WRITTEN.read_text(encoding="utf-8"))
    return held


def main(arguments: list[str]) -> int:
    """Write or compare. Returns the exit code: 1 where something is found otherwise."""
    found = {file.relative_to(ROOT).as_posix(): findings(file) for file in files(*LISTS, *LINES, *DOCUMENTS)}
    if "--write" in arguments:
        lines = (f"{json.dumps(path)}: {json.dumps(each)}" for path, each in found.items())
        WRITTEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        return 0
    before = written()
    changed = [path for path in sorted({*found, *before}) if found.get(path) != before.get(path)]
    for path in changed:
        now, then = found.get(path, {}), before.get(path, {})
        for at in sorted({*now, *then}, key=int):
            if now.get(at) != then.get(at):
                sys.stdout.write(f"{path} {at}: {then.get(at, [])} -> {now.get(at, [])}\n")
    sys.stdout.write(f"{len(found)} files, {len(changed)} found otherwise\n")
    return bool(changed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
