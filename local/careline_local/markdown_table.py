"""Tables of the documentation that are made of lists in the code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, a line for each row, with a line break at its end."""
    return "".join(f"{line}\n" for line in (_line(heads), "|---" * len(heads) + "|", *map(_line, rows)))


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
