"""Goes through a web page once and makes blocks of it, told ones and those that are left out with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from careline.knowledge.extract import addresses
from careline.knowledge.extract.html import alternatives, notes, seams, tables
from careline.knowledge.extract.html.furniture.furniture import is_mostly_links
from careline.knowledge.extract.html.page import SKIPPED, ReadPage
from careline.knowledge.extract.html.page_text import BLOCK_ELEMENTS
from careline.knowledge.extract.html.sections import Sections
from careline.knowledge.extract.html.styles import Layout
from careline.knowledge.extract.lists import DEEPEST
from careline.model import LeftOut
from careline.tables.extracted import Block, BlockKind

_TERMS = ("dl", "dt", "dd")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LEAST_UNSEEN, _LONGEST_UNSEEN = 20, 20_000
_LONGEST_LEFT_OUT, _MOST_LEFT_OUT = 2_000, 2_000
_LEAST_CHOICES = 2
_LONGEST_NOTE = 60
"""Characters of a note that stands in place of an address."""


class Walk:
    """Goes through an element once, without recursion, and collects the text between block elements.

    `in_cell`: the element is a cell of a table. `keeps_lines`: line ends in the text stay. `sections`: the headings
    that it stands under. `sought`: contacts for which furniture in it is gone through. `furniture`: the elements that
    were left out as such, each with the block that is kept of it.
    """

    def __init__(
        self,
        page: ReadPage,
        *,
        in_cell: bool = False,
        keeps_lines: bool = False,
        sections: Sections | None = None,
        sought: frozenset[str] = frozenset(),
    ) -> None:
        self.furniture: list[tuple[Any, Block]] = []
        self._sought = sought
        self._page = page
        self._in_cell = in_cell
        self._keeps_lines = keeps_lines
        self._text: list[str] = []
        self._kind = BlockKind.PARAGRAPH
        self._level = 0
        self._lists: list[int | None] = []
        self._number = ""
        self._preformatted = 0
        self._left_out: list[Block] = []
        self._sections = sections or Sections()
        self._main_depth = 0
        self._has_main = False

    def blocks(self, root: Any, main: Any | None = None) -> Iterator[tuple[Block, bool]]:
        """The blocks below an element, in order, and whether each stands in the `main` element."""
        node = root.child
        self._has_main = main is not None
        self._main_depth = 1 if main is None else 0
        while node is not None:
            is_main = main is not None and node.mem_id == main.mem_id
            enter, found = self._enter(node)
            yield from ((block, self._main_depth > 0) for block in found)
            self._main_depth += is_main
            if enter and node.child is not None:
                node = node.child
                continue
            while node is not None and node.mem_id != root.mem_id:
                left = self._leave(node) if enter else []
                yield from ((block, self._main_depth > 0) for block in left)
                if main is not None and node.mem_id == main.mem_id:
                    self._main_depth -= 1
                enter = True
                if node.next is not None:
                    node = node.next
                    break
                node = node.parent
            if node is None or node.mem_id == root.mem_id:
                break
        yield from ((block, self._main_depth > 0) for block in (*self._flush(), *self._sections.end()))

    def _enter(self, node: Any) -> tuple[bool, list[Block]]:
        """Whether to go into the node, and the blocks that its beginning ends."""
        tag = node.tag
        if tag == "-text":
            self._text.append(seams.seam_before(node, False, self._page.text))
            self._text.append(self._written(node))
            return False, []
        if tag == "-comment":
            self._leave_out(node.comment_content or "", LeftOut.HIDDEN)
            return False, []
        if tag is None or tag[:1] in "-_!" or tag in SKIPPED:
            return False, []
        if tag == "noscript":
            return self._enter_noscript(node), []
        if (reason := self._reason(node, tag)) is not None:
            self._leave_out(node.text(separator=" ") or alternatives.name_of(node), reason, node)
            return False, self._pass_term(node)
        if unread := alternatives.unread(node):
            self._leave_out(unread, LeftOut.UNREAD)
            return False, []
        if self._said_otherwise(node):
            return False, []
        return self._enter_element(node, tag)

    def _reason(self, node: Any, tag: str) -> LeftOut | None:
        """Why an element is left out. Where contacts are sought, so are lists of nothing but links without one."""
        reason = self._page.left_out(node, in_main=self._has_main and self._main_depth > 0)
        if not self._sought or reason not in (None, LeftOut.FURNITURE):
            return reason
        if reason is None and not (tag in ("ul", "ol") and is_mostly_links(node, self._page.text)):
            return None
        return LeftOut.FURNITURE if self._sought.isdisjoint(self._page.values.contacts(node)) else None

    def _enter_element(self, node: Any, tag: str) -> tuple[bool, list[Block]]:
        if tag == "br":
            return False, self._flush(goes_on=True)
        if not self._in_cell and (note := notes.said(self._page.notes.of(node), self._page, Walk)):
            self._text.append(seams.before_stop(self._text, f" ({note})"))
            return False, []
        if self._page.openers.is_moved(node):
            return False, []
        layout = self._page.styles.layout(node)
        if tag not in BLOCK_ELEMENTS and layout is not Layout.BLOCK:
            self._text.append(" (" if tag == "rt" else self._seam(node, layout))
            opened = self._open_panel(node)
            self._text.append(self._page.styles.written(node, "before"))
            return True, opened
        ended = [*self._flush(), *self._begin_term(node), *self._open_panel(node)]
        is_table = tag == "table" or node.attributes.get("role") in tables.ROLES
        if is_table and (rows := tables.blocks(node, self._page, Walk)) is not None:
            return False, [*ended, *self._sections.told(rows), *self._taken()]
        if tag == "select":
            return False, [*ended, *self._choices(node)]
        self._begin(node, tag)
        self._text.append(self._page.styles.written(node, "before"))
        return True, ended

    def _said_otherwise(self, node: Any) -> bool:
        """Puts what an element says instead of its content into the line, if it does."""
        attributes = node.attributes
        code = attributes.get("data-cfemail") or ""
        address = addresses.decoded(code) if code else addresses.protected_target(attributes.get("href") or "")
        text = self._page.text
        is_link = node.tag in ("a", "span")
        if address is None and (code or (is_link and addresses.is_protected(text.beginning(node, _LONGEST_NOTE)))):
            self._leave_out(node.text(), LeftOut.UNREAD)
            return True
        if address is None and self._page.styles.is_backwards(node):
            address = node.text()[::-1]
        said = address if address is not None else alternatives.alternative(node, text, in_cell=self._in_cell)
        if said is None:
            styles = self._page.styles
            is_written = styles.written(node, "before") or styles.written(node, "after")
            if self._in_cell and not is_written and alternatives.is_empty_icon(node, text):
                self._leave_out(alternatives.name_of(node), LeftOut.UNREAD)
                return True
            return False
        self._text.extend((self._seam(node, Layout.INLINE), said))
        return True

    def _enter_noscript(self, node: Any) -> bool:
        """What stands for pictures that a script fetches is read where the picture beside it has no text."""
        before = node.prev
        while before is not None and before.tag == "-text" and not (before.text_content or "").strip():
            before = before.prev
        if before is not None and before.tag == "img":
            self._text.append(" ")
            return not before.attributes.get("alt")
        self._leave_out(node.text(separator=" "), LeftOut.FURNITURE)
        return False

    def _written(self, node: Any) -> str:
        return tables.written(node, self._text[-2] if len(self._text) > 1 else "")

    def _seam(self, node: Any, layout: Layout) -> str:
        """What is between an element and the one in front of it."""
        parent = node.parent
        if layout is Layout.BESIDE or "-" in node.tag or (parent is not None and self._page.styles.has_parts(parent)):
            return " "
        carries_spaces = parent is not None and node.prev is not None and self._page.carries_spaces(parent)
        return seams.seam_before(node, carries_spaces, self._page.text)

    def _open_panel(self, node: Any) -> list[Block]:
        label = self._page.openers.label_of(node)
        if not label:
            return []
        return [*self._flush(), *self._sections.open_panel(node.mem_id, label)]

    def _begin(self, node: Any, tag: str) -> None:
        if tag in _HEADINGS:
            self._kind, self._level = BlockKind.HEADING, self._sections.level(_HEADINGS[tag])
        elif tag == "summary":
            self._kind, self._level = BlockKind.HEADING, self._sections.begin_folded(node)
        elif tag in ("ul", "ol", "menu"):
            start = node.attributes.get("start") or "1"
            number = int(start) if start.isdecimal() and len(start) < 6 else 1
            self._lists.append(number if tag == "ol" else None)
        elif tag == "li":
            self._kind, self._number = BlockKind.LIST_ITEM, self._next_number()
            self._level = min(max(len(self._lists) - 1, 0), DEEPEST)
        elif tag == "pre":
            self._preformatted += 1

    def _begin_term(self, node: Any) -> list[Block]:
        if node.tag not in _TERMS:
            return []
        return self._sections.begin_term(node.tag, node.parent.mem_id if node.parent is not None else 0)

    def _pass_term(self, node: Any) -> list[Block]:
        """A term, or what it means, is left out: what follows is not of the term before."""
        if node.tag not in ("dt", "dd"):
            return []
        return [*self._flush(), *self._begin_term(node), *self._sections.end_term(node.tag)]

    def _next_number(self) -> str:
        current = self._lists[-1] if self._lists else None
        if current is None or self._in_cell:
            return ""
        self._lists[-1] = current + 1
        return f"{current}. "

    def _leave(self, node: Any) -> list[Block]:
        tag = node.tag
        if tag == "a":
            self._add_target(node)
        elif tag == "rt":
            self._text.append(")")
        self._text.append(self._page.styles.written(node, "after"))
        ends = tag in BLOCK_ELEMENTS or self._page.styles.layout(node) is Layout.BLOCK
        if not ends and self._page.styles.layout(node) is Layout.BESIDE:
            self._text.append(" ")
        ended = self._flush() if ends or self._sections.closes_with(node.mem_id) else []
        self._sections.close_panel(node.mem_id)
        if tag in ("ul", "ol", "menu") and self._lists:
            self._lists.pop()
        elif tag == "pre":
            self._preformatted -= 1
        elif tag in _TERMS:
            ended.extend(self._sections.end_term(tag))
        if tag in _HEADINGS or tag in ("li", "summary"):
            self._kind, self._level, self._number = BlockKind.PARAGRAPH, 0, ""
        return ended

    def _add_target(self, node: Any) -> None:
        """An address or a number that a link leads to and does not show ("send a message"), behind its text."""
        shown = node.text()
        if not (target := addresses.target_not_shown(node.attributes.get("href") or "", shown)):
            return
        self._text.append(f" ({target})" if any(map(str.isalnum, shown)) else f" {target} ")

    def _choices(self, select: Any) -> list[Block]:
        """The choices of a list of names, such as departments; lists of numbers and days are part of a form."""
        options = [option for option in select.css("option") if "disabled" not in option.attributes]
        texts = [" ".join(option.text().split()) for option in options if option.attributes.get("value") != ""]
        if len([text for text in texts if sum(map(str.isalpha, text)) >= 4]) < max(_LEAST_CHOICES, len(texts) / 2):
            self._leave_out(" ".join(texts), LeftOut.FURNITURE)
            return []
        return self._sections.told([Block(BlockKind.LIST_ITEM, text) for text in texts if text])

    def _leave_out(self, text: str, reason: LeftOut, node: Any = None) -> None:
        """Keeps what is not told, if it is text at all."""
        text = " ".join(text.split())[: _LONGEST_UNSEEN if reason is LeftOut.HIDDEN else _LONGEST_LEFT_OUT]
        is_name = sum(map(str.isalpha, text)) < _LEAST_UNSEEN and not any(map(str.isdigit, text))
        if reason is LeftOut.HIDDEN and (is_name or "{" in text):
            return  # Of an icon, or what a template fills in.
        if text and len(self._left_out) < _MOST_LEFT_OUT:
            self._left_out.append(Block(BlockKind.PARAGRAPH, text, left_out=reason))
            if reason is LeftOut.FURNITURE and node is not None:
                self.furniture.append((node, self._left_out[-1]))

    def _taken(self) -> list[Block]:
        taken, self._left_out = self._left_out, []
        return taken

    def _flush(self, *, goes_on: bool = False) -> list[Block]:
        """The block of the text so far. An item's later paragraphs are paragraphs; a heading goes on after a break."""
        if goes_on and (self._kind is BlockKind.HEADING or self._in_cell):
            self._text.append(" ")
            return []
        raw = addresses.written_out(seams.closed("".join(self._text)))
        self._text = []
        pieces = raw.split("\n") if self._preformatted else [raw]
        texts = [text for text in map(self._tidied, pieces) if text]
        told = []
        for text in texts:
            told.append(Block(self._kind, self._number + text, self._level))
            if self._kind is BlockKind.LIST_ITEM:
                self._kind, self._level, self._number = BlockKind.PARAGRAPH, 0, ""
        return [*self._sections.told(told), *self._taken()]

    def _tidied(self, text: str) -> str:
        if self._keeps_lines:
            return "\n".join(filter(None, (" ".join(line.split()) for line in text.split("\n"))))
        return " ".join(text.split())
