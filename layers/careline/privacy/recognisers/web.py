"""Addresses of pages and of machines: they carry tokens, accounts and places."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from careline.model import Span, SpanType
from careline.privacy.normalised_text import NormalisedText
from careline.privacy.vocabulary import either, pattern, shared, words

_ENDS = b".,;:!?)]}'\""
_LONGEST_BEFORE = 60
"""Characters before a host in which more words of its name are looked for."""
_LEADING_ZERO = re.compile(r"\b0\d")


def find(reading: NormalisedText) -> Iterator[Span]:
    """Links with a scheme, `www` or a known ending, and IP addresses of both versions."""
    for match in _link().finditer(reading.figures):
        found = match.group().rstrip(_ENDS)
        # What follows an @ is the host of an e-mail address; before a dot that is said, `with` is no host.
        first = re.split(rb"\W", found, maxsplit=1)[0].decode("ascii")
        if reading.figures[max(0, match.start() - 1) : match.start()] != b"@" and first not in _no_host():
            yield reading.span(match.start(), match.start() + len(found), SpanType.URL, "url/form")
    yield from _said(reading)
    yield from _machines(reading)
    for match in _colons().finditer(reading.figures):
        found = match.group().rstrip(b".")
        if _is_address(found.decode("ascii")):
            yield reading.span(match.start(), match.start() + len(found), SpanType.IP, "ip/form")


def _said(reading: NormalisedText) -> Iterator[Span]:
    """Pages whose dots and slashes are said; a name of several words starts where the sentence is left."""
    if not _dotted().search(reading.figures):
        return
    for match in _spoken().finditer(reading.figures):
        start = match.start()
        if not match.group(1):
            first = match.group().split(b" ", 1)[0].decode("ascii")
            if first in _no_host():
                continue
            before = _named().search(reading.figures[max(0, start - _LONGEST_BEFORE) : start])
            start -= len(_without_lead(before.group(1))) if before else 0
        yield reading.span(start, match.end(), SpanType.URL, "url/form")


def _without_lead(before: bytes) -> bytes:
    """Words before a host, without those at their start that only lead up to it."""
    while before and (first := before.partition(b" "))[0].decode("ascii") in _no_host():
        before = first[2]
    return before


def _machines(reading: NormalisedText) -> Iterator[Span]:
    for look in (_four(), _four_short()):
        for match in look.finditer(reading.figures):
            parts = ".".join(_parts(match.group()))
            if _is_address(parts) and not _beside(reading.figures, match.start(), match.end()):
                yield reading.span(match.start(), match.end(), SpanType.IP, "ip/form")


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
    """Four numbers, each in as many figures as it is said in: "one nine two dot"."""
    return _numbers_with(r"(?:\d \d \d|\d \d\d|\d\d \d|\d \d|\d{1,3})")


@cache
def _four_short() -> Any:
    """The same where what follows the last figure is another number."""
    return _numbers_with(r"(?:\d{1,3}|\d \d{1,2}|\d \d \d|\d\d \d)")


def _numbers_with(part: str) -> Any:
    filler = rf"(?:{either(words('numbers', 'fillers'))} )?"
    return pattern(rf"\b{part}(?:(?:\.| {filler}{_dot()} {filler}){part}){{3}}\b")


def _dot() -> str:
    return either(words("email", "dot"))


@cache
def _dotted() -> Any:
    return pattern(rf" {_dot()} ")


@cache
def _named() -> Any:
    """Words of a host (group 1) behind one that tells of a page or begins its address."""
    lead = either((*words("email", "stop"), *words("link", "is")))
    return pattern(rf"(?:^|[ ']){lead} ((?:[a-z0-9~]{{2,}} ){{1,2}})$")


@cache
def _spoken() -> Any:
    """`w w w dot my farm dot co dot uk slash shop`. Group 1 is what it begins with, if it is no name."""
    dot, slash, colon = _dot(), either(words("email", "slash")), either(words("email", "colon"))
    scheme = rf"h ?t ?t ?p ?s? (?:{colon}|:)(?: {slash}| ?/ ?){{2}} "
    www = rf"(?:(?:w ?w ?w|3 w|triple w|vu vu vu|doppia vu doppia vu doppia vu|trois w|tre w|driedubbel w) {dot} )"
    label = r"(?:[a-z0-9~-]+ ){1,3}?"
    single = either(each for each in shared("domains") if "." not in each)
    plain = rf"(?:{single}|co {dot} u ?k|i t|b e|n l|f r|app|site|online|shop|blog)"
    name = r"(?:(?:[a-z]|\d+)(?: (?:[a-z]|\d+)\b)+|\d+|[a-z~][a-z0-9~-]*)"
    piece = rf"{name}(?: (?:{dot}|{either(words('email', 'joint'))}) [a-z0-9~-]+)*"
    path = rf"(?: {slash} {piece})*"
    hosts = rf"{label}(?:{dot} {label}){{0,3}}?{dot} {plain}\b"
    bare = (
        rf"[a-z0-9~-]+ (?:{dot} [a-z0-9~-]+ ){{0,2}}?{dot} (?:co {dot} u ?k|{plain} {slash} {piece}|{_sure_domain()})\b"
    )
    return pattern(rf"\b(?:({scheme}{www}?|{www}){hosts}|{bare}){path}")


def _sure_domain() -> str:
    return either(each for each in shared("domains") if "." not in each and each not in shared("word_domains"))


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
