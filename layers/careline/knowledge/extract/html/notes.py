"""Finds the notes of a web page: what a raised sign links to, which is told in place of the sign."""

from __future__ import annotations

from typing import Any

from careline.knowledge.extract.html.page_text import PageText

_REFERENCES = "sup a[href^='#'], a[href^='#'] > sup:only-child"
_LONGEST_SIGN = 5
_LONGEST = 300
_MOST = 500
_NOTES = frozenset(("li", "p", "div", "aside", "dd", "small", "span"))
_SIGNS = " \u00a0.:)]↩↑⤴︎^"


class PageNotes:
    """The notes of one page, by the element that refers to each."""

    def __init__(self, tree: Any, text: PageText) -> None:
        self._texts: dict[int, str] = {}
        named = {node.attributes["id"]: node for node in tree.css("[id]")} if tree.css_first(_REFERENCES) else {}
        for reference in tree.css(_REFERENCES)[:_MOST]:
            link = reference if reference.tag == "a" else reference.parent
            raised = reference if reference.tag == "sup" else reference.parent
            note = named.get((link.attributes.get("href") or "")[1:])
            sign = text.beginning(link, _LONGEST_SIGN).strip()
            if note is None or note.tag not in _NOTES or not 0 < len(sign) <= _LONGEST_SIGN:
                continue
            said = " ".join(text.beginning(note, _LONGEST + 1).removeprefix(sign).split()).strip(_SIGNS)
            if said and len(said) <= _LONGEST and not text.is_inside(link, note):
                self._texts[(link if raised.mem_id == reference.mem_id else raised).mem_id] = said

    def of(self, node: Any) -> str:
        """The text of the note that an element refers to; empty for every other element."""
        return self._texts.get(node.mem_id, "") if self._texts else ""
