"""Reads HTML: the main content without menus, scripts and what is hidden, and the facts in the page's head."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from careline.knowledge.extract import facts
from careline.knowledge.extract.admission import check_text
from careline.knowledge.extract.charset import decode
from careline.knowledge.extract.html import tables
from careline.knowledge.extract.html.hidden import HidingRules, is_hidden
from careline.knowledge.extract.lists import DEEPEST
from careline.knowledge.extract.rejections import rejected
from careline.limits import Limits
from careline.tables.extracted import Block, BlockKind, Extracted, LeftOut, Page

_DECLARED = re.compile(rb"<meta[^>]{0,300}?charset\s*=\s*(?:[\"']\s*)?([\w.:-]{1,40})", re.I)
_XML_DECLARED = re.compile(rb"\s*<\?xml[^>]{0,200}encoding\s*=\s*[\"']([\w.:-]{1,40})", re.I)
_DROPPED = frozenset(
    "script style noscript template nav footer iframe object embed svg math canvas audio video select option button "
    "input textarea datalist dialog head title link meta".split()
)
_DROPPED_ROLES = frozenset(
    ("navigation", "banner", "contentinfo", "search", "menu", "menubar", "alert", "alertdialog", "dialog")
)
_FURNITURE = re.compile(
    r"(?:^|[\s_-])(?:cookie|breadcrumb|skip-?link|navbar|sidebar|share|social|pagination|print-?only)", re.I
)
BLOCK_ELEMENTS = frozenset(
    "p div section article main aside header address blockquote figure figcaption fieldset form details summary "
    "dl dt dd ul ol li h1 h2 h3 h4 h5 h6 table caption thead tbody tfoot tr td th pre hr center body legend".split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_TAG = re.compile(r"<(/?)([a-zA-Z][\w:-]{0,40})")
_NEVER_OPEN = frozenset(
    "area base br col embed hr img input link meta param source track wbr "
    "p li dt dd option optgroup tr td th thead tbody tfoot colgroup rb rt rp html head body".split()
)
"""Elements without content, or whose end may be left out (HTML standard, 13.1.2.4): they do not nest by themselves."""

_DEEPEST = 2_000
"""Elements open at once. Every parser by the standard takes quadratic time in this; browsers stop at 512."""

_MAIN = ("main", "[role=main]", "article")
_MAIN_SHARE = 0.4
_LEAST_UNSEEN, _LONGEST_UNSEEN = 20, 20_000
_META = {
    "author": "authors", "dc.creator": "authors", "article:author": "authors", "citation_author": "authors",
    "date": "year", "dc.date": "year", "dcterms.modified": "year", "article:modified_time": "year",
    "article:published_time": "year", "citation_publication_date": "year", "last-modified": "year",
    "og:url": "url", "citation_doi": "doi", "dc.publisher": "publisher", "publisher": "publisher",
    "og:site_name": "organisation", "dc.language": "language", "citation_title": "title", "og:title": "title",
}  # fmt: skip


def read(content: bytes, limits: Limits) -> Extracted:
    """The main content of a page. A line break in a paragraph begins a new block.

    Raises: DocumentRejected `disguised`, `charset`, `too_large`, `corrupt`.
    """
    check_text(content, ".html", allowed=("HTML",))
    text, warnings = decode(content, limits, _declared(content))
    _check_depth(text)
    tree = _parsed(text)
    stated = _stated(tree)
    blocks = tuple(_Walk(HidingRules(tree)).blocks(_main(tree))) if tree.body is not None else ()
    return Extracted((Page(1, blocks),), facts.with_title(stated, blocks), tuple(warnings))


class EmbeddedHtml:
    """HTML that stands in another document; its style sheets, given as HTML, say what is hidden in any piece of it."""

    def __init__(self, sheets: str) -> None:
        self._rules = HidingRules(_parsed(sheets))

    def blocks(self, markup: str) -> list[Block]:
        """The blocks of a piece. Raises: DocumentRejected `corrupt`."""
        _check_depth(markup)
        tree = _parsed(markup)
        return list(_Walk(self._rules).blocks(tree.body)) if tree.body is not None else []

    def is_first_hidden(self, markup: str) -> bool:
        """Whether readers do not see the first element of a piece."""
        tree = _parsed(markup)
        first = tree.body.child if tree.body is not None else None
        while first is not None and first.tag == "-text":
            first = first.next
        return first is not None and is_hidden(first, self._rules)


def _parsed(markup: str) -> Any:
    from selectolax.lexbor import LexborHTMLParser

    return LexborHTMLParser(markup)


def _declared(content: bytes) -> str | None:
    """The charset in the first 4,096 bytes (the HTML standard asks for it in the first 1,024)."""
    found = _XML_DECLARED.match(content[:1024]) or _DECLARED.search(content[:4096])
    return found.group(1).decode("ascii") if found else None


def _check_depth(text: str) -> None:
    """Raises: DocumentRejected `corrupt` when elements are opened inside one another without end."""
    open_elements: Counter[str] = Counter()
    depth = 0
    for closing, tag in _TAG.findall(text):
        name = tag.lower()
        if name in _NEVER_OPEN or (closing and not open_elements[name]):
            continue
        step = -1 if closing else 1
        open_elements[name] += step
        depth += step
        if depth > _DEEPEST:
            raise rejected("corrupt", detail="thousands of its elements are never closed")


def _stated(tree: Any) -> dict[str, object]:
    values: dict[object, object] = {}
    for meta in tree.css("meta")[:200]:
        name = (meta.attributes.get("name") or meta.attributes.get("property") or "").lower()
        if name in _META and (value := meta.attributes.get("content")):
            values.setdefault(_META[name], value)
    title, root, canonical = tree.css_first("title"), tree.css_first("html"), tree.css_first("link[rel=canonical]")
    if title is not None and title.text().strip():
        values["title"] = title.text()
    if root is not None and root.attributes.get("lang"):
        values["language"] = root.attributes["lang"]
    if canonical is not None:
        values["url"] = canonical.attributes.get("href")
    return facts.stated(values)


def _main(tree: Any) -> Any:
    """The element that holds the content: the page's own word for it if it has most of the text, else the body."""
    total = len(tree.body.text(separator=" "))
    for selector in _MAIN:
        found = tree.css(selector)
        if len(found) == 1 and len(found[0].text(separator=" ")) >= _MAIN_SHARE * total:
            return found[0]
    return tree.css_first("main") or tree.body


