"""Addresses of pages and of machines: they carry tokens, accounts and places."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from careline.model import Span, SpanType
from careline.privacy.reading import Reading
from careline.privacy.vocabulary import either, pattern, shared, words

_ENDS = b".,;:!?)]}'\""
_IPV6 = re.compile(rb"[0-9a-f:.]{2,45}")
_LEADING_ZERO = re.compile(r"\b0\d")


def find(reading: Reading) -> Iterator[Span]:
    """Links with a scheme, `www` or a known ending, and IP addresses of both versions."""
    for match in _link().finditer(reading.figures):
        found = match.group().rstrip(_ENDS)
        # What follows an @ is the host of an e-mail address; before a dot that is said, `with` is no host.
        first = re.split(rb"\W", found, maxsplit=1)[0].decode("ascii")
        if reading.figures[max(0, match.start() - 1) : match.start()] != b"@" and first not in _no_host():
            yield reading.span(match.start(), match.start() + len(found), SpanType.URL, "url/form")
    for match in _four().finditer(reading.figures):
        if _is_address(".".join(_parts(match.group()))) and not _beside(reading.figures, match.start(), match.end()):
            yield reading.span(match.start(), match.end(), SpanType.IP, "ip/form")
    for match in _colons().finditer(reading.figures):
        found = match.group().rstrip(b".")
        if _is_address(found.decode("ascii")):
            yield reading.span(match.start(), match.start() + len(found), SpanType.IP, "ip/form")


def _parts(written: bytes) -> list[str]:
    """The numbers between the dots, without the gaps that dictating leaves in them."""
    return [found.replace(" ", "") for found in re.findall(r"\d(?: ?\d)*", written.decode("ascii"))]


def _beside(figures: bytes, start: int, end: int) -> bool:
    """Whether more digits are joined on either side, as in a version number."""
    before, after = figures[max(0, start - 2) : start], figures[end : end + 2]
    return bool(re.search(rb"\d\.$", before) or re.match(rb"\.\d", after))


def _is_address(written: str) -> bool:
    try:
        ipaddress.ip_address(written)
    except ValueError:
        return False
    return not _LEADING_ZERO.search(written) or ":" in written


@cache
def _no_host() -> frozenset[str]:
    return frozenset((*words("email", "stop"), *words("link", "is")))


@cache
def _four() -> Any:
    dot = rf"(?:\.| {either(words('email', 'dot'))} )"
    # "one nine two dot" stands in three figures.
    part = r"(?:\d{1,3}|\d \d{1,2}|\d \d \d|\d\d \d)"
    return pattern(rf"\b{part}(?:{dot}{part}){{3}}\b")


@cache
def _colons() -> Any:
    return pattern(r"\b[0-9a-f]{1,4}(?::{1,2}[0-9a-f]{1,4}){2,7}\b|\b[0-9a-f]{1,4}::[0-9a-f]{0,4}|\B::[0-9a-f]{1,4}\b")


@cache
def _link() -> Any:
    said = rf" {either(words('email', 'dot'))} "
    domains = sorted(shared("domains"), key=len, reverse=True)
    bare = either(each for each in domains if each not in shared("word_domains"))
    word, rest = r"[a-z0-9~][a-z0-9~-]{0,62}", r"(?:[/?#:][^ \"'<>]*)?"
    scheme = r"\b(?:https?|ftp)(?:://| ?: ?// ?)[^ \"'<>]+"
    spelled_www = r"(?:www|w ?w ?w|3 w|triple w|vu vu vu|trois w|tre w)"
    www = rf"\b{spelled_www}(?:\.|{said})(?:{word}(?:\.|{said})){{1,4}}{either(domains)}\b{rest}"
    any_www = r"\bwww\.[^ \"'<>]+"
    spoken = "be|nl|com|org|eu|fr|net|co uk|(?:health|care|info|it|io|gent) slash"
    host = rf"\b{word}(?:(?:\.{word}){{0,3}}\.{bare}|{said}(?:{spoken})| punto it)\b{rest}"
    with_path = rf"\b{word}(?:\.{word}){{0,3}}\.[a-z]{{2,10}}/[a-z0-9~][^ \"'<>]*"
    return pattern(f"{scheme}|{www}|{any_www}|{with_path}|{host}")
