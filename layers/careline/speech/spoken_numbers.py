"""Writes telephone numbers, prices and times the way they are said; commas make the voice pause between groups."""

from __future__ import annotations

import re

_PHONE = re.compile(r"(?<![\d,.€])(?:\+\d{2}[ .]?)?\(?0?\d{1,3}\)?(?:[ ./-]\d{2,3}){2,4}(?![\d,.]?\d)")
_PHONE_IN_FOURS = re.compile(r"(?<![\d,.€])(?:\+\d{2} ?0?|0)\d{1,3}(?: \d{3,4}){2}(?![\d,.]?\d)")
_WHOLE = r"(\d{1,3}(?:[., ]\d{3}){1,5}(?!\d)|\d+)"
_CENTS = r"(?:[.,](\d{1,2}))?"
_PRICE = re.compile(rf"€\s?{_WHOLE}{_CENTS}(?!\d)|(?<![\d.,]){_WHOLE}{_CENTS}\s?€")
_CLOCK, _UNIT, _END = r"([01]?\d|2[0-4])", r"(?:uur|u|heures|h|Uhr)\b", r"(?!\d|[.:,]\d)"
_TIME = re.compile(rf"(?<![\d.,:]){_CLOCK}[:hu]([0-5]\d)(?:\s?{_UNIT})?{_END}")
_DOTTED = rf"(?<![\d.,:]){_CLOCK}\.([0-5]\d)"
_DOTTED_TIMES = (
    re.compile(rf"{_DOTTED}(?=\s?(?:-|–|tot|en|à|et|to|e)\s?\d\d?\.\d\d\s?{_UNIT})"),
    re.compile(rf"{_DOTTED}\s?{_UNIT}"),
    re.compile(rf"{_DOTTED}(?=\s?[ap]\.?m\b)"),
    re.compile(rf"(?:(?<=\b[Oo]re )|(?<=\b[Aa]lle )|(?<=\b[Dd]alle )){_DOTTED}{_END}(?!\s?(?:[mµ]?g|m?l|€|euro)\b)"),
)
"""A dot also stands in doses and versions; it is a time only where its neighbours say so."""
_FULL_HOUR = re.compile(r"(?<![\d.,:€/-])(\d{1,2})\s?[hu]\b(?![-’'])")

EURO = {
    "nl": ("euro", "euro", " "),
    "en": ("euro", "euros", " "),
    "fr": ("euro", "euros", " "),
    "it": ("euro", "euro", " e "),
}
CENT = {
    "nl": ("cent", "cent"),
    "en": ("cent", "cents"),
    "fr": ("centime", "centimes"),
    "it": ("centesimo", "centesimi"),
}
HOURS = {"nl": ("uur", "uur"), "fr": ("heure", "heures")}


def spoken_figures(text: str, language: str) -> str:
    """The text with its telephone numbers, euro amounts and times of day respelled for speech."""
    text = _PRICE.sub(lambda match: _price(match, language), text)
    text = _PHONE_IN_FOURS.sub(_phone, _PHONE.sub(_phone, text))
    for pattern in (_TIME, *_DOTTED_TIMES):
        text = pattern.sub(lambda match: _time(int(match[1]), int(match[2]), language), text)
    if language in HOURS:
        text = _FULL_HOUR.sub(lambda match: _time(int(match[1]), 0, language), text)
    return text


def _phone(match: re.Match[str]) -> str:
    digits = re.sub(r"[()]", "", match[0])
    if sum(c.isdigit() for c in digits) < 8:
        return match[0]
    return ", ".join(re.split(r"[ ./-]+", digits))


def _price(match: re.Match[str], language: str) -> str:
    whole, cents = (match[1], match[2]) if match[1] else (match[3], match[4])
    whole = re.sub(r"\D", "", whole)
    one, many, joint = EURO.get(language, EURO["en"])
    unit = one if whole == "1" else many
    cent = int((cents or "0").ljust(2, "0"))
    if not cent:
        return f"{whole} {unit}"
    if whole == "0":
        return f"{cent} {CENT.get(language, CENT['en'])[cent > 1]}"
    return f"{whole} {unit}{joint}{cent}"


def _time(hour: int, minute: int, language: str) -> str:
    if language == "it":
        return f"{hour}" if minute == 0 else f"{hour} e {minute}"
    if language not in HOURS:
        return f"{hour}:{minute:02d}"
    one, many = HOURS[language]
    unit = one if hour in {0, 1} else many
    return f"{hour} {unit}" if minute == 0 else f"{hour} {unit} {minute}"
