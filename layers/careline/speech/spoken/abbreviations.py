"""Says abbreviations, titles and mail addresses in full."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from careline.speech import language_data
from careline.text.sentences import ends_sentence, is_unknown

_TOKEN = re.compile(r"[^\W\d_]+(?:[./][^\W\d_]+)*\.?")
_NUMBER_NEXT = re.compile(
    r"[ \u00a0]?:?[ \u00a0]?[+(]?(?:[A-Z]{1,2}[.-]?)?[0-9]|[ \u00a0][A-Z](?![^\W_])"
)
"""A number, or what names a room, a route or a building: "C12", "B"."""
_CODE_NEXT = re.compile(r"[ \u00a0](?:[A-Z]{1,2}[.-]?)?[0-9]|[ \u00a0][A-Z](?![^\W_])")
_NAME_NEXT = re.compile(r"[ \u00a0][A-ZÀ-Þ]")
_NUMBER_BEFORE = re.compile(r"[0-9][ \u00a0]?$")
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_MAIL_SIGN = re.compile(r"[@._-]")


def spoken_abbreviations(text: str, language: str) -> str:
    """The text with its abbreviations in full. Words in capitals alone ("MS") are names and stay."""
    text = _one_title(text, language)
    return _TOKEN.sub(lambda match: _token(match, text, language), text)


def spoken_mail(text: str, language: str) -> str:
    """The text with the signs of mail addresses said."""
    return _MAIL.sub(lambda match: _MAIL_SIGN.sub(lambda sign: _mail_sign(sign[0], language), match[0]), text)


def _mail_sign(sign: str, language: str) -> str:
    key = {"@": "at", ".": "dot", "-": "dash", "_": "underscore"}[sign]
    return f" {language_data.text(language, 'mail', key)} "


def _token(match: re.Match[str], text: str, language: str) -> str:
    written = match[0]
    bare = written.removesuffix(".")
    if bare.isupper() and len(bare) > 1 and "." not in bare:
        return written
    for key in (written.lower(), bare.lower()):
        if said := _ending(language).get(key):
            return _cased(said, written) + _stop(written, text, match.end(), language)
        if said := _said(key, text, match, language):
            stop = "" if "." in bare else _stop(written, text, match.end(), language)
            return _cased(said, written) + stop
    return bare if _is_unknown_before_code(written, bare, text, match.end(), language) else written


def _is_unknown_before_code(written: str, bare: str, text: str, end: int, language: str) -> bool:
    """Whether a full stop is that of an abbreviation that nobody listed, before a number or a code: it is no pause."""
    if not written.endswith(".") or "." in bare or len(bare) < 2 or not _CODE_NEXT.match(text, end):
        return False
    return is_unknown(bare.lower(), language) and not ends_sentence(text, end - 1, language)


def _one_title(text: str, language: str) -> str:
    """Of a professor's titles only this one is said: "Prof. dr. Dens" is "professor Dens"."""
    return _professor(language).sub(lambda match: f"{match[1]} {match[2] or ''}", text)


@cache
def _professor(language: str) -> re.Pattern[str]:
    titles = "|".join(map(re.escape, language_data.texts(language, "abbreviations", "below_professor")))
    return re.compile(
        r"(?<![^\W_])([Pp]rof(?:\.ssa|essor|esseur|essore|essoressa)?\.?)[ \u00a0]?([eé]m\.[ \u00a0])?"
        rf"(?:(?i:{titles})(?:\.[ \u00a0]?|[ \u00a0])){{1,4}}(?=[A-ZÀ-Þ])"
    )


def _said(key: str, text: str, match: re.Match[str], language: str) -> str | None:
    if said := _table(language, "words").get(key):
        return said
    if _NUMBER_BEFORE.search(text[max(0, match.start() - 2) : match.start()]):
        return None
    if (said := _table(language, "before_number").get(key)) and _NUMBER_NEXT.match(text, match.end()):
        return said
    named = _table(language, "before_name").get(key)
    return named if named and _NAME_NEXT.match(text, match.end()) else None


def _stop(written: str, text: str, end: int, language: str) -> str:
    """The full stop of an abbreviation where it ends the sentence as well."""
    return "." if written.endswith(".") and ends_sentence(text, end - 1, language) else ""


def _cased(said: str, written: str) -> str:
    return said[:1].upper() + said[1:] if written[:1].isupper() else said


@cache
def _table(language: str, key: str) -> Mapping[str, str]:
    return language_data.table(language, "abbreviations", key)


def _ending(language: str) -> Mapping[str, str]:
    return _table(language, "ending")
