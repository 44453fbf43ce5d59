"""Writes what is set in a font of signs (Symbol, Wingdings, Webdings) as the characters that its readers see.

Such a font has signs at the codes of letters. Word writes them as `w:sym`, as private characters (U+F020 to U+F0FF) or
as the letters themselves (ECMA-376, 17.3.3.30).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import yaml

NOTHING = "\ufffd"
"""Stands for a sign that nobody but the font knows."""

_PRIVATE = range(0xF000, 0xF100)
_FIRST, _LAST = 0x20, 0xFF


@cache
def _fonts() -> tuple[dict[str, str], dict[str, str]]:
    """The signs of each font from code 0x20 on, by its names without capitals and spaces."""
    read = yaml.load(
        files("careline.knowledge.extract.docx.inline").joinpath("symbols.yaml").read_text("utf-8"),
        Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader),  # noqa: S506
    )
    usual = {ord(sign): common for common, others in read["written"].items() for sign in others}
    signs = {font: "".join(rows).translate(usual) for font, rows in read["fonts"].items()}
    return read["names"], signs


def _signs(font: str) -> str | None:
    names, signs = _fonts()
    name = names.get("".join(font.casefold().split()))
    return signs[name] if name is not None else None


def written(text: str, font: str) -> str:
    """A text set in a font, with the signs that the font shows; unchanged in a font of letters.

    `NOTHING` stands for each sign that is not known. Private characters of a font of letters are such signs.
    """
    if text.isascii() and not font:
        return text
    signs = _signs(font) if font else None
    if signs is not None:
        return "".join(_sign(character, signs) for character in text)
    return "".join(NOTHING if ord(character) in _PRIVATE else character for character in text)


def _sign(character: str, signs: str) -> str:
    code = ord(character)
    place = code - _PRIVATE.start if code in _PRIVATE else code
    return signs[place - _FIRST] if _FIRST <= place <= _LAST else character


def sign_of(code: str, font: str) -> str:
    """The character of a `w:sym`; `code` is hexadecimal. `NOTHING` where nobody but the font knows it."""
    try:
        character = chr(int(code, 16))
    except (ValueError, OverflowError):
        return NOTHING
    if not character.isprintable() and ord(character) not in _PRIVATE:
        return NOTHING
    return written(character, font)
