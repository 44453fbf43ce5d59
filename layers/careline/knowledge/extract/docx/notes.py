"""Finds the footnotes and endnotes of a DOCX, and the sign at which each stands in the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from careline.knowledge.extract.characters.superscripts import raised
from careline.knowledge.extract.docx.names import W


@dataclass(frozen=True, slots=True)
class NoteReference:
    """A place that a note belongs to. `sign` is what stands there, in superscript characters where it is a number;
    `element` holds the note's paragraphs."""

    sign: str
    element: Any


class Notes:
    """The notes of a document by their kind, "footnote" or "endnote".

    Notes of both kinds are counted together, so that no two have the same sign: text files, Markdown and tables keep
    a note apart by its sign alone.
    """

    def __init__(self, footnotes: Any, endnotes: Any) -> None:
        self._elements = {
            (kind, note.get(W + "id", "")): note
            for kind, root in (("footnote", footnotes), ("endnote", endnotes))
            for note in (root.iterchildren(W + kind) if root is not None else ())
            if note.get(W + "type", "normal") == "normal"
        }
        self._signs: dict[tuple[str, str], str] = {}

    def refer(self, kind: str, note: str, mark: str | None = None) -> NoteReference | None:
        """The next reference in the text, with the mark that its author typed, if any; None where there is no note.
        One to a note that the text referred to before has its sign."""
        element = self._elements.get((kind, note))
        if element is None:
            return None
        if mark is not None:
            return NoteReference(mark.strip(), element)
        sign = self._signs.setdefault((kind, note), raised(str(len(self._signs) + 1)))
        return NoteReference(sign, element)
