"""Reads the tables of HTML: which cells the page marks as headers, and which places each cell covers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from careline.knowledge.extract import tables
from careline.knowledge.extract.characters.superscripts import raised
from careline.knowledge.extract.html.page import ReadPage
from careline.knowledge.extract.html.page_text import PageText
from careline.tables.extracted import Block, BlockKind, Cell

_ARRANGED = "table, h1, h2, h3, form, [role=table], [role=grid], [role=treegrid]"
"""What stands in a table that only arranges the page."""
_GROUPS = ("thead", "tbody", "tfoot")
_WIDEST = 100
ROLES = ("table", "grid", "treegrid")
"""Roles by which elements of any kind form a table (WAI-ARIA 1.2)."""
_CELL_ROLES = "td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]"
_APART = frozenset("br p div li dt dd tr td th ul ol dl table caption hr pre section article".split())
_RAISED = re.compile(r"vertical-align\s*:\s*super", re.I)
_SIGN_DEPTH = 3
"""A sign may be a link, or set in a style, inside the element that raises it."""

_NOTE_SIGN = re.compile(r"\[?\d{1,2}\]?")


def blocks(table: Any, page: ReadPage, walk: Callable[..., Any]) -> list[Block] | None:
    """A table's caption and cells, and what is left out of it; None for a table that only arranges the page, whose
    cells are read as text. `walk` makes what reads a cell."""
    if page.text.holds(table, _ARRANGED):
        return None
    left_out: list[Block] = []

    def read(element: Any, *, whole: bool = False) -> str:
        text, left = _text_of(element, page, walk, whole=whole)
        left_out.extend(left)
        return text

    def drops(row: Any) -> bool:
        reason = page.left_out(row)
        if reason is not None and (text := " ".join(row.text(separator=" ").split())):
            left_out.append(Block(BlockKind.PARAGRAPH, text, left_out=reason))
        return reason is not None

    cells = list(_cells(table, page.text, read, drops))
    if len({cell.row for cell in cells}) < 2 or len({cell.column for cell in cells}) < 2:
        return None
    caption = table.css_first("caption")
    named = read(caption) if caption is not None else ""
    before = [Block(BlockKind.PARAGRAPH, named)] if named else []
    return [*before, *tables.blocks(cells), *left_out]


def _text_of(element: Any, page: ReadPage, walk: Callable[..., Any], *, whole: bool) -> tuple[str, list[Block]]:
    """The text of an element on one line, and what is left out of it; `whole`: the element itself may be."""
    reason = page.left_out(element) if whole else None
    if reason is not None:
        text = " ".join(element.text(separator=" ").split())
        return "", [Block(BlockKind.PARAGRAPH, text, left_out=reason)] if text else []
    blocks = [block for block, _ in walk(page, in_cell=True).blocks(element)]
    told = " ".join(block.text for block in blocks if block.left_out is None)
    told = f"{page.styles.written(element, 'before')}{told}{page.styles.written(element, 'after')}".strip()
    return told, [block for block in blocks if block.left_out is not None]


def written(node: Any, before: str) -> str:
    """The text of a text node that stands behind `before`; raised signs in superscript characters."""
    text = node.text_content or ""
    parent = node.parent
    for _ in range(_SIGN_DEPTH):
        if parent is None or parent.tag in _APART:
            break
        if parent.tag == "sup" or _RAISED.search(parent.attributes.get("style") or "") or _is_note_sign(parent, text):
            return raised(text.strip("[]"), before)
        parent = parent.parent
    return str(text)


def _is_note_sign(link: Any, text: str) -> bool:
    """Whether a link to a place on the page is the number of a note: it would be read on with the figure before it."""
    is_note = link.attributes.get("role") == "doc-noteref" or (
        link.tag == "a" and (link.attributes.get("href") or "").startswith("#")
    )
    before = link.prev
    behind_text = before is not None and before.tag == "-text" and (before.text_content or " ")[-1:].strip() != ""
    return is_note and behind_text and _NOTE_SIGN.fullmatch(text.strip()) is not None


def _cells(table: Any, text: PageText, read: Callable[..., str], drops: Callable[[Any], bool]) -> Iterator[Cell]:
    """Cells at their places by the HTML standard (4.9.12). Rows of a foot come last, wherever they are written."""
    held: dict[int, int] = {}
    at = 0
    for rows, is_head in _row_groups(table, text):
        if rows and rows[0].parent.tag in _GROUPS and drops(rows[0].parent):
            continue
        held.clear()
        rows = [row for row in rows if not drops(row)]
        for index, row in enumerate(rows):
            column = 0
            for cell in _outermost(row.css(_CELL_ROLES), text):
                while held.get(column, 0) > at:
                    column += 1
                across = _span(cell, "colspan")
                down = _span(cell, "rowspan", zero=len(rows) - index, most=len(rows) - index)
                for covered in range(column, column + across):
                    held[covered] = max(held.get(covered, 0), at + down)
                if said := read(cell, whole=True):
                    header = is_head or cell.tag == "th" or (cell.attributes.get("role") or "").endswith("header")
                    yield Cell(said, at, column, down, across, header)
                column += across
            at += 1


def _outermost(nodes: list[Any], text: PageText) -> Iterator[Any]:
    """Of elements in their order those that stand in none of the others."""
    outer: Any = None
    for node in nodes:
        if outer is None or not text.is_inside(node, outer):
            yield node
            outer = node


def _row_groups(table: Any, text: PageText) -> list[tuple[list[Any], bool]]:
    """The rows of each group, a merged cell never reaching from one into the next, and whether it is the head."""
    groups: list[tuple[str, list[Any]]] = []
    last = -1
    for row in _outermost(table.css("tr, [role=row]"), text):
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
