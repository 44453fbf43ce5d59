"""Tells a power ("60 m²", "10^3", "s⁻¹") from a raised number that names a source ("tot 20 uur²")."""

from __future__ import annotations

import re

_EXPONENT = re.compile(r"\$?\^\{?(\d{1,2})\}?[\^$]{0,2}|(\d{1,2})")
_MEASURED = re.compile(r"(?:(?<![^\W\d_])[mcdk]?m|/s)$")
"""What has a square and a cube: a unit of length, and a second that something is divided by."""
_TEN = re.compile(r"(?<![\d.,:/€$£])(?<![€$£][ \u00a0])10$")
"""Ten alone, which no price, time or date ends in."""
_DIMENSIONS = (2, 3)


def is_power(before: str, raised: str) -> bool:
    """Whether a raised number is the exponent of what it stands behind. `raised` is in plain digits, with the signs
    that raise it ("2", "^2", "^{2}", "^2^")."""
    found = _EXPONENT.fullmatch(raised)
    if found is None:
        return False
    base = before.rstrip("*_")
    if raised.endswith("$"):
        # A formula: "$10^2$".
        base = base.replace("$", "")
    if base.endswith("⁻"):
        return True
    exponent = int(found[1] or found[2])
    if _TEN.search(base):
        return exponent > 1
    return exponent in _DIMENSIONS and _MEASURED.search(base) is not None
