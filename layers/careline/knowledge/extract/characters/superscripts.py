"""Writes raised signs as superscript characters, so that a note's number never reads as the last digit of a figure."""

from __future__ import annotations

_PLAIN = "0123456789+-−=()abcdefghijklmnoprstuvwxyz"
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
_TABLE = str.maketrans(_PLAIN, _RAISED)
_ORDINAL_LETTERS = frozenset("eoh")
"""One raised letter that makes a number an ordinal: 2ᵉ verdieping, 1ᵒ piano. Read as it is said: 2e, 1o."""


def raised(text: str, before: str = "") -> str:
    """Text that is set raised behind `before`, in superscript characters. Endings in letters ("1er", "Mme") stay."""
    letters = text.strip()
    if letters.isalpha() and (len(letters) > 1 or (letters in _ORDINAL_LETTERS and before[-1:].isdecimal())):
        return text
    return text.translate(_TABLE)
