"""Says amounts of money as one pays them: "één euro twintig", "fifty cents", "un euro e venti"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from careline.speech import language_data
from careline.speech.spoken.written_number import AnswerAccumulator, WrittenNumber, dash_at, join_range, read_number

_AMOUNT = (
    r"([0-9]{1,3}(?:[.,'’ \u00a0][0-9]{3}){1,2}(?![0-9])|[0-9]+)(?:[.,](?:([0-9]{1,2})|[-–—]{1,2}))?(?![0-9]|[.,][0-9])"
)
_BARE = re.compile(_AMOUNT)
_WHOLE = re.compile(r"([0-9]{1,3}(?:['’][0-9]{3})*)\.[–—](?![0-9])")
SIGNS = r"€|EUR|\$|£|(?<![^\W\d_])(?:CHF|S?Fr\.?)"
"""Signs of currencies that stand before an amount; francs are written with any of the last two in Switzerland."""
_SIGN_FIRST = re.compile(rf"({SIGNS})[ \u00a0]?{_AMOUNT}")
_SIGN_ONLY = re.compile(rf"({SIGNS})[ \u00a0]?(?=[0-9])")
_SIGN_AFTER = re.compile(r"[ \u00a0]?(€|EUR\b|[Ee]uros?\b|\$|£|CHF\b)")
_FRANCS = frozenset(("CHF", "Fr", "SFr"))
_SCALE = re.compile(r"[ \u00a0]?([^\W\d_]{3,9})(?![^\W_])")


@dataclass(frozen=True, slots=True)
class _Price:
    end: int
    sign: str
    whole: str
    cents: int

    def said(self, language: str) -> str:
        """The amount with its currency."""
        cents = str(self.cents)
        if self.whole.strip("0") == "" and self.cents:
            unit = language_data.lists(language, "money")["cents"]
            return WrittenNumber(0, cents).with_unit(unit, language)
        said = WrittenNumber(0, self.whole).with_unit(_currency(self.sign, language), language)
        if not self.cents:
            return said
        return f"{said}{language_data.lists(language, 'money')['joint'][0]}{WrittenNumber(0, cents).said(language)}"


def price(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """The amount, or the range of two amounts, that begins at `at` with its sign or its first figure."""
    first = _sign_first(text, at) or _sign_after(text, at)
    if first is None and (whole := _WHOLE.match(text, at)):
        # "16.–" in a column of prices has no currency beside it.
        return whole.end(), WrittenNumber(0, _made(0, "€", whole[1], None).whole).said(language)
    low = first or _bare(text, at, "€")
    if low is None or (first is not None and _is_scaled(text, first.end, language)):
        return _with_scale(text, at, language)
    dash = dash_at(text, low.end)
    if dash is not None:
        high = _sign_first(text, dash) or _sign_after(text, dash)
        if high is None and first is not None:
            high = _bare(text, dash, first.sign)
        if high is not None:
            bare = WrittenNumber(0, low.whole).said(language) if not low.cents else low.said(language)
            return high.end, join_range(bare, high.said(language), text, at, language)
    return (first.end, first.said(language)) if first is not None else None


def _sign_first(text: str, at: int) -> _Price | None:
    match = _SIGN_FIRST.match(text, at)
    return _made(match.end(), match[1], match[2], match[3]) if match else None


def _sign_after(text: str, at: int) -> _Price | None:
    match = _BARE.match(text, at)
    sign = _SIGN_AFTER.match(text, match.end()) if match else None
    return _made(sign.end(), sign[1], match[1], match[2]) if match and sign else None


def _bare(text: str, at: int, sign: str) -> _Price | None:
    match = _BARE.match(text, at)
    return _made(match.end(), sign, match[1], match[2]) if match else None


def _made(end: int, sign: str, whole: str, cents: str | None) -> _Price:
    digits = "".join(c for c in whole if c.isdigit())
    return _Price(end, sign, digits.lstrip("0") or "0", int((cents or "0").ljust(2, "0")))


def _is_scaled(text: str, at: int, language: str) -> bool:
    match = _SCALE.match(text, at)
    return match is not None and match[1].lower() in _scales(language)


def _with_scale(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """A sign before a number that is no amount in cents: "€ 1,2 miljoen"."""
    sign = _SIGN_ONLY.match(text, at)
    number = read_number(text, sign.end(), language) if sign else None
    if sign is None or number is None:
        return None
    unit = _currency(sign[1], language)
    scale = _SCALE.match(text, number.end)
    if scale is not None and scale[1].lower() in _scales(language):
        of = f" {'d’' if language == 'fr' and not scale[1].startswith('mille') else ''}{unit[1]}".replace("d’ ", "d’")
        return scale.end(), f"{number.said(language)} {scale[1]}{of}"
    return number.end, number.with_unit(unit, language)


def _currency(sign: str, language: str) -> tuple[str, ...]:
    is_francs = sign.rstrip(".") in _FRANCS
    return language_data.lists(language, "money")["CHF" if is_francs else sign if sign in "$£" else "€"]


@cache
def _scales(language: str) -> frozenset[str]:
    return frozenset(language_data.texts(language, "numbers", "scales"))
