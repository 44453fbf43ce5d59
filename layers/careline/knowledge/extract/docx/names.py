"""The names of elements and attributes of WordprocessingML, as lxml writes them."""

from __future__ import annotations

from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
V = "{urn:schemas-microsoft-com:vml}"
O = "{urn:schemas-microsoft-com:office:office}"  # noqa: E741
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
W16SE = "{http://schemas.microsoft.com/office/word/2015/wordml/symex}"

STRICT = (
    (b"http://purl.oclc.org/ooxml/wordprocessingml/main", W),
    (b"http://purl.oclc.org/ooxml/officeDocument/math", M),
    (b"http://purl.oclc.org/ooxml/officeDocument/relationships", R),
    (b"http://purl.oclc.org/ooxml/drawingml/main", A),
    (b"http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing", WP),
)
"""Namespaces of the strict form and the same of the usual, transitional one (ISO/IEC 29500, parts 1 and 4)."""

P, R_, T, TBL, TR, TC = W + "p", W + "r", W + "t", W + "tbl", W + "tr", W + "tc"
SDT, SDT_CONTENT, BOX = W + "sdt", W + "sdtContent", W + "txbxContent"
VAL = W + "val"

BLOCK_CONTAINERS = frozenset(
    (
        *(W + name for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag")),
        *(MC + name for name in ("AlternateContent", "Choice", "Fallback")),
    )
)
"""Elements around paragraphs, tables, rows and cells that are no such thing themselves."""

_OFF = frozenset(("0", "false", "off", "none"))


def is_on(mark: Any) -> bool:
    """Whether a switch such as `w:strike` is set (ECMA-376, 17.17.4); one that is absent is not."""
    return mark is not None and mark.get(VAL) not in _OFF


def value(element: Any, path: str) -> str:
    """The `w:val` of an element below another, "" where there is none."""
    found = element.find(path) if element is not None else None
    return "" if found is None else found.get(VAL, "")


def number(text: str, default: int, most: int) -> int:
    """A whole number of an attribute, at most `most`; `default` for anything else."""
    return min(most, int(text)) if text.isascii() and text.isdecimal() and len(text) < 9 else default
