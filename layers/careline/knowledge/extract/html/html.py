"""Reads HTML: the main content without menus, scripts and what is hidden, and the facts in the page's head."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

from careline.knowledge.extract import facts
from careline.knowledge.extract.admission import check_text
from careline.knowledge.extract.characters.charset import decode
from careline.knowledge.extract.html.hidden import is_hidden
from careline.knowledge.extract.html.page import ReadPage
from careline.knowledge.extract.html.reaching import with_contacts
from careline.knowledge.extract.html.sections import Sections
from careline.knowledge.extract.html.walk import Walk
from careline.knowledge.extract.rejections import rejected
from careline.limits import Limits
from careline.model import LeftOut
from careline.tables.extracted import Block, BlockKind, Extracted, Page

_DECLARED = re.compile(rb"<meta[^>]{0,300}?charset\s*=\s*(?:[\"']\s*)?([\w.:-]{1,40})", re.I)
_XML_DECLARED = re.compile(rb"\s*<\?xml[^>]{0,200}encoding\s*=\s*[\"']([\w.:-]{1,40})", re.I)
_TAG = re.compile(r"<(/?)([a-zA-Z][\w:-]{0,40})")
_NEVER_OPEN = frozenset(
    "area base br col embed hr img input link meta param source track wbr "
    "p li dt dd option optgroup tr td th thead tbody tfoot colgroup rb rt rp html head body".split()
)
"""Elements without content, or whose end may be left out (HTML standard, 13.1.2.4): they do not nest by themselves."""

_DEEPEST = 2_000
"""Elements open at once. Every parser by the standard takes quadratic time in this; browsers stop at 512."""

_MAIN = ("main", "[role=main]")
_MAIN_SHARE = 0.4
"""Of a page's text: so much stands in its main part at least."""
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
    blocks: tuple[Block, ...] = ()
    if tree.body is not None:
        title, page = str(stated.get("title", "")), ReadPage(tree)
        walk = Walk(page, sections=Sections(title))
        blocks = _with_main(list(walk.blocks(tree.body, _main(tree))))
        blocks = with_contacts(blocks, walk.furniture, page, title)
    return Extracted((Page(1, blocks),), facts.with_title(stated, blocks), tuple(warnings))


class EmbeddedHtml:
    """HTML that stands in another document; its style sheets, given as HTML, say what is hidden in any piece of it."""

    def __init__(self, sheets: str) -> None:
        self._sheets = ReadPage(_parsed(sheets))

    def blocks(self, markup: str, sections: Sections) -> list[Block]:
        """The blocks of a piece, which stands under the headings of `sections`. Raises: DocumentRejected `corrupt`."""
        _check_depth(markup)
        tree = _parsed(markup)
        if tree.body is None:
            return []
        return [block for block, _ in Walk(ReadPage(tree, self._sheets), sections=sections).blocks(tree.body)]

    def line(self, markup: str) -> list[Block]:
        """The blocks of a line with elements in it, its line ends kept. Raises: DocumentRejected `corrupt`."""
        _check_depth(markup)
        tree = _parsed(markup)
        return [block for block, _ in Walk(ReadPage(tree, self._sheets), keeps_lines=True).blocks(tree.body)]

    def is_first_hidden(self, markup: str) -> bool:
        """Whether readers do not see the first element of a piece."""
        tree = _parsed(markup)
        first = tree.body.child if tree.body is not None else None
        while first is not None and first.tag == "-text":
            first = first.next
        return first is not None and is_hidden(first, self._sheets.rules)


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


def _main(tree: Any) -> Any | None:
    """The element that the page itself says is its content; None for none, or several."""
    found: list[Any] = next(filter(None, map(tree.css, _MAIN)), [])
    return found[0] if len(found) == 1 else None


def _with_main(found: list[tuple[Block, bool]]) -> tuple[Block, ...]:
    """The blocks of a page, those outside its main part left out, if it has most of the text. A page whose main part
    has no title keeps the one above it."""
    told = [(block, is_main) for block, is_main in found if block.left_out is None]
    inside = sum(len(block.text) for block, is_main in told if is_main)
    if inside < _MAIN_SHARE * sum(len(block.text) for block, _ in told):
        return tuple(block for block, _ in found)
    titles = [(block, is_main) for block, is_main in told if block.kind is BlockKind.HEADING and block.level == 1]
    kept = titles[0][0] if len(titles) == 1 and not titles[0][1] else None
    return tuple(
        block if is_main or block.left_out is not None or block is kept else replace(block, left_out=LeftOut.FURNITURE)
        for block, is_main in found
    )
