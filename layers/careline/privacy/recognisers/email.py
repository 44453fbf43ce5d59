"""E-mail addresses, typed or said aloud: `jan punt peeters apenstaartje telenet punt be`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from careline.model import LANGUAGES, Span, SpanType
from careline.privacy.normalised_text import NormalisedText
from careline.privacy.vocabulary import either, folded, pattern, shared, tables, words

_LONGEST_LOCAL = 64
"""RFC 5321 allows no longer part before the @."""
_WORD_CHARACTERS = b"abcdefghijklmnopqrstuvwxyz0123456789_+~"


def find(reading: NormalisedText) -> Iterator[Span]:
    """Addresses with a known ending, or with a provider that is said without one."""
    for match in _address().finditer(reading.figures):
        start = _start(reading.figures, match.start())
        yield reading.span(start, match.end(), SpanType.EMAIL, "email/form")


def _start(figures: bytes, start: int) -> int:
    """Where the part before the @ starts when its first words were said without a dot between them."""
    spelled = False
    for _ in range(_LONGEST_LOCAL):
        begin, word = _word_before(figures, start)
        before, joint = _word_before(figures, begin)
        letter = len(word) == 1 and (spelled or word not in _stop())
        if word in _joints():
            if not joint:
                break
            start, spelled = before, False
        elif word and joint in _joints():
            start, spelled = begin, False
        elif letter:
            start, spelled = begin, True
        elif word and word not in _stop() and _starts_with_number(figures, start):
            # A name and a number: "marc 82".
            return begin
        else:
            break
    return start


def _starts_with_number(figures: bytes, start: int) -> bool:
    return figures[start : start + 1].isdigit() and not figures[start - 1 : start].isalnum()


def _word_before(figures: bytes, start: int) -> tuple[int, str]:
    """The word before a place and where it begins; an empty one when none is near."""
    end = start
    while end > 0 and figures[end - 1 : end] == b" ":
        end -= 1
    begin = end
    while begin > 0 and figures[begin - 1] in _WORD_CHARACTERS and end - begin < _LONGEST_LOCAL:
        begin -= 1
    return begin, figures[begin:end].decode("ascii") if 0 < start - end < 3 else ""


@cache
def _stop() -> frozenset[str]:
    return frozenset(words("email", "stop"))


@cache
def _joints() -> frozenset[str]:
    """What is said for a hyphen, an underscore or a dot, in one word."""
    other = {folded(name) for code in LANGUAGES for name in tables(code)["email"]["other"]}
    return frozenset({*words("email", "dot"), *other})


@cache
def _address() -> Any:
    dot = rf"(?: ?\. ?| {either(words('email', 'dot'))} )"
    other = {folded(name) for code in LANGUAGES for name in tables(code)["email"]["other"]}
    joint = rf"(?:[._+-]|{dot}| {either(sorted(other, key=len, reverse=True))} )"
    word = r"[a-z0-9~_+'-]{1,64}"
    typed = r"(?: ?@ ?| ?[(\[] ?at ?[)\]] ?)"
    said = rf"(?:{typed}|,? {either(words('email', 'at'))},? )"
    ending = either(folded(each) for each in sorted(shared("domains"), key=len, reverse=True)).replace(r"\.", dot)
    local = rf"\b{word}(?:{joint}{word}){{0,8}}"
    host = rf"{word}(?:{joint}{word}){{0,4}}"
    spoken_host = rf"(?:[a-z0-9~]{{1,30}} ){{0,2}}{host}"
    provider = either(shared("providers"))
    at_provider = rf" {either(words('email', 'at_provider'))} {provider}(?:{dot}{ending})?"
    return pattern(
        rf"{local}(?:{said}(?:{spoken_host}{dot}{ending}|{provider})|{typed}{host}(?:{dot}[a-z]{{2,24}})?|{at_provider})\b"
    )
