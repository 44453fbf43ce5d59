"""Tells what belongs to a web page from what it says: menus, banners, notices of cookies, links to share.

A name alone decides nothing: every part of a class or id must be a word of such furniture (`share-buttons`, and neither
`shared-room` nor `share-price`), and the element must be made like it, mostly of links and buttons, without a figure
that people ask for.
"""

from __future__ import annotations

import re
from typing import Any

from careline.knowledge.extract.html.furniture.page_values import PageValues
from careline.knowledge.extract.html.page_text import PageText

_ROLES = frozenset(("navigation", "banner", "contentinfo", "search", "menu", "menubar", "dialog", "alertdialog"))
_NOTICES = frozenset("cookie cookies cookiebar cookiebanner cookieconsent consent gdpr".split())
_NOTICED = {"notice"}
"""Added to the kinds of a name that says more than that it is about cookies."""
_JUMPS = frozenset("skip skiplink skiplinks skipnav".split())
_CRUMBS = frozenset("breadcrumb breadcrumbs pagination pager".split())
_SHARING = frozenset("share sharing sharebar sharethis addthis addtoany social socials".split())
_MENUS = frozenset("nav navbar navigation navmenu sidebar toolbar offcanvas".split())
_NAMED_NOTICES = _NOTICES - {"consent"}
"""Names that mean a notice of cookies alone: patients consent too."""
_ANSWERED = "button, [role=button], input[type=button], input[type=submit]"
"""Selector of what a notice is answered with."""
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
_NUMBER = re.compile(r"\d{3}")
_SENTENCE = re.compile(r"[\d.,:;!?]")
_PRESSED = ("a", "button")
_PARTS_OF_PAGE = ("div", "section", "aside", "form")
_PARTS_SELECTOR = ", ".join(_PARTS_OF_PAGE)
_LONGEST_NOTICE = 400


def is_furniture(
    node: Any, text: PageText, values: PageValues, *, of_page: bool, in_main: bool, has_article: bool
) -> bool:
    """Whether an element with all that is in it belongs to the page.

    `of_page`: no section, article, aside or main part holds it. `in_main`: it stands in the part that the page calls
    its main one. `has_article`: the page is one article with what stands around it.
    """
    tag, attributes = node.tag, node.attributes
    if tag in ("nav", "menu", "search") or attributes.get("role") in _ROLES:
        return tag != "menu" and not (tag == "nav" and _is_prose(node, text))
    if tag == "header" and of_page and text.holds(node, "h1") and not text.holds(node, "nav, form, li a"):
        return False
    if tag in ("header", "footer"):
        return of_page or (tag == "footer" and is_mostly_links(node, text) and not values.tells(node))
    if tag == "aside" and of_page and has_article:
        return True
    if tag in ("html", "body", "main", "article", "h1", "h2", "h3", "table", "tr", "td", "th"):
        return False
    if (attributes.get("class") or "").find("print-only") >= 0 and "print-only" in attributes["class"].split():
        return True
    kinds = _kinds_of(attributes)
    if not kinds:
        return not in_main and _is_notice_of_cookies(node, text) and not values.tells(node)
    return not values.tells(node) and _is_made_like_it(node, text, kinds, in_main=in_main)


def _is_notice_of_cookies(node: Any, text: PageText) -> bool:
    """Whether a short part of a page asks what its readers say to its cookies, whatever its maker calls it: the
    innermost one, so that what stands beside it is read."""
    if node.tag not in _PARTS_OF_PAGE or not _asks_about_cookies(node, text):
        return False
    child = node.child
    while child is not None:
        if text.holds(child, _PARTS_SELECTOR, itself=True) and _asks_about_cookies(child, text):
            return False
        child = child.next
    return True


def _asks_about_cookies(node: Any, text: PageText) -> bool:
    """Whether a short text speaks of cookies and has something to press that leads nowhere."""
    if not 0 < text.length(node) <= _LONGEST_NOTICE or text.holds(node, "h1, h2, h3, table, article"):
        return False
    if not text.holds(node, f"{_ANSWERED}, a:not([href]), a[href='#']"):
        return False
    return "cookie" in "".join(text.pieces(node, pressed=False)).casefold()


def _kinds_of(attributes: dict[str, str | None]) -> set[str]:
    """The kinds of furniture that an element's names mean."""
    kinds: set[str] = set()
    for name in f"{attributes.get('class') or ''} {attributes.get('id') or ''}".split()[:20]:
        parts = {part.lower() for part in _PARTS.findall(name)}
        if parts & _KINDS and parts <= _KINDS | _WITH_THEM:
            kinds |= parts & _KINDS
            kinds |= _NOTICED if parts - {"cookie", "cookies"} else set()
    return kinds


def _is_made_like_it(node: Any, text: PageText, kinds: set[str], *, in_main: bool) -> bool:
    if is_mostly_links(node, text):
        return True
    is_titled = text.holds(node, "h1, h2, h3, h4, table")
    if kinds & _NOTICES:
        if not kinds & _NAMED_NOTICES:
            return text.holds(node, _ANSWERED, itself=True) and not (in_main or is_titled)
        if text.holds(node, f"{_ANSWERED}, input", itself=True):
            return True
        return not in_main and kinds > _NOTICED and not is_titled
    if is_titled or text.length(node) > _LONGEST_LABEL or text.holds(node, "p + p"):
        return False
    return _is_label(node, text, kinds)


def _is_label(node: Any, text: PageText, kinds: set[str]) -> bool:
    """Whether a short text only names where one is or what can be pressed: a number, or a sentence, says more."""
    if text.holds(node, "a[href], button", itself=True):
        unpressed = text.pieces(node, pressed=False)
        return bool(kinds & (_JUMPS | _CRUMBS | _SHARING)) and not any(map(_NUMBER.search, unpressed))
    return bool(kinds & _SHARING) and _SENTENCE.search(text.beginning(node, _LONGEST_LABEL, between=" ")) is None


def is_mostly_links(node: Any, text: PageText) -> bool:
    """Whether most of an element's text can be pressed."""
    length = text.length(node)
    return length > 0 and (node.tag in _PRESSED or text.pressed(node) >= _MOSTLY_LINKS * length)


def _is_prose(node: Any, text: PageText) -> bool:
    """Whether what is marked as navigation is text to read all the same."""
    length, pressed = text.length(node), text.pressed(node)
    return length - pressed >= _LEAST_PROSE and pressed <= _HARDLY_LINKS * length
