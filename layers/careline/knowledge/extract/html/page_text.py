"""Knows where the text of each element of a web page begins and ends, so that asking about it costs no second reading.

The page is gone through once. Elements that stand in one another share their text: to read it for each would take the
square of their number.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple

BLOCK_ELEMENTS = frozenset(
    "p div section article main aside header footer address blockquote figure figcaption fieldset form details summary "
    "dl dt dd ul ol li menu h1 h2 h3 h4 h5 h6 table caption thead tbody tfoot tr td th pre hr center body legend "
    "dialog nav search select option optgroup hgroup".split()
)
"""Elements whose text stands on lines of its own."""
SHARED = 500
_UNREAD = frozenset(("script", "style", "template"))
_PRESSED = frozenset(("a", "button"))


class _Place(NamedTuple):
    """The elements and the texts of an element: those from the first number up to the second."""

    element: int
    last_element: int
    text: int
    end: int


_NOWHERE = _Place(0, -1, 0, 0)


class PageText:
    """The texts of a page below `root`, in order."""

    def __init__(self, root: Any) -> None:
        self._root = root
        self._texts: list[str] = []
        self._filled: list[int] = []
        self._plain, self._pressed, self._letters, self._digits = [0], [0], [0], [0]
        self._lines: list[int] = [0]
        self._places: dict[int, _Place] = {}
        self._selected: dict[str, list[_Place]] = {}
        if root is not None:
            self._read(root)

    def elements(self, node: Any) -> tuple[int, int]:
        """The number of an element in the order of the page, and that of the last one in it."""
        at = self._at(node)
        return at.element, at.last_element

    def holds(self, node: Any, selector: str, *, itself: bool = False) -> bool:
        """Whether something in an element is selected, or the element `itself`."""
        return self._first(node, selector, itself=itself) is not None

    def begins_with(self, node: Any, selector: str) -> bool:
        """Whether no text of an element stands in front of the first one in it that is selected."""
        first = self._first(node, selector, itself=False)
        return first is not None and self._plain[first.text] == self._plain[self._at(node).text]

    def is_inside(self, node: Any, other: Any) -> bool:
        """Whether an element stands in another one."""
        inner, outer = self._at(node), self._at(other)
        return outer.element < inner.element <= outer.last_element

    def length(self, node: Any) -> int:
        """How many characters its text has without spaces."""
        at = self._at(node)
        return self._plain[at.end] - self._plain[at.text]

    def pressed(self, node: Any) -> int:
        """How many of these stand in links and buttons."""
        at = self._at(node)
        return self._pressed[at.end] - self._pressed[at.text]

    def has_letters(self, node: Any) -> bool:
        """Whether its text has a letter or a digit."""
        at = self._at(node)
        return self._letters[at.end] > self._letters[at.text]

    def has_digits(self, node: Any) -> bool:
        """Whether its text has a digit."""
        at = self._at(node)
        return self._digits[at.end] > self._digits[at.text]

    def pieces(self, node: Any, *, pressed: bool = True) -> Iterator[str]:
        """Its texts that are not blank, in order; a space in front of one that a blank text stands before. Without
        those in links and buttons where not `pressed`."""
        at = self._at(node)
        last = at.text - 1
        for number in range(bisect_left(self._filled, at.text), bisect_left(self._filled, at.end)):
            place = self._filled[number]
            if pressed or self._pressed[place] == self._pressed[place + 1]:
                yield self._texts[place] if place == last + 1 else f" {self._texts[place]}"
            last = place

    def lines(self, node: Any) -> tuple[range, tuple[str, ...]]:
        """The numbers of the lines that are an element's alone, and its text on those that it shares with others, at
        most `SHARED` characters of each."""
        at = self._at(node)
        first, end = bisect_left(self._lines, at.text), bisect_right(self._lines, at.end) - 1
        if at.end == len(self._texts):
            end = len(self._lines)
        if first > end or at.text == at.end:
            return range(0), (self._joined(at.text, at.end),)
        first_text = self._lines[first] if first < len(self._lines) else at.end
        last_text = self._lines[end] if end < len(self._lines) else at.end
        return range(first, end), (self._joined(at.text, first_text), self._joined(max(first_text, last_text), at.end))

    def line(self, number: int) -> str:
        """What stands on a line of the page; empty for one that is not there."""
        end = self._lines[number + 1] if number + 1 < len(self._lines) else len(self._texts)
        return " ".join(self._texts[self._lines[number] : end])

    @property
    def line_count(self) -> int:
        """How many lines the page has."""
        return len(self._lines)

    def _joined(self, begin: int, end: int) -> str:
        found, left = [], SHARED
        for number in range(bisect_left(self._filled, begin), bisect_left(self._filled, end)):
            found.append(self._texts[self._filled[number]][:left])
            left -= len(found[-1])
            if left <= 0:
                break
        return " ".join(found)

    def beginning(self, node: Any, most: int, between: str = "") -> str:
        """The first `most` characters of its text, more or fewer by a space; `between` stands between its pieces."""
        found: list[str] = []
        for piece in self.pieces(node):
            found.append(piece[: most + 1])
            most -= len(piece)
            if most <= 0:
                break
        return between.join(found)

    def ends(self, node: Any) -> tuple[str, str]:
        """Its first and its last text that is not blank, without the spaces around; empty for none."""
        at = self._at(node)
        first, end = bisect_left(self._filled, at.text), bisect_left(self._filled, at.end)
        if first == end:
            return "", ""
        return self._texts[self._filled[first]].strip(), self._texts[self._filled[end - 1]].strip()

    def has_outer_space(self, node: Any) -> bool:
        """Whether its text begins or ends with a space; not where it is nothing else."""
        at = self._at(node)
        if not self.length(node):
            return False
        return self._texts[at.text][0].isspace() or self._texts[at.end - 1][-1].isspace()

    def _first(self, node: Any, selector: str, *, itself: bool) -> _Place | None:
        if self._root is None:
            return None
        if selector not in self._selected:
            found = (self._places.get(each.mem_id) for each in self._root.css(selector))
            self._selected[selector] = sorted(each for each in found if each is not None)
        places, at = self._selected[selector], self._at(node)
        first = bisect_left(places, at.element + (not itself), key=lambda place: place.element)
        return places[first] if first < len(places) and places[first].element <= at.last_element else None

    def _at(self, node: Any) -> _Place:
        return self._places.get(node.mem_id, _NOWHERE)

    def _read(self, root: Any) -> None:
        open_elements: list[tuple[int, int, int, str]] = []
        node, count, pressed = root, 0, 0
        while node is not None:
            tag = node.tag
            if tag == "-text":
                self._add(node.text_content or "", is_pressed=pressed > 0)
            elif tag not in _UNREAD:
                pressed += tag in _PRESSED
                self._break_line(tag)
                open_elements.append((node.mem_id, count, len(self._texts), tag))
                count += 1
                if (child := node.child) is not None:
                    node = child
                    continue
                pressed -= self._close(*open_elements.pop(), count)
            while node.next is None and open_elements:
                node = node.parent
                pressed -= self._close(*open_elements.pop(), count)
            node = node.next if open_elements else None

    def _close(self, name: int, element: int, text: int, tag: str, count: int) -> bool:
        """Whether the element that ends could be pressed."""
        self._places[name] = _Place(element, count - 1, text, len(self._texts))
        self._break_line(tag)
        return tag in _PRESSED

    def _break_line(self, tag: str) -> None:
        if (tag in BLOCK_ELEMENTS or tag == "br") and self._lines[-1] < len(self._texts):
            self._lines.append(len(self._texts))

    def _add(self, text: str, *, is_pressed: bool) -> None:
        if not text:
            return
        length = len("".join(text.split()))
        if length:
            self._filled.append(len(self._texts))
        self._texts.append(text)
        self._plain.append(self._plain[-1] + length)
        self._pressed.append(self._pressed[-1] + length * is_pressed)
        self._letters.append(self._letters[-1] + any(map(str.isalnum, text)))
        self._digits.append(self._digits[-1] + any(map(str.isdecimal, text)))
