"""Says which runs of a DOCX its readers do not see: marked as hidden, white on paper, or too small, also by style."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SMALLEST = 3
"""Half points; smaller runs are read by nobody."""
_PAPER = frozenset({"FFFFFF", "FEFEFE", "FDFDFD", "FCFCFC"})
_NO_FILL = frozenset({"", "auto", "FFFFFF"})
_GROUNDS = tuple(_W + name for name in ("tbl", "txbxContent"))


class HiddenRuns:
    """The run properties of a document's styles, by which runs are judged."""

    def __init__(self, elements: dict[str, Any], ancestry: Any) -> None:
        self._of_style = {
            name: [found for each in ancestry(style, elements) if (found := each.find(_W + "rPr")) is not None]
            for name, style in elements.items()
        }

    def is_hidden(self, run: Any) -> bool:
        """Whether a `w:r` shows nothing to readers."""
        properties = list(self._properties(run))
        if _on(_first(properties, "vanish")):
            return True
        size = _first(properties, "sz")
        if size is not None and size.get(_W + "val", "").isdecimal() and int(size.get(_W + "val")) < _SMALLEST:
            return True
        colour = _first(properties, "color")
        white = colour is not None and colour.get(_W + "val", "").upper() in _PAPER
        return white and not _on_colour(run, properties)

    def _properties(self, run: Any) -> Iterator[Any]:
        """Run properties, the nearest first: its own, its style's, its paragraph style's."""
        own = run.find(_W + "rPr")
        if own is not None:
            yield own
            style = own.find(_W + "rStyle")
            yield from self._of_style.get(style.get(_W + "val", ""), ()) if style is not None else ()
        paragraph = next(run.iterancestors(_W + "p"), None)
        style = paragraph.find(f"{_W}pPr/{_W}pStyle") if paragraph is not None else None
        yield from self._of_style.get(style.get(_W + "val", ""), ()) if style is not None else ()


def _first(properties: list[Any], name: str) -> Any:
    return next((found for each in properties if (found := each.find(_W + name)) is not None), None)


def _on(mark: Any) -> bool:
    return mark is not None and mark.get(_W + "val") not in ("0", "false", "off")


def _on_colour(run: Any, properties: list[Any]) -> bool:
    """Whether something coloured may lie behind the run. Tables and text boxes get their colour from far away."""
    if next(run.iterancestors(*_GROUNDS), None) is not None:
        return _first(properties, "color") is not None and not _plain_table(run)
    highlight, paragraph = _first(properties, "highlight"), next(run.iterancestors(_W + "p"), None)
    shades = [_first(properties, "shd"), paragraph.find(f"{_W}pPr/{_W}shd") if paragraph is not None else None]
    filled = any(each is not None and each.get(_W + "fill", "") not in _NO_FILL for each in shades)
    return highlight is not None or filled


def _plain_table(run: Any) -> bool:
    """Whether the run stands in a table without style or shading, where white is white on paper."""
    table = next(run.iterancestors(_W + "tbl"), None)
    if table is None or next(run.iterancestors(_W + "txbxContent"), None) is not None:
        return False
    style = table.find(f"{_W}tblPr/{_W}tblStyle")
    plain = style is None or style.get(_W + "val", "") in ("TableGrid", "TableNormal", "Tabelraster", "Grilledutableau")
    return plain and not any(each.get(_W + "fill", "") not in _NO_FILL for each in table.iter(_W + "shd"))
