"""Turns encoded runs inside a text back into the words they stand for, so that a screen can read them."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

_SHORTEST = 4
_READABLE = 0.85
_MORSE_LETTERS = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
)
_MORSE = dict(zip(_MORSE_LETTERS.split(), "abcdefghijklmnopqrstuvwxyz", strict=True))
_DASHES = str.maketrans({"−": "-", "–": "-", "—": "-", "_": "-", "·": ".", "•": "."})


def decodings(text: str) -> Iterator[tuple[str, str]]:
    """The name of the code, and the text with its runs of that code decoded, once for each code found. Never raises."""
    for name, run, decode in _CODES:
        found: list[str] = []
        for each in run.finditer(text):
            try:
                decoded = decode(each.group())
            except ValueError:  # what is wrong with a run says only that it is not of this code
                continue
            if _readable(decoded):
                found.append(decoded)
        if found:
            yield name, " ".join(found)


def _readable(text: str) -> bool:
    plain = sum(each.isalpha() or each in " '.,!?:;-\n0123456789" for each in text)
    return len(text) >= _SHORTEST and plain >= _READABLE * len(text) and any(map(str.isalpha, text))


def _base64(run: str) -> str:
    run = run.rstrip("=").translate(str.maketrans("-_", "+/"))
    return _text(base64.b64decode(run + "=" * (-len(run) % 4)))


def _base32(run: str) -> str:
    run = run.rstrip("=")
    return _text(base64.b32decode(run + "=" * (-len(run) % 8)))


def _hexadecimal(run: str) -> str:
    return _text(bytes.fromhex(re.sub(r"0x|\\x|[^0-9a-fA-F]", "", run)))


def _binary(run: str) -> str:
    groups = run.split()
    if len(groups) < 2:
        bits = run.replace(" ", "")
        groups = [bits[start : start + 8] for start in range(0, len(bits), 8)]
    return "".join(chr(int(each, 2)) for each in groups)


def _decimal(run: str) -> str:
    codes = [int(each) for each in re.findall(r"\d+", run)]
    if any(each != 32 and not 65 <= each <= 122 for each in codes):
        raise ValueError
    return "".join(map(chr, codes))


def _morse(run: str) -> str:
    words = re.split(r"\s*[/|]\s*|\s{3,}", run.translate(_DASHES).strip())
    return " ".join("".join(_MORSE.get(letter, "?") for letter in word.split()) for word in words)


def _escaped(run: str) -> str:
    return re.sub(r"\\u\{?([0-9a-fA-F]{4})\}?", lambda found: chr(int(found.group(1), 16)), run)


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


_Code = tuple[str, re.Pattern[str], Callable[[str], str]]
_CODES: tuple[_Code, ...] = (
    ("base64", re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}"), _base64),
    ("base32", re.compile(r"\b[A-Z2-7]{16,}={0,6}"), _base32),
    ("hexadecimal", re.compile(r"(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ ,:]?){6,}"), _hexadecimal),
    ("binary", re.compile(r"\b[01]{7,8}(?: [01]{7,8}){2,}\b|\b[01]{32,}\b"), _binary),
    ("decimal", re.compile(r"\b\d{2,3}(?:[ ,]{1,2}\d{2,3}){7,}\b"), _decimal),
    ("morse", re.compile(r"[.·•_–−—-]{1,5}(?:[ ]{1,3}(?:[/|][ ]?)?[.·•_–−—-]{1,5}){5,}"), _morse),
    ("percent", re.compile(r"(?:%[0-9a-fA-F]{2}[A-Za-z]?){4,}"), unquote),
    ("entities", re.compile(r"(?:&#x?[0-9a-fA-F]{2,6};){4,}"), html.unescape),
    ("escapes", re.compile(r"(?:\\u\{?[0-9a-fA-F]{4}\}?){4,}"), _escaped),
)
