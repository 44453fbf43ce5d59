"""Says the signs that stand before a figure or between two: "≥ 3", "± 20", "20 ± 5", "65+", "n° 5", "25 & 26"."""

from __future__ import annotations

import re
from collections.abc import Mapping

from careline.speech import language_data
from careline.speech.spoken.written_number import VULGAR_FRACTIONS, word_before

_FIGURE_NEXT = rf"(?=(?:[€$£][ \u00a0]?)?[+−-]?[0-9{''.join(VULGAR_FRACTIONS)}])"
_COMPARED = re.compile(
    rf"(?<![-=<>~+])(>=|≥|⩾|<=|≤|⩽|>|<|±|\+/[-−–]|\+[-−–]|≈|~|(?<![^\s0-9)])=)"
    rf"[ \u00a0\u202f]?{_FIGURE_NEXT}"
)
"""An arrow ("->", "=>") compares nothing, nor does what stands between a name and its value ("id=5")."""
_TAG, _TAG_END = re.compile(r"</?[a-zA-Z][^<>]{0,60}>"), "\ue001"
"""A tag is closed by the sign; it compares nothing there."""
_FIGURE_BEFORE = re.compile(rf"[0-9%°{''.join(VULGAR_FRACTIONS)}][ \u00a0]?$")
_AND_MORE = re.compile(r"(?<=[0-9])\+(?![/−–+-]|[^\W_])")
_NUMBERED = re.compile(r"(?<![^\W_])(?:[nN][°º]\.?|№)[ \u00a0]?(?=[A-Z]?[0-9])")
_AROUND_THE_CLOCK = re.compile(r"(?<![^\W_])[hH][ \u00a0]?24(?![:.,/-]?[0-9]|[^\W_])")
_AMPERSAND = re.compile(r"(?<=[ \u00a0])&(?=[ \u00a0])")
_NAMES: Mapping[str, str] = {
    ">": "above", "<": "below", "≈": "about", "~": "about", "=": "equal",
    ">=": "at_least", "≥": "at_least", "⩾": "at_least", "<=": "at_most", "≤": "at_most", "⩽": "at_most",
}  # fmt: skip
"""Keys of `comparisons` in a language's data. What is not here is a plus and a minus together."""


def spoken_signs(text: str, language: str) -> str:
    """The text with the signs that compare figures or bound them in words; the figures stay as they are."""
    words = language_data.table(language, "comparisons")
    if "<" in text:
        text = _TAG.sub(lambda match: match[0][:-1] + _TAG_END, text)
    text = _COMPARED.sub(lambda match: _compared(match, text, words), text)
    text = _AND_MORE.sub(f" {language_data.table(language, 'numbers', 'signs')['plus']}", text)
    text = _NUMBERED.sub(f"{language_data.text(language, 'numbers', 'number_sign')} ", text)
    if (always := language_data.table(language, "fractions", "always").get("h24")) is not None:
        text = _AROUND_THE_CLOCK.sub(lambda match: _around_the_clock(match, text, always, language), text)
    text = text.replace(_TAG_END, ">")
    return _AMPERSAND.sub(language_data.text(language, "menu", "and"), text)


def _around_the_clock(match: re.Match[str], text: str, said: str, language: str) -> str:
    """ "Aperto H24" is day and night; "camera H24" is a room."""
    is_named = word_before(text, match.start()) in language_data.texts(language, "numbers", "codes_after")
    return match[0] if is_named else said


def _compared(match: re.Match[str], text: str, words: Mapping[str, str]) -> str:
    """The word with a space on both sides. A plus and a minus before a figure alone mean that it is no exact one."""
    between = _FIGURE_BEFORE.search(text[max(0, match.start() - 2) : match.start()]) is not None
    said = words[_NAMES.get(match[1]) or ("plus_minus" if between else "about")]
    before = text[match.start() - 1 : match.start()]
    gap = " " if before.isalnum() or before in {"%", "°"} | set(VULGAR_FRACTIONS) else ""
    return f"{gap}{said} "
