"""Says what stands in a line of a DOCX that is no text: pictures with what their author says of them, and objects.

Their words are not read, but for a picture's description; of a diagram or chart they are kept for people to look at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from careline.knowledge.extract.docx.names import BOX, WP, A, O, R, V, W
from careline.knowledge.extract.docx.package import Package

_DECORATIVE = "{http://schemas.microsoft.com/office/drawing/2017/decorative}decorative"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_PICTURE = "{http://schemas.openxmlformats.org/drawingml/2006/picture}"
_FILE = re.compile(r"(?:.*[\\/])?[^\\/]{1,200}\.(?:png|jpe?g|gif|bmp|tiff?|svg|[ew]mf|webp|heic)|https?://\S+", re.I)
_LONGEST_WORDS = 2_000


@dataclass(frozen=True, slots=True)
class InlineObject:
    """What stands in a line. `told` is a description that replaces it for readers who do not see it, `unread` what it
    is where nobody reads it; `is_formula` says that a line without it says something else."""

    told: str = ""
    unread: str = ""
    is_formula: bool = False
    has_line: bool = True
    """Whether it stands in the line, not beside it."""


def object_in(element: Any, package: Package | None, part: str) -> InlineObject | None:
    """What a drawing, picture or object of a part shows; None for lines, frames and text boxes."""
    if element.tag == W + "drawing":
        return _drawing(element, package, part)
    embedded = next(element.iter(O + "OLEObject"), None)
    if embedded is not None:
        program = embedded.get("ProgID", "")[:40]
        if program.lower().startswith(("equation", "mathtype")):
            return InlineObject(unread="formula", is_formula=True)
        return InlineObject(unread=f"embedded object {program}".strip())
    if next(element.iter(W + "control"), None) is not None:
        return InlineObject(unread="form control")
    return _vector(element)


def _drawing(drawing: Any, package: Package | None, part: str) -> InlineObject | None:
    graphic = next(drawing.iter(A + "graphicData"), None)
    kind = graphic.get("uri", "").rpartition("/")[2] if graphic is not None else ""
    in_line = drawing.find(WP + "inline") is not None
    if kind in ("chart", "chartex"):
        words = _words(package, part, next(drawing.iter(_CHART + "chart"), None), "id")
        return InlineObject(unread=f"chart: {words}" if words else "chart", has_line=in_line)
    if kind == "diagram":
        words = _words(package, part, next(drawing.iter(_DIAGRAM + "relIds"), None), "dm")
        return InlineObject(unread=f"diagram: {words}" if words else "diagram", has_line=in_line)
    if next(drawing.iter(BOX), None) is not None:
        return None
    properties = next(drawing.iter(WP + "docPr"), None)
    if properties is None or any(each.get("val") in ("1", "true") for each in drawing.iter(_DECORATIVE)):
        return None
    said = properties.get("descr", "") or properties.get("title", "")
    if is_description(said):
        return InlineObject(told=" ".join(said.split()), has_line=in_line)
    return _unread_picture(said, in_line) if next(drawing.iter(_PICTURE + "pic"), None) is not None else None


def is_description(said: str) -> bool:
    """Whether somebody wrote an alternative text: programs give the file's name, or guess in lines of their own."""
    return bool(said.strip()) and "\n" not in said.strip() and _FILE.fullmatch(said.strip()) is None


def _unread_picture(said: str, in_line: bool) -> InlineObject:
    said = " ".join(said.split())
    return InlineObject(unread=f"picture: {said}" if said else "picture", has_line=in_line)


def _vector(pict: Any) -> InlineObject | None:
    """A drawing in VML: lettering says what it shows, a picture what its author says of it."""
    lettering = " ".join(each.get("string", "") for each in pict.iter(V + "textpath")).strip()
    if lettering:
        return InlineObject(told=lettering, has_line=False)
    if next(pict.iter(BOX), None) is not None:
        return None
    pictures = [each for each in pict.iter(V + "imagedata") if each.get(R + "id") or each.get(R + "pict")]
    if not pictures:
        return None
    said = pictures[0].getparent().get("alt", "")
    return InlineObject(told=" ".join(said.split())) if is_description(said) else _unread_picture(said, True)


def _words(package: Package | None, part: str, element: Any, attribute: str) -> str:
    """The words in the part that holds a diagram or a chart."""
    found = package.named(part, element, R + attribute) if package is not None else None
    root = package.xml_if_readable(found.target) if package is not None and found is not None else None
    if root is None:
        return ""
    texts = (" ".join((each.text or "").split()) for each in root.iter(A + "t", _CHART + "v"))
    return "; ".join(filter(None, texts))[:_LONGEST_WORDS]
