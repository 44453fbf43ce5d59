"""Finds the HTML in a Markdown text: elements that begin a line, read as on a page, tables with their spans."""

from __future__ import annotations

import re
from collections.abc import Sequence

from careline.knowledge.extract.html.html import EmbeddedHtml
from careline.knowledge.extract.html.page_text import BLOCK_ELEMENTS
from careline.knowledge.extract.html.sections import Sections
from careline.tables.extracted import Block

_BEGIN = re.compile(r"[ \t]*<([a-zA-Z][a-zA-Z0-9]{0,20})(?=[\s/>]|$)")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,20})(?=[\s/>]|$)")
_WHOLE = frozenset(("pre", "script", "style", "template"))
"""Elements that go on over empty lines; of others the Markdown between two empty lines is Markdown (CommonMark 4.6)."""
_BEGINNING = (BLOCK_ELEMENTS | _WHOLE | {"nav", "footer", "noscript"}) - {"hr"}
_MOST_SOUGHT = 20_000
"""Lines that are looked at in vain for the ends of elements that have none."""
_LONGEST_STYLE = 100_000


class MarkdownHtml:
    """The HTML in the lines of a Markdown text."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._left = _MOST_SOUGHT
        self._html: EmbeddedHtml | None = None

    def end_of_element(self, at: int) -> int | None:
        """The line after the element that begins a line; None where none begins."""
        found = _BEGIN.match(self._lines[at])
        if found is None or (name := found[1].lower()) not in _BEGINNING:
            return None
        return self._end(at, name)

    def blocks(self, at: int, end: int, sections: Sections) -> list[Block]:
        """The blocks of the HTML on some lines. Raises: DocumentRejected `corrupt`."""
        markup = "\n".join(self._lines[at:end])
        blocks = self.page.blocks(markup, sections)
        if markup.lower().count("<details") > markup.lower().count("</details"):
            sections.stay_open()
        return blocks

    def _end(self, at: int, name: str) -> int:
        """The line after an element: where it is closed, or before an empty line that stands in no table."""
        goes_on = name in _WHOLE or self.page.is_first_hidden(self._lines[at])
        open_elements = open_tables = 0
        empty = None
        for n in range(at, len(self._lines)):
            if not self._lines[n].strip():
                empty = n if empty is None else empty
                if not goes_on and not open_tables:
                    return n
                if self._left <= 0:
                    return empty
            for closing, tag in _TAG.findall(self._lines[n]):
                step = -1 if closing else 1
                open_elements += step * (tag.lower() == name)
                open_tables = max(0, open_tables + step * (tag.lower() == "table"))
            if open_elements <= 0 and not open_tables:
                return n + 1
            self._left -= empty is not None
        return len(self._lines) if empty is None else empty

    @property
    def page(self) -> EmbeddedHtml:
        """Reads HTML by the style sheets of the text."""
        if self._html is None:
            self._html = EmbeddedHtml(self._sheets())
        return self._html

    def _sheets(self) -> str:
        sheets: list[str] = []
        is_open = False
        for line in self._lines:
            if is_open or "<style" in line.lower():
                sheets.append(line)
                is_open = "</style" not in line.lower()
        return "\n".join(sheets)[:_LONGEST_STYLE] + "</style>" if sheets else ""
