"""Turns bytes into text, and refuses where the bytes contradict what the file says about them.

Order of evidence, after the WHATWG Encoding Standard: byte order mark, declaration, valid UTF-8, and last a western
legacy encoding, which is taken only when every accent stands where an accent can stand.
"""

from __future__ import annotations

import codecs
import re

from careline.knowledge.extract.admission import looks_like_utf16
from careline.knowledge.extract.rejections import rejected
from careline.limits import Limits

LEGACY_WARNING = "The file does not say which characters it uses; it was read as {name}."

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_READABLE = re.compile(
    r"utf-8|ascii|iso8859-\d{1,2}|cp(?:125\d|437|8[56]\d|866|874|932|949|950)|koi8-[ru]|mac-roman|mac-latin2|gbk|gb2312|gb18030"
    r"|big5|shift_jis|euc_jp|euc_kr|iso2022_jp"
)
"""Names of Python codecs for text that is found in documents; the others are for programs."""

_LATIN_1 = "iso8859-1"
_SMALL = "a-zàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿœšžß"
_IMPLAUSIBLE = re.compile(
    rf"[{_SMALL}][ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞŒŠŽ]|[A-Za-z][‚„…†‡‰‹›¤¦¨¬¯±¶·¸¿×÷“”•—˜™¡¢£¥§®³¹¼½¾][{_SMALL}]|[\x80-\x9f]|[ðþÐÞ¤¦¬¯¶¸]"
)
_ACCENTED = re.compile(r"[À-ÿŒœŠšŽž]")
_LETTER = re.compile(r"[A-Za-zÀ-ÿŒœŠšŽž]")
_MOST_ACCENTS = 0.25
"""Share of letters with an accent that no text in a western language reaches."""


def decode(content: bytes, limits: Limits, declared: str | None = None) -> tuple[str, list[str]]:
    """The text without byte order mark, line ends as `\\n`, and warnings.

    Raises: DocumentRejected `charset` when bytes contradict the mark or `declared`, or nothing fits them; `too_large`.
    """
    text, warnings = _decode(content, declared)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > limits.max_characters:
        raise rejected("too_large", limit=f"{limits.max_characters:,} characters")
    return text.replace("\0", ""), warnings


def decode_lines(content: bytes, limits: Limits, declared: str | None = None) -> tuple[str, list[str]]:
    """As `decode`, for formats in which lines mean something.

    Raises: as `decode`; DocumentRejected `long_line`.
    """
    text, warnings = decode(content, limits, declared)
    if _longest_line(text) > limits.max_line_characters:
        raise rejected("long_line", limit=f"{limits.max_line_characters:,}")
    return text, warnings


def _decode(content: bytes, declared: str | None) -> tuple[str, list[str]]:
    for bom, name in _BOMS:
        if content.startswith(bom):
            return _strictly(content[len(bom) :], name, "its byte order mark"), []
    if wide := looks_like_utf16(content):
        return _strictly(content, wide, "its zero bytes"), [LEGACY_WARNING.format(name=wide.upper())]
    if declared is not None:
        return _as_declared(content, declared), []
    try:
        return content.decode("utf-8"), []
    except UnicodeDecodeError:
        return _legacy(content), [LEGACY_WARNING.format(name="Windows-1252")]


def _strictly(content: bytes, name: str, evidence: str) -> str:
    try:
        return content.decode(name)
    except UnicodeDecodeError as error:
        raise rejected("charset", detail=f"{evidence} says {name.upper()}, but byte {error.start} is not") from error


def _as_declared(content: bytes, declared: str) -> str:
    name = _codec(declared)
    if name == "utf-8" or not _is_utf8_beyond_ascii(content):
        return _strictly(content, "cp1252" if name == _LATIN_1 and _has_c1(content) else name, "the file")
    raise rejected("charset", detail=f"the file says {name.upper()}, but its bytes are UTF-8")


def _codec(declared: str) -> str:
    """The codec of a declared name. A page that claims UTF-16 in ASCII bytes is UTF-8 (HTML standard, 13.2.3.3)."""
    try:
        name = codecs.lookup(declared.strip()).name
    except (LookupError, ValueError) as error:
        raise rejected("charset", detail="the file names a character set that does not exist") from error
    if name.startswith(("utf-16", "utf-32")):
        return "utf-8"
    if not _READABLE.fullmatch(name):
        raise rejected("charset", detail="the file names a character set that is not for documents")
    return name


def _is_utf8_beyond_ascii(content: bytes) -> bool:
    if content.isascii():
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _has_c1(content: bytes) -> bool:
    """Browsers read ISO-8859-1 as Windows-1252: bytes 80-9F are quotes and the euro, never controls."""
    return len(content.translate(None, bytes(range(0x80, 0xA0)))) != len(content)


def _legacy(content: bytes) -> str:
    text = _strictly_legacy(content)
    letters = len(_LETTER.findall(text[:200_000]))
    accents = len(_ACCENTED.findall(text[:200_000]))
    if accents > letters * _MOST_ACCENTS or _IMPLAUSIBLE.search(text):
        raise rejected("charset", detail="the file does not say which character set it uses and none fits")
    return text


def _strictly_legacy(content: bytes) -> str:
    try:
        return content.decode("cp1252")
    except UnicodeDecodeError as error:
        raise rejected("charset", detail="the file does not say which character set it uses and none fits") from error


def _longest_line(text: str) -> int:
    longest = start = 0
    while (end := text.find("\n", start)) >= 0:
        longest = max(longest, end - start)
        start = end + 1
    return max(longest, len(text) - start)
