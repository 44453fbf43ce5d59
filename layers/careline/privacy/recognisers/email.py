"""E-mail addresses, typed or said aloud: `jan punt peeters apenstaartje telenet punt be`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from careline.model import LANGUAGES, Span, SpanType
from careline.privacy.reading import Reading
from careline.privacy.vocabulary import either, folded, pattern, shared, tables, words

_MOST_WORDS_BEFORE = 3
_LONGEST_LOCAL = 64
"""RFC 5321 allows no longer part before the @."""
_WORD_CHARACTERS = b"abcdefghijklmnopqrstuvwxyz0123456789_+~"


def find(reading: Reading) -> Iterator[Span]:
    """Addresses with a known ending, or with a provider that is said without one."""
    for match in _address().finditer(reading.figures):
        start = _start(reading.figures, match.start())
        yield reading.span(start, match.end(), SpanType.EMAIL, "email/form")


def _start(figures: bytes, start: int) -> int:
    """Where the part before the @ starts when its first words were said without a dot between them."""
    spelled = False
    for _ in range(_LONGEST_LOCAL):
        end = start
        while end > 0 and figures[end - 1 : end] == b" ":
            end -= 1
        begin = end
        while begin > 0 and figures[begin - 1] in _WORD_CHARACTERS and end - begin < _LONGEST_LOCAL:
            begin -= 1
        word = figures[begin:end].decode("ascii")
        letter = len(word) == 1 and (spelled or word not in _stop())
        if not (0 < start - end < 3) or not word or (word in _stop() and not letter):
            break
        if not letter:
            return start
        spelled, start = True, begin
    return start


@cache
def _stop() -> frozenset[str]:
    return frozenset(words("email", "stop"))


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
    return pattern(
        rf"{local}(?:{said}(?:{spoken_host}{dot}{ending}|{provider})|{typed}{host}(?:{dot}[a-z]{{2,24}})?)\b"
    )
