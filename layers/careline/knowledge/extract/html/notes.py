"""Finds the notes of a web page: what a raised sign links to, which is told in place of the sign."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from careline.knowledge.extract.characters.superscripts import raised
from careline.knowledge.extract.html.page_text import PageText
from careline.model import LeftOut

_REFERENCES = "sup a[href^='#'], a[href^='#'] > sup:only-child"
_LONGEST_SIGN = 5
_LONGEST = 300
_MOST = 500
_SIGN_DEPTH = 3
_DEEPEST = 40
_NOTES = frozenset(("li", "p", "div", "aside", "dd", "small", "span"))
_BETWEEN = frozenset(" ,;\u00a0")
_BRACKETS = "[]()"
_BACK = "\u00a0↩↑⤴︎^"
"""What leads back from a note, and spaces."""
_LEADING = re.compile(rf"(?:[ :)\]{re.escape(_BACK)}]|\.(?![0-9]))+")
_NUMBERED = re.compile(r"[.:)\]]{1,2}\s")


@dataclass(frozen=True, slots=True)
class PageNote:
    """The element that a note is, and the sign by which it is referred to."""

    element: Any
    sign: str


class PageNotes:
    """The notes of one page, by the element that refers to them and in whose place they are told."""

    def __init__(self, tree: Any, text: PageText) -> None:
        self._notes: dict[int, list[PageNote]] = {}
        named = {node.attributes["id"]: node for node in tree.css("[id]")} if tree.css_first(_REFERENCES) else {}
        raised_links: dict[int, tuple[Any, list[Any]]] = {}
        for reference in tree.css(_REFERENCES)[:_MOST]:
            if reference.tag == "sup":
                self._add(reference.parent, [reference.parent], named, text)
            elif (sup := _sup_around(reference)) is not None:
                raised_links.setdefault(sup.mem_id, (sup, []))[1].append(reference)
        for sup, links in raised_links.values():
            signs = "".join(text.beginning(link, _LONGEST_SIGN) for link in links)
            if _without(text.beginning(sup, len(signs) + 2 * len(links)), _BETWEEN) == _without(signs, _BETWEEN):
                self._add(sup, links, named, text)
            for link in links if sup.mem_id not in self._notes else ():
                self._add(link, [link], named, text)

    def of(self, node: Any) -> list[PageNote]:
        """The notes that an element refers to; none for every other element."""
        return self._notes.get(node.mem_id, []) if self._notes else []

    def _add(self, place: Any, links: list[Any], named: dict[str, Any], text: PageText) -> None:
        """Keep the notes that links lead to, if each does to one."""
        notes = [_note_of(link, named, text) for link in links]
        if found := [note for note in notes if note is not None]:
            self._notes.update({place.mem_id: found} if len(found) == len(notes) else {})


def said(notes: list[PageNote], page: Any, walk: Callable[..., Any]) -> str:
    """What notes say, without their signs; empty where one says nothing, too much, or is not told by the page. `walk`
    makes what reads an element."""
    texts = [_text_of(note, page, walk) for note in notes]
    return "; ".join(texts) if all(texts) else ""


def _text_of(note: PageNote, page: Any, walk: Callable[..., Any]) -> str:
    if page.text.length(note.element) > _LONGEST or _is_withheld(note.element, page):
        return ""
    blocks = walk(page, in_cell=True).blocks(note.element)
    told = " ".join(block.text for block, _ in blocks if block.left_out is None)
    told = _without_sign(told, page.text.ends(note.element)[0], note.sign)
    told = " ".join(_LEADING.sub("", told, count=1).split() if _LEADING.match(told) else told.split())
    told = told.rstrip(f" .:{_BACK}")
    return told if len(told) <= _LONGEST else ""


def _without_sign(told: str, first: str, sign: str) -> str:
    """The text of a note without its sign, where that is a text of its own, or plainly no word or figure of it."""
    bare = sign.strip(_BRACKETS)
    if first.strip(f"{_BRACKETS} .:") == bare:
        for written in (first, first.strip("[]"), raised(first.strip("[]"), "")):
            if told.startswith(written):
                return told[len(written) :]
    rest = told.removeprefix(bare)
    is_sign = rest != told and (not any(map(str.isalnum, bare)) or _NUMBERED.match(rest) is not None)
    return rest if is_sign else told


def _is_withheld(element: Any, page: Any) -> bool:
    """Whether a note, or something around it, is struck or hidden."""
    for node in _upwards(element, _DEEPEST):
        if page.left_out(node) in (LeftOut.STRUCK, LeftOut.HIDDEN):
            return True
    return False


def _note_of(link: Any, named: dict[str, Any], text: PageText) -> PageNote | None:
    note = named.get((link.attributes.get("href") or "")[1:])
    sign = text.beginning(link, _LONGEST_SIGN).strip()
    if note is None or note.tag not in _NOTES or not 0 < len(sign) <= _LONGEST_SIGN or text.is_inside(link, note):
        return None
    return PageNote(note, sign)


def _sup_around(link: Any) -> Any | None:
    return next((node for node in _upwards(link.parent, _SIGN_DEPTH) if node.tag == "sup"), None)


def _upwards(node: Any, most: int) -> Iterator[Any]:
    for _ in range(most):
        if node is None or node.tag in ("body", "html"):
            return
        yield node
        node = node.parent


def _without(text: str, characters: frozenset[str]) -> str:
    return "".join(each for each in text if each not in characters)
