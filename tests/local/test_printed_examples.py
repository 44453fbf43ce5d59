"""Examples that are shown can be typed as they stand into any shell, zsh too, which expands ? * [ ] and !."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PRINTED = sorted(
    [*(ROOT / "local" / "careline_local").rglob("*.py"), *(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
)
EXAMPLE = re.compile(
    r"`(careline [^`\n]+)`|^ {4}(careline .+?)(?: {2,}#.*)?$|\[cyan\](\{careline\} [^\[]+)", re.MULTILINE
)
_EXPANDED = re.compile(r"(?<!\\)[?*\[\]!]")


def examples(path: Path) -> list[str]:
    """Commands that a file shows."""
    return [next(filter(None, found.groups())) for found in EXAMPLE.finditer(path.read_text(encoding="utf-8"))]


def expanded(command: str) -> list[str]:
    """Signs of a command that a shell would not leave as they are: outside of quotes any, `!` in double ones too."""
    outside = re.sub(r"'[^']*'|\"[^\"]*\"", "", command)
    in_double = re.findall(r"\"[^\"]*\"", re.sub(r"'[^']*'", "", command))
    return _EXPANDED.findall(outside) + [sign for part in in_double for sign in re.findall("!", part)]


@pytest.mark.parametrize("path", [one for one in PRINTED if examples(one)], ids=lambda path: path.name)
def test_what_is_shown_can_be_typed(path: Path) -> None:
    assert [command for command in examples(path) if expanded(command)] == []
    for command in examples(path):
        shlex.split(command)


def test_examples_are_found_and_signs_in_them_seen() -> None:
    assert sum(len(examples(path)) for path in PRINTED) > 20
    assert expanded("careline ask waar?") == ["?"]
    assert expanded('careline ask "waar?"') == []
    assert expanded('careline ask "help!"') == ["!"]
    assert expanded("careline ask 'help!'") == []
