"""Reads the words that identifiers are spoken and written with, folded the way texts are folded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from careline.model import LANGUAGES
from careline.text.bounded_re2 import compile_bounded

_SPECIAL = {
    **dict(zip("ßæœøłđðþı", "saoolddti", strict=True)),
    **dict.fromkeys("’‘ʼ´`", "'"),
    **dict.fromkeys("–—‑‐−", "-"),
    **dict.fromkeys("º°ª", "^"),
    **dict.fromkeys("€£", "$"),
}
_OTHER_LETTER, _OTHER_MARK = "~", "?"
NOTHING = "\x7f"
"""Stands for an accent of its own or an invisible character, which readers skip."""


class _Folding(dict[int, str]):
    """One ASCII character for each code point: lower case, no accent; a `~` for a letter of another script."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold(chr(code))
        return folded


def _fold(character: str) -> str:
    lower = character.lower()[:1]
    if lower in _SPECIAL:
        return _SPECIAL[lower]
    if lower.isspace():
        return " "
    base = unicodedata.normalize("NFKD", lower)[:1]
    if base.isascii() and base.isprintable():
        return base.lower()
    if unicodedata.combining(lower) or unicodedata.category(lower) == "Cf":
        return NOTHING
    return _OTHER_LETTER if lower.isalpha() else _OTHER_MARK


_FOLDING = _Folding({code: chr(code).lower() if 32 <= code < 127 else " " for code in range(128)})


def fold(text: str) -> bytes:
    """The text in lower-case ASCII, one byte for each code point, so that offsets stay what they are."""
    return text.translate(_FOLDING).encode("ascii")


@cache
def tables(language: str) -> dict[str, Any]:
    """The words of one language, or of `shared`, as written in `data/<language>.yaml`."""
    content = files("careline.privacy").joinpath("data", f"{language}.yaml").read_bytes()
    loaded: dict[str, Any] = yaml.load(content, Loader=yaml.CSafeLoader)
    return loaded


@cache
def shared(name: str) -> Any:
    """One table of `shared.yaml`."""
    return tables("shared")[name]


@cache
def words(section: str, *names: str) -> tuple[str, ...]:
    """The folded words of lists in all languages, longest first; callers mix languages, so patterns do too."""
    found: set[str] = set()
    for language in LANGUAGES:
        table = tables(language).get(section, {})
        for listed in [table.get(name, ()) for name in names] if names else [table]:
            found.update(folded(spelling) for each in listed for spelling in each.split("|"))
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


def folded(word: str) -> str:
    """A word as it stands in a folded text."""
    return fold(word).decode("ascii")


def either(listed: Iterable[str]) -> str:
    """RE2 for one of some phrases; between their words stand spaces, hyphens or an apostrophe."""
    return "(?:" + "|".join(re.sub(r"(?:\\ |\\-)+", "[ '-]{1,2}", re.escape(each)) for each in listed) + ")"


def pattern(written: str) -> Any:
    """RE2 over folded bytes. Matches are byte offsets, which are code points there."""
    return compile_bounded(written.encode("ascii"), latin1=True)
