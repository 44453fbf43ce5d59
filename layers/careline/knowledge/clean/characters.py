"""Repairs characters: text that was decoded with the wrong table, ligatures, invisible and control characters."""

from __future__ import annotations

import re
import unicodedata

_MOJIBAKE = re.compile("[ÂÃÄÅâãïðÐÑ][\x80-\xbf\u0152-\u0178\u02c6\u02dc\u2013-\u203a\u20ac\u2122 ]")
"""Two characters that UTF-8 leaves behind when read as Windows-1252: a cheap sign that repair is worth trying."""

_COMPATIBILITY = re.compile("[\ufb00-\ufb06\uff01-\uff5e]")
_INVISIBLE = re.compile(
    "[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufffc\ufff9-\ufffb]|[\x00-\x08\x0e-\x1f\x7f-\x9f]|[\ue000-\uf8ff]"
)
_SPACES = re.compile("[\t\x0b\x0c\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029\x85]")
_COMBINING = re.compile("[\u0300-\u036f]")


def repaired(text: str) -> str:
    """The text with its characters put right, in composed form (NFC). Line ends and ordinary spaces stay."""
    if text.isascii() and text.isprintable():
        return text
    if _MOJIBAKE.search(text):
        from ftfy import fix_encoding

        text = fix_encoding(text)
    text = _COMPATIBILITY.sub(lambda found: unicodedata.normalize("NFKC", found.group()), _LINE_ENDS.sub("\n", text))
    text = _INVISIBLE.sub("", _SPACES.sub(" ", text))
    return unicodedata.normalize("NFC", text) if _COMBINING.search(text) else text
