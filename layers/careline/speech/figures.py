"""Writes telephone numbers, prices and times the way they are said; commas make the voice pause between groups."""

from __future__ import annotations

import re

_PHONE = re.compile(r"(?<![\d,.€])(?:\+\d{2}[ .]?)?\(?0?\d{1,3}\)?(?:[ ./-]\d{2,3}){2,4}(?![\d,.]\d)")
_PRICE = re.compile(
    r"€\s?(\d{1,3}(?:[. ]\d{3})*|\d+)(?:[.,](\d{2}))?(?!\d)|(?<!\d)(\d{1,3}(?:[. ]\d{3})*|\d+)(?:[.,](\d{2}))?\s?€"
)
_TIME = re.compile(r"(?<!\d)([01]?\d|2[0-4])[:h.u]([0-5]\d)(?:\s?(?:uur|u|h|heures|Uhr))?(?![\d.:,])")

EURO = {
    "nl": ("euro", "euro", " "),
    "en": ("euro", "euros", " "),
    "fr": ("euro", "euros", " "),
    "it": ("euro", "euro", " e "),
}
HOURS = {"nl": ("uur", "uur"), "fr": ("heure", "heures")}


def spoken_figures(text: str, language: str) -> str:
    """The text with its telephone numbers, euro amounts and times of day respelled for speech."""
    text = _PRICE.sub(lambda match: _price(match, language), text)
    text = _PHONE.sub(_phone, text)
    return _TIME.sub(lambda match: _time(match, language), text)


def _phone(match: re.Match[str]) -> str:
    digits = re.sub(r"[()+]", "", match[0])
    if sum(c.isdigit() for c in digits) < 8:
        return match[0]
    return ", ".join(re.split(r"[ ./-]+", digits))


def _price(match: re.Match[str], language: str) -> str:
    whole, cents = (match[1], match[2]) if match[1] else (match[3], match[4])
    whole = re.sub(r"\D", "", whole)
    one, many, joint = EURO.get(language, EURO["en"])
    unit = one if whole == "1" else many
    if not cents or cents == "00":
        return f"{whole} {unit}"
    if whole == "0":
        return f"{int(cents)} cent"
    return f"{whole} {unit}{joint}{int(cents)}"


def _time(match: re.Match[str], language: str) -> str:
    hour, minute = int(match[1]), int(match[2])
    if language == "it":
        return f"{hour}" if minute == 0 else f"{hour} e {minute}"
    if language not in HOURS:
        return f"{hour}:{minute:02d}"
    one, many = HOURS[language]
    unit = one if hour in {0, 1} else many
    return f"{hour} {unit}" if minute == 0 else f"{hour} {unit} {minute}"
