"""Reads the tables of HTML: which cells the page marks as headers, and which places each cell covers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from careline.knowledge.extract import tables
from careline.knowledge.extract.superscripts import raised
from careline.tables.extracted import Block, BlockKind, Cell

_ARRANGED = "table, h1, h2, h3, form"
"""What stands in a table that only arranges the page."""
_GROUPS = ("thead", "tbody", "tfoot")
_WIDEST = 100
_APART = frozenset("br p div li dt dd tr td th ul ol dl table caption hr pre section article".split())
_RAISED = re.compile(r"vertical-align\s*:\s*super", re.I)
_SIGN_DEPTH = 3
"""A sign may be a link, or set in a style, inside the element that raises it."""

_SKIPPED = frozenset("script style template noscript".split())


def blocks(table: Any) -> list[Block] | None:
    """A table's caption and cells; None for a table that only arranges the page, whose cells are read as text."""
    # A selector is tried on a node itself too, so that a table inside another would be taken for one that arranges.
    if any(part.css_first(_ARRANGED) is not None for part in table.iter()):
        return None
    cells = list(_cells(table))
    if len({cell.row for cell in cells}) < 2 or len({cell.column for cell in cells}) < 2:
        return None
    caption = table.css_first("caption")
    named = text_of(caption) if caption is not None else ""
    before = [Block(BlockKind.PARAGRAPH, named)] if named else []
    return [*before, *tables.blocks(cells)]


def text_of(element: Any) -> str:
    """The text of an element on one line, raised signs in superscript characters."""
    parts: list[str] = []
    node, up = element.child, False
    while node is not None and node.mem_id != element.mem_id:
        if not up:
            if node.tag == "-text":
                parts.append(written(node, parts[-1] if parts else ""))
            elif node.tag in _APART:
                parts.append(" ")
            if node.tag not in _SKIPPED and node.child is not None:
                node = node.child
                continue
        if up and node.tag in _APART:
            parts.append(" ")
        up = node.next is None
        node = node.parent if up else node.next
    return " ".join("".join(parts).split())


def written(node: Any, before: str) -> str:
    """The text of a text node that stands behind `before`; raised signs in superscript characters."""
    text = node.text_content or ""
    parent = node.parent
    for _ in range(_SIGN_DEPTH):
        if parent is None or parent.tag in _APART:
            break
        if parent.tag == "sup" or _RAISED.search(parent.attributes.get("style") or ""):
            return raised(text.strip("[]"), before)
        parent = parent.parent
    return str(text)


def _cells(table: Any) -> Iterator[Cell]:
    """Cells at their places by the HTML standard (4.9.12). Rows of a foot come last, wherever they are written."""
    held: dict[int, int] = {}
    at = 0
    for rows, is_head in _row_groups(table):
        held.clear()
        for index, row in enumerate(rows):
            column = 0
            for cell in row.css("td, th"):
                while held.get(column, 0) > at:
                    column += 1
                across = _span(cell, "colspan")
                down = _span(cell, "rowspan", zero=len(rows) - index, most=len(rows) - index)
                for covered in range(column, column + across):
                    held[covered] = max(held.get(covered, 0), at + down)
                if text := text_of(cell):
                    header = is_head or cell.tag == "th" or (cell.attributes.get("role") or "").endswith("header")
                    yield Cell(text, at, column, down, across, header)
                column += across
            at += 1


def _row_groups(table: Any) -> list[tuple[list[Any], bool]]:
    """The rows of each group, a merged cell never reaching from one into the next, and whether it is the head."""
    groups: list[tuple[str, list[Any]]] = []
    last = -1
    for row in table.css("tr"):
        parent = row.parent
        named = parent.tag if parent is not None and parent.tag in _GROUPS else ""
        if not groups or parent.mem_id != last:
            groups.append((named, []))
        last = parent.mem_id
        groups[-1][1].append(row)
    order = {"thead": 0, "tfoot": 2}
    groups.sort(key=lambda group: order.get(group[0], 1))
    return [(rows, named == "thead") for named, rows in groups]


def _span(cell: Any, name: str, zero: int = 1, most: int = _WIDEST) -> int:
    """How many places a cell covers; a rowspan of 0 reaches to the end of its group."""
    value = (cell.attributes.get(name) or "1").strip()
    number = int(value) if value.isdecimal() and value.isascii() and len(value) < 6 else 1
    return min(most, number) if number else zero
