"""Finds in a web page what callers ask for: prices, times of day, and how somebody is reached.

Each line of the page is read at most once, and only where somebody asks about an element that it stands in.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from careline.knowledge.extract import addresses
from careline.knowledge.extract.html.page_text import PageText
from careline.text.phone_numbers import PHONE
from careline.text.values import values

_LANGUAGES = ("nl", "en", "fr", "it")
_TOLD = frozenset(("euro", "dollar", "pound", "franc", "clock", "phone"))
"""Kinds of value that callers ask for."""
_READ_AT_ONCE = 1_000
"""Characters that values are looked for in at once."""
_MAIL = re.compile(r"[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,5}[^\W\d_]{2,24}")
_TAX_NUMBER = re.compile(r"(?<![A-Z])[A-Z]{2}[ .]?$")
"""The country in front of the number of a firm, which looks like a telephone number."""
_COMPARED = 8
"""Last digits by which a number with its country is the same as one without."""


class PageValues:
    """The values on a page."""

    def __init__(self, text: PageText, tree: Any) -> None:
        self._text = text
        self._tree = tree
        self._telling: dict[int, bool] = {}
        self._quiet = range(0)
        self._reaching: list[tuple[int, str]] | None = None
        self._links: list[tuple[int, str]] | None = None

    def tells(self, node: Any) -> bool:
        """Whether an element says a price, a time of day or how somebody is reached."""
        return self._has_values(node) or next(self._contacts(node), None) is not None

    def contacts(self, node: Any) -> frozenset[str]:
        """The e-mail addresses and telephone numbers of an element, as they are compared."""
        return frozenset(self._contacts(node))

    def _has_values(self, node: Any) -> bool:
        if not self._text.has_digits(node):
            return False
        lines, shared = self._text.lines(node)
        return any(map(_has_values, shared)) or self._first_telling(lines) < lines.stop

    def _first_telling(self, lines: range) -> int:
        """The first line with a value; the end for none. Elements in one another ask for the same lines again."""
        quiet = self._quiet
        goes_on = quiet.start <= lines.start <= quiet.stop
        at = quiet.stop if goes_on else lines.start
        while at < lines.stop:
            if at not in self._telling:
                self._telling[at] = _has_values(self._text.line(at))
            if self._telling[at]:
                break
            at += 1
        self._quiet = range(quiet.start if goes_on else lines.start, at)
        return at

    def _contacts(self, node: Any) -> Iterator[str]:
        lines, shared = self._text.lines(node)
        for text in shared:
            yield from contacts_of(text)
        yield from _between(self._written(), lines.start, lines.stop)
        first, last = self._text.elements(node)
        yield from _between(self._targets(), first, last + 1)

    def _written(self) -> list[tuple[int, str]]:
        """The contacts that the page writes, by the number of the line."""
        if self._reaching is None:
            lines = ((number, self._text.line(number)) for number in range(self._text.line_count))
            self._reaching = sorted((number, contact) for number, line in lines for contact in contacts_of(line))
        return self._reaching

    def _targets(self) -> list[tuple[int, str]]:
        """What links lead to, by the place of the link."""
        if self._links is None:
            links = self._tree.css("a[href]")
            targets = (addresses.address_of(link.attributes.get("href") or "") for link in links)
            found = zip(links, targets, strict=True)
            self._links = sorted((self._text.elements(link)[0], _compared(target)) for link, target in found if target)
        return self._links


def _between(found: list[tuple[int, str]], first: int, end: int) -> Iterator[str]:
    at = bisect_left(found, (first, ""))
    while at < len(found) and found[at][0] < end:
        yield found[at][1]
        at += 1


def contacts_of(text: str) -> frozenset[str]:
    """The e-mail addresses and telephone numbers of a text, as they are compared: short ones by what stands before."""
    found = {_compared(each) for each in _MAIL.findall(text)} if "@" in text else set()
    if not any(map(str.isdecimal, text)):
        return frozenset(found)
    for phone in PHONE.finditer(text):
        if not _TAX_NUMBER.search(text[max(0, phone.start() - 4) : phone.start()]):
            found.add(_compared(phone.group()))
    rest = PHONE.sub(" ; ", text)
    found.update(_compared(number) for each in _short().finditer(rest) for number in each.groups() if number)
    return frozenset(found)


def _compared(contact: str) -> str:
    if "@" in contact:
        return contact.casefold()
    return "".join(filter(str.isdecimal, contact.split(";")[0]))[-_COMPARED:]


def _has_values(line: str) -> bool:
    """Whether a line has a value that callers ask for."""
    for at in range(0, len(line), _READ_AT_ONCE):
        part = line[at : at + _READ_AT_ONCE]
        if any(map(str.isdecimal, part)) and any(value.kind in _TOLD for value in values(part, _LANGUAGES)):
            return True
    return False


@cache
def _short() -> re.Pattern[str]:
    known = yaml.safe_load(files(__package__).joinpath("contacts.yaml").read_text("utf-8"))
    numbers = "|".join(map(re.escape, known["short"]))
    words = "|".join(re.escape(word.strip()) for word in known["called_by"].split(","))
    apart = r"(?![\w/%]|[.,]\d|\s?[€$£%])"
    alone = rf"(?<![\w.,/€$£+-])({numbers}){apart}"
    return re.compile(rf"(?i)\b(?:{words})\.?[\s:]{{1,3}}(\d{{3,5}}){apart}|{alone}")
