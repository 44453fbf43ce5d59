"""Puts the XML of a text into the state in which its readers see it, once, before it is read.

Tracked deletions and moves are carried out, of alternatives one stays, and what a content control shows in place of an
answer is marked. What is read afterwards needs to know nothing of this.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from careline.knowledge.extract.docx.names import MC, R_, SDT_CONTENT, TC, TR, W14, M, P, T, W, is_on, value
from careline.model import LeftOut

MARK = "left-out"
"""Attribute of a run: why it is left out, where something around it says so."""

CHECKED, UNCHECKED = "☑", "☐"

_READ = ("http://schemas.microsoft.com/", "http://schemas.openxmlformats.org/", "http://purl.oclc.org/ooxml/")
_PROPERTIES = frozenset((W + "rPr", W + "trPr", W + "numPr", M + "ctrlPr"))


def as_shown(root: Any, placeholders: Mapping[str, str]) -> Any:
    """The same element, changed. `placeholders` are the texts of the document's building blocks by name, with which
    content controls ask for an answer."""
    _choose_alternatives(root)
    _carry_out_changes(root)
    _mark_hidden_rows(root)
    _mark_placeholders(root, placeholders)
    _write_checkboxes(root)
    return root


def _choose_alternatives(root: Any) -> None:
    """Of `mc:AlternateContent` the first choice that Word reads stays, else the fallback (ECMA-376 part 3, 7.5)."""
    for alternatives in list(root.iter(MC + "AlternateContent")):
        branches = list(alternatives.iterchildren(MC + "Choice", MC + "Fallback"))
        shown = next((each for each in branches if each.tag == MC + "Fallback" or _is_read(each)), None)
        for branch in branches:
            if branch is not shown:
                alternatives.remove(branch)


def _is_read(choice: Any) -> bool:
    spaces = [choice.nsmap.get(prefix) or "" for prefix in choice.get("Requires", "").split()]
    return all(space.startswith(_READ) for space in spaces) and len(choice) > 0


def _carry_out_changes(root: Any) -> None:
    for change in list(root.iter(W + "del", W + "moveFrom")):
        parent = change.getparent()
        if parent is None:
            continue
        if parent.tag == W + "trPr":
            row = parent.getparent()
            if row is not None and row.getparent() is not None:
                row.getparent().remove(row)
        elif parent.tag not in _PROPERTIES:
            parent.remove(change)
    for cell in [mark.getparent().getparent() for mark in root.iter(W + "cellDel")]:
        for each in list(cell.iterchildren(P, W + "tbl", W + "sdt")) if cell is not None and cell.tag == TC else ():
            cell.remove(each)


def _mark_hidden_rows(root: Any) -> None:
    for mark in root.iter(W + "hidden"):
        row = mark.getparent().getparent()
        if row is not None and row.tag == TR and is_on(mark):
            _mark(row, LeftOut.HIDDEN)


def _mark(element: Any, reason: LeftOut) -> None:
    for run in element.iter(R_):
        run.set(MARK, reason.value)


def _mark_placeholders(root: Any, placeholders: Mapping[str, str]) -> None:
    """Marks what stands in content controls that show their placeholder.

    A program that fills in a form may leave the switch set: where the document holds the placeholder's text, what says
    something else was filled in.
    """
    for mark in root.iter(W + "showingPlcHdr"):
        properties = mark.getparent()
        control = properties.getparent() if properties is not None else None
        content = control.find(SDT_CONTENT) if control is not None else None
        if content is None or not is_on(mark):
            continue
        asks = placeholders.get(value(properties, f"{W}placeholder/{W}docPart"))
        if asks is None or asks == text_within(content):
            _mark(content, LeftOut.PLACEHOLDER)


def is_unanswered(control: Any) -> bool:
    """Whether a content control in a line is empty. One that holds anything but text is not."""
    content = control.find(SDT_CONTENT)
    shows = (T, W + "sym", W + "drawing", W + "pict", W + "object", W + "fldChar", W + "fldSimple", M + "oMath")
    return content is not None and not any(each.tag != T or (each.text or "").strip() for each in content.iter(*shows))


def text_within(element: Any) -> str:
    """The text of an element, to be compared with another."""
    return " ".join("".join(each.text or "" for each in element.iter(T)).split())


def _write_checkboxes(root: Any) -> None:
    """Writes the state of a content control that is a checkbox; the sign of each state is the author's choice."""
    for box in root.iter(W14 + "checkbox"):
        control = box.getparent().getparent()
        content = control.find(SDT_CONTENT) if control is not None else None
        run = next(content.iter(R_), None) if content is not None else None
        if content is None or run is None:
            continue
        checked = box.find(W14 + "checked")
        state = checked.get(W14 + "val", "1") if checked is not None else "0"
        for each in list(content.iter(T, W + "sym")):
            each.getparent().remove(each)
        run.attrib.pop(MARK, None)
        text = run.makeelement(T)
        text.text = UNCHECKED if state in ("0", "false", "off") else CHECKED
        run.append(text)


def building_blocks(glossary: Any) -> dict[str, str]:
    """The texts of a document's building blocks by name (ECMA-376, 17.12)."""
    found: dict[str, str] = {}
    for part in glossary.iter(W + "docPart") if glossary is not None else ():
        body = part.find(W + "docPartBody")
        name = value(part, f"{W}docPartPr/{W}name")
        if name and body is not None:
            found[name] = text_within(body)
    return found