def _is_dropped(node: Any, at_top: bool) -> bool:
    tag, attributes = node.tag, node.attributes
    if tag in _DROPPED or (tag == "header" and at_top):
        return True
    if attributes.get("role") in _DROPPED_ROLES:
        return True
    return tag not in ("body", "main", "article") and bool(
        _FURNITURE.search(attributes.get("class") or attributes.get("id") or "")
    )


class _Walk:
    """Goes through an element once, without recursion, and collects the text between block elements."""

    def __init__(self, rules: HidingRules) -> None:
        self._rules = rules
        self._text: list[str] = []
        self._kind = BlockKind.PARAGRAPH
        self._level = 0
        self._lists: list[int | None] = []
        self._number = ""
        self._preformatted = 0

    def blocks(self, root: Any) -> Iterator[Block]:
        """The blocks below an element, in order."""
        at_top = root.tag == "body"
        node = root.child
        while node is not None:
            enter, found = self._enter(node, at_top)
            yield from found
            if enter and node.child is not None:
                node = node.child
                continue
            while node is not None and node.mem_id != root.mem_id:
                yield from self._leave(node) if enter else ()
                enter = True
                if node.next is not None:
                    node = node.next
                    break
                node = node.parent
            if node is None or node.mem_id == root.mem_id:
                break
        yield from self._flush()

    def _enter(self, node: Any, at_top: bool) -> tuple[bool, list[Block]]:
        """Whether to go into the node, and the blocks that its beginning ends."""
        tag = node.tag
        if tag == "-text":
            self._text.append(tables.written(node, self._text[-1] if self._text else ""))
            return False, []
        if tag == "-comment":
            return False, _unseen(node.comment_content or "")
        if tag[:1] in "-_!" or _is_dropped(node, at_top):
            return False, []
        if is_hidden(node, self._rules):
            return False, _unseen(node.text(separator=" "))
        if tag == "br":
            return False, self._flush(goes_on=True)
        if tag not in BLOCK_ELEMENTS:
            return True, []
        ended = self._flush()
        if tag == "table" and (rows := tables.blocks(node)) is not None:
            return False, [*ended, *rows]
        self._begin(node, tag)
        return True, ended

    def _begin(self, node: Any, tag: str) -> None:
        if tag in _HEADINGS:
            self._kind, self._level = BlockKind.HEADING, _HEADINGS[tag]
        elif tag in ("ul", "ol"):
            start = node.attributes.get("start") or "1"
            self._lists.append(
                int(start) if start.isdecimal() and len(start) < 6 else 1
            ) if tag == "ol" else self._lists.append(None)
        elif tag == "li":
            self._kind, self._number = BlockKind.LIST_ITEM, self._next_number()
            self._level = min(max(len(self._lists) - 1, 0), DEEPEST)
        elif tag == "pre":
            self._preformatted += 1

    def _next_number(self) -> str:
        current = self._lists[-1] if self._lists else None
        if current is None:
            return ""
        self._lists[-1] = current + 1
        return f"{current}. "

    def _leave(self, node: Any) -> list[Block]:
        tag = node.tag
        if tag not in BLOCK_ELEMENTS:
            return []
        ended = self._flush()
        if tag in ("ul", "ol") and self._lists:
            self._lists.pop()
        elif tag == "pre":
            self._preformatted -= 1
        if tag in _HEADINGS or tag == "li":
            self._kind, self._level, self._number = BlockKind.PARAGRAPH, 0, ""
        return ended

    def _flush(self, *, goes_on: bool = False) -> list[Block]:
        """The block of the text so far. An item's later paragraphs are paragraphs; a heading goes on after a break."""
        if goes_on and self._kind is BlockKind.HEADING:
            self._text.append(" ")
            return []
        raw = "".join(self._text)
        self._text = []
        pieces = raw.split("\n") if self._preformatted else [raw]
        texts = [text for text in (" ".join(piece.split()) for piece in pieces) if text]
        blocks = []
        for text in texts:
            blocks.append(Block(self._kind, self._number + text, self._level))
            if self._kind is BlockKind.LIST_ITEM:
                self._kind, self._level, self._number = BlockKind.PARAGRAPH, 0, ""
        return blocks


def _unseen(text: str) -> list[Block]:
    """What readers do not see, if it is text at all."""
    text = " ".join(text.split())[:_LONGEST_UNSEEN]
    worth = sum(map(str.isalpha, text)) >= _LEAST_UNSEEN and "{" not in text
    return [Block(BlockKind.PARAGRAPH, text, left_out=LeftOut.HIDDEN)] if worth else []
