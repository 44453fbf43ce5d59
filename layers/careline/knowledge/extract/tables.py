"""Writes tables the way `Block` wants them: one line a row, cells separated by ` | `."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_DIVIDER = re.compile(r"\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?|[+=-]{3,}")
_UNESCAPED_PIPE = re.compile(r"(?<!\\)\|")


def as_text(rows: Iterable[Sequence[str]]) -> str:
    """Rows as text. White space in cells becomes one space, a pipe in a cell a slash; empty rows are left out."""
    lines = ([" ".join(cell.split()).replace("|", "/") for cell in row] for row in rows)
    return "\n".join(" | ".join(line) for line in lines if any(line))


def is_pipe_row(line: str) -> bool:
    """Whether a line of plain text or Markdown is a row of a table."""
    stripped = line.strip()
    pipes = len(_UNESCAPED_PIPE.findall(stripped))
    return pipes >= 2 or (pipes == 1 and not stripped.startswith("|") and " | " in stripped) or _is_divider(stripped)


def _is_divider(line: str) -> bool:
    return "|" in line and _DIVIDER.fullmatch(line) is not None


def pipe_cells(line: str) -> list[str]:
    """The cells of a row; `\\|` is a pipe inside a cell."""
    stripped = line.strip()
    stripped = stripped.removeprefix("|")
    if stripped.endswith("|") and not stripped.endswith("\\|"):
        stripped = stripped[:-1]
    return [cell.replace("\\|", "|").strip() for cell in _UNESCAPED_PIPE.split(stripped)]


def pipe_table(lines: Iterable[str]) -> str:
    """A table from rows with pipes, without the line below the header."""
    return as_text(pipe_cells(line) for line in lines if not _DIVIDER.fullmatch(line.strip()))


def tab_table(lines: Iterable[str]) -> str:
    """A table from rows with tabs."""
    return as_text(line.strip().split("\t") for line in lines)
