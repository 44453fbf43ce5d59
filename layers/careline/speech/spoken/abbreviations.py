"""Says abbreviations, titles, weekdays and mail addresses in full."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from careline.speech import language_data

_TOKEN = re.compile(r"[^\W\d_]+(?:[./][^\W\d_]+)*\.?")
_NUMBER_NEXT = re.compile(r"[ \u00a0]?[+(]?[0-9]")
_NAME_NEXT = re.compile(r"[ \u00a0][A-ZÀ-Þ]")
_NUMBER_BEFORE = re.compile(r"[0-9][ \u00a0]?$")
_SENTENCE_NEXT = re.compile(r"(?:\s+[A-ZÀ-Þ]|\s*$)")
_DAYS = re.compile(r"(?<![^\W_])([^\W\d_]{2,5})\.?[ ]?[-–][ ]?([^\W\d_]{2,5})(?![^\W_])")
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_MAIL_SIGN = re.compile(r"[@._-]")


def spoken_abbreviations(text: str, language: str) -> str:
    """The text with its abbreviations in full. Words in capitals alone ("MS") are names and stay."""
    text = _DAYS.sub(lambda match: _days(match, language), text)
    return _TOKEN.sub(lambda match: _token(match, text, language), text)


def spoken_mail(text: str, language: str) -> str:
    """The text with the signs of mail addresses said."""
    return _MAIL.sub(lambda match: _MAIL_SIGN.sub(lambda sign: _mail_sign(sign[0], language), match[0]), text)


def _mail_sign(sign: str, language: str) -> str:
    key = {"@": "at", ".": "dot", "-": "dash", "_": "underscore"}[sign]
    return f" {language_data.text(language, 'mail', key)} "


def _days(match: re.Match[str], language: str) -> str:
    """Days of the week as in "ma-vr"."""
    names = language_data.table(language, "dates", "weekdays")
    first, last = names.get(match[1]), names.get(match[2])
    if first is None or last is None:
        return match[0]
    return language_data.text(language, "menu", "through").format(first=first, last=last)


def _token(match: re.Match[str], text: str, language: str) -> str:
    written = match[0]
    bare = written.removesuffix(".")
    if bare.isupper() and len(bare) > 1 and "." not in bare:
        return written
    for key in (written.lower(), bare.lower()):
        if said := _ending(language).get(key):
            return _cased(said, written) + ("." if written.endswith(".") and _ends(text, match.end()) else "")
        if said := _said(key, text, match, language):
            return _cased(said, written)
    return written


def _said(key: str, text: str, match: re.Match[str], language: str) -> str | None:
    if said := _table(language, "words").get(key):
        return said
    if _NUMBER_BEFORE.search(text[max(0, match.start() - 2) : match.start()]):
        return None
    if (said := _table(language, "before_number").get(key)) and _NUMBER_NEXT.match(text, match.end()):
        return said
    named = _table(language, "before_name").get(key)
    return named if named and _NAME_NEXT.match(text, match.end()) else None


def _ends(text: str, at: int) -> bool:
    return _SENTENCE_NEXT.match(text, at) is not None


def _cased(said: str, written: str) -> str:
    return said[:1].upper() + said[1:] if written[:1].isupper() else said


@cache
def _table(language: str, key: str) -> Mapping[str, str]:
    return language_data.table(language, "abbreviations", key)


def _ending(language: str) -> Mapping[str, str]:
    return _table(language, "ending")
