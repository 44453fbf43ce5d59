"""Tells the signs of notes from what they stand behind: "12.50¹" is 12.50 and a note, "25 m²" is no note."""

from __future__ import annotations

from collections.abc import Sequence

SUPERSCRIPTS = "¹²³⁴⁵⁶⁷⁸⁹⁰⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰ"
SIGNS = SUPERSCRIPTS + "*†‡§"
"""Superscript characters stay apart from digits as long as nobody normalises them to compatible ones."""


def note_in(text: str) -> tuple[str, str] | None:
    """The sign and the text of a note ("* by appointment", "¹ without VAT"); None when a text is none."""
    sign = text[: len(text) - len(text.lstrip(SIGNS))]
    said = text[len(sign) :].lstrip(" .):").strip()
    return (sign, said) if 0 < len(sign) <= 3 and any(map(str.isalpha, said)) else None


def signs_of(value: str) -> tuple[str, str]:
    """A value without the signs of notes behind it, and the signs. An exponent of a unit (m², 10⁹) is no sign."""
    bare = value.rstrip(SIGNS)
    signs = value[len(bare) :]
    before = bare[-2:]
    is_exponent = set(signs) <= set("²³") and before[-1:] == "m" and not before[:1].isalpha()
    is_exponent = is_exponent or before[-2:] in ("cm", "mm", "dm", "km") or before == "10"
    if not signs or (is_exponent and "*" not in signs):
        return value, ""
    return bare.rstrip(), signs


def each_sign(signs: str) -> Sequence[str]:
    """Signs that stand together ("¹²" are two, "**" is one)."""
    return [signs] if set(signs) <= {"*"} else signs
