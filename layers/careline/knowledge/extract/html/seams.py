"""Decides whether two pieces of a line belong to one word, where nothing is between them but the end of an element.

Pages set labels and values apart by style sheets alone (`<span>Monday</span><span>7:40</span>`); word processors and
initials cut words in the middle (`<b>V</b>isits`). A sign that no text has stands for each such place until the line
is whole.
"""

from __future__ import annotations

import re
from typing import Any

from careline.knowledge.extract.html.page_text import PageText

BETWEEN_ELEMENTS, BESIDE_TEXT = "\x1f", "\x1e"
"""A seam between two elements, and one between an element and text: where they are to be read apart."""
_SEAM = re.compile("[\x1e\x1f]+")
_CLOSING = frozenset(".,;:!?)]}»”’'%‰°/-–—…²³")
_OPENING = frozenset("([{«“„‘'/-–—#@’")
_GLUED = frozenset("sub sup wbr br ins del s rt rp rb".split())
_SET_OFF = frozenset("b i em strong u mark small big font tt code var".split())
_CURRENCIES = frozenset("€$£")
_STOPS = frozenset(".!?…")


def seam_before(node: Any, carries_spaces: bool, text: PageText) -> str:
    """The sign of the seam in front of an element or a text; empty where its neighbour is read on with it.

    `carries_spaces`: elements beside it bring their own spaces, so that one that is missing is meant.
    """
    before = node.prev
    if before is None or before.tag == "-comment":
        return ""
    if node.tag == "-text" or before.tag == "-text":
        other = before if node.tag == "-text" else node
        return "" if other.tag in _GLUED else BESIDE_TEXT
    if before.tag in _GLUED or node.tag in _GLUED or carries_spaces or _is_one_word(before, node, text):
        return ""
    return BETWEEN_ELEMENTS


def carries_spaces(parent: Any, text: PageText) -> bool:
    """Whether one of an element's parts begins or ends with a space of its own."""
    return any(map(text.has_outer_space, parent.iter()))


def closed(text: str) -> str:
    """The text with a space or nothing in place of each seam."""
    if BETWEEN_ELEMENTS not in text and BESIDE_TEXT not in text:
        return text
    pieces: list[str] = []
    at = 0
    for found in _SEAM.finditer(text):
        pieces.append(text[at : found.start()])
        left = _SEAM.sub("", text[max(0, found.start() - 6) : found.start()])
        right = text[found.end() : found.end() + 2]
        is_apart = _are_apart(left, right) if BETWEEN_ELEMENTS in found.group() else _are_two_words(left, right)
        pieces.append(" " if is_apart else "")
        at = found.end()
    return "".join((*pieces, text[at:]))


def _are_apart(left: str, right: str) -> bool:
    if not left or not right or (left[-1] in ".,:" and left[-2:-1].isdecimal() and right[0].isdecimal()):
        return False
    return right[0] not in _CLOSING and left[-1] not in _OPENING


def _are_two_words(left: str, right: str) -> bool:
    """Whether text and an element beside it plainly are two: a word and a figure, a figure and a name, two names."""
    if not left or not right:
        return False
    is_word = len(left) >= 3 and left[-3:].isalpha() and left[-1].islower()
    if right[0].isdecimal() or right[0] in _CURRENCIES:
        return is_word
    is_name = right[0].isupper() and right[1:2].islower()
    return is_name and (is_word or left[-1].isdecimal() or left[-1] in _CURRENCIES)


def _is_one_word(before: Any, node: Any, text: PageText) -> bool:
    """Initials, letters in elements of their own, and emphasis inside a word."""
    (_, left), (right, _) = text.ends(before), text.ends(node)
    if not left or not right:
        return not left
    if text.length(before) == 1 and (right[0].islower() or (text.length(node) == 1 and before.tag == node.tag)):
        return True
    both = before.tag in _SET_OFF and node.tag in _SET_OFF
    return both and left[-1].isalpha() and right[0].islower()


def before_stop(text: list[str], said: str) -> str:
    """What is to be written behind the text so far so that `said` stands before the stop that ends it; takes the stop
    out of the text."""
    for at in range(len(text) - 1, -1, -1):
        if written := text[at].rstrip(f" \n\t{BETWEEN_ELEMENTS}{BESIDE_TEXT}"):
            if written[-1] not in _STOPS:
                return said
            text[at] = written[:-1] + text[at][len(written) :]
            return said + written[-1]
    return said
