"""Tells what belongs to a web page from what it says: menus, banners, notices of cookies, links to share.

A name alone decides nothing: every part of a class or id must be a word of such furniture (`share-buttons`, and neither
`shared-room` nor `share-price`), and the element must be made like it, mostly of links and buttons, without a figure
that people ask for.
"""

from __future__ import annotations

import re
from typing import Any

from careline.text.values import values

_LANGUAGES = ("nl", "en", "fr", "it")
_ROLES = frozenset(("navigation", "banner", "contentinfo", "search", "menu", "menubar", "dialog", "alertdialog"))
_NOTICES = frozenset("cookie cookies cookiebar cookiebanner cookieconsent consent gdpr".split())
_NOTICED = {"notice"}
"""Added to the kinds of a name that says more than that it is about cookies."""
_JUMPS = frozenset("skip skiplink skiplinks skipnav".split())
_CRUMBS = frozenset("breadcrumb breadcrumbs pagination pager".split())
_SHARING = frozenset("share sharing sharebar sharethis addthis addtoany social socials".split())
_MENUS = frozenset("nav navbar navigation navmenu sidebar toolbar offcanvas".split())
_KINDS = _NOTICES | _JUMPS | _CRUMBS | _SHARING | _MENUS
_WITH_THEM = frozenset(
    "banner bar notice notification popup overlay modal dialog message link links list item items button buttons btn "
    "btns icon icons media network networks follow wrapper wrap container box block widget region area inner outer "
    "content top bottom left right main primary secondary page site global header footer to title js module component "
    "row col fixed sticky menu nav this section text".split()
)
"""What names of furniture are put together with."""
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_MOSTLY_LINKS, _HARDLY_LINKS = 0.5, 0.4
_LEAST_PROSE, _LONGEST_LABEL = 60, 80
_TOLD = frozenset(("euro", "dollar", "pound", "franc", "clock", "phone"))
"""Kinds of value that callers ask for."""
_LONGEST = 4_000


def is_furniture(node: Any, *, of_page: bool, in_main: bool, has_article: bool) -> bool:
    """Whether an element with all that is in it belongs to the page.

    `of_page`: no section, article, aside or main part holds it. `in_main`: it stands in the part that the page calls
    its main one. `has_article`: the page is one article with what stands around it.
    """
    tag, attributes = node.tag, node.attributes
    if tag in ("nav", "menu", "search") or attributes.get("role") in _ROLES:
        return tag != "menu" and not (tag == "nav" and _is_prose(node))
    if tag == "header" and of_page and _holds(node, "h1") and not _holds(node, "nav, form, li a"):
        return False
    if tag in ("header", "footer"):
        return of_page or (tag == "footer" and _share_of_links(node) >= _MOSTLY_LINKS and not tells_values(node))
    if tag == "aside" and of_page and has_article:
        return True
    if tag in ("html", "body", "main", "article", "h1", "h2", "h3", "table", "tr", "td", "th"):
        return False
    if (attributes.get("class") or "").find("print-only") >= 0 and "print-only" in attributes["class"].split():
        return True
    kinds = _kinds_of(attributes)
    return bool(kinds) and _is_made_like_it(node, kinds, in_main=in_main)


def tells_values(node: Any) -> bool:
    """Whether an element's text holds a price, a time of day or a telephone number."""
    text = node.text(separator=" ")[:_LONGEST]
    if not any(map(str.isdecimal, text)):
        return False
    return any(value.kind in _TOLD for value in values(text, _LANGUAGES))


def _kinds_of(attributes: dict[str, str | None]) -> set[str]:
    """The kinds of furniture that an element's names mean."""
    kinds: set[str] = set()
    for name in f"{attributes.get('class') or ''} {attributes.get('id') or ''}".split()[:20]:
        parts = {part.lower() for part in _PARTS.findall(name)}
        if parts & _KINDS and parts <= _KINDS | _WITH_THEM:
            kinds |= parts & _KINDS
            kinds |= _NOTICED if parts - {"cookie", "cookies"} else set()
    return kinds


def _is_made_like_it(node: Any, kinds: set[str], *, in_main: bool) -> bool:
    if tells_values(node):
        return False
    if _share_of_links(node) >= _MOSTLY_LINKS:
        return True
    if kinds & _NOTICES:
        if node.css_first("button, input, a[role=button]") is not None:
            return True
        return not in_main and kinds > _NOTICED and not _holds(node, "h1, h2, h3, h4, table")
    is_plain = not _holds(node, "h1, h2, h3, h4, table, p + p")
    return bool(kinds & (_JUMPS | _CRUMBS | _SHARING)) and is_plain and len(_plain(node)) <= _LONGEST_LABEL


def _holds(node: Any, selector: str) -> bool:
    """Whether something in an element is selected; a selector is tried on the element itself too."""
    return any(child.css_first(selector) is not None for child in node.iter())


def _share_of_links(node: Any) -> float:
    """How much of an element's text can be pressed; 0 without text."""
    total = len(_plain(node))
    if not total:
        return 0.0
    pressed = sum(len(_plain(each)) for each in node.css("a, button") if each.mem_id != node.mem_id)
    return pressed / total if node.tag not in ("a", "button") else 1.0


def _is_prose(node: Any) -> bool:
    """Whether what is marked as navigation is text to read all the same."""
    text = _plain(node)
    unlinked = len(text) * (1 - _share_of_links(node))
    return unlinked >= _LEAST_PROSE and _share_of_links(node) <= _HARDLY_LINKS


def _plain(node: Any) -> str:
    return "".join(node.text().split())
