"""Opens the package of a DOCX as word processors do: what is missing or wrongly named beside the text does no harm.

Parts are found by their names without regard to case, by the relationships that say what they are for. Pictures, fonts
and whatever else is not read stay packed, so that one which is missing is not missed (ECMA-376 part 2, 6.2 and 6.5).
"""

from __future__ import annotations

import io
import posixpath
import zipfile
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from careline.knowledge.extract.docx.names import STRICT, R, W
from careline.knowledge.extract.rejections import rejected

_CONTENT_TYPES = "[content_types].xml"
_STRICT_MARK = b"purl.oclc.org/ooxml"


@dataclass(frozen=True, slots=True)
class Relationship:
    """What a part needs another for; `target` is the other's name, or an address outside of the package."""

    kind: str
    target: str
    is_external: bool


class Package:
    """The parts of one document."""

    def __init__(self, content: bytes) -> None:
        """Raises: DocumentRejected `corrupt` when the package has no main part that says what it is."""
        self._archive = zipfile.ZipFile(io.BytesIO(content))
        self._entries = {_name(entry.filename): entry for entry in self._archive.infolist()}
        self._relationships: dict[str, dict[str, Relationship]] = {}
        self.main = self._main()

    def _main(self) -> str:
        named = [each.target for each in self.relationships("").values() if each.kind == "officeDocument"]
        main = next((name for name in (*named, "word/document.xml") if self.has(name)), None)
        if main is None or not self._has_type(main):
            raise rejected("corrupt", detail="its parts do not fit together")
        return main

    def _has_type(self, part: str) -> bool:
        """Whether the package says what a part is, by its name or by its ending."""
        types = self.xml(_CONTENT_TYPES)
        names = {_name(each.get("PartName", "")) for each in (types if types is not None else ())}
        endings = {each.get("Extension", "").lower() for each in (types if types is not None else ())}
        return part in names or part.rpartition(".")[2] in endings

    def has(self, part: str) -> bool:
        """Whether the part is there."""
        return part in self._entries

    def written(self, part: str) -> tuple[int, ...] | None:
        """Year, month, day, hour, minute and second at which a part was packed; None where the archive says nothing,
        as those of Word do: it writes the first day that archives can."""
        moment = self._entries[part].date_time
        return None if moment[:3] <= (1980, 1, 1) else moment

    def bytes_of(self, part: str) -> bytes:
        """The content of a part that is there."""
        return self._archive.read(self._entries[part])

    def xml(self, part: str) -> Any:
        """The root element of a part; None where it is missing.

        Raises: DocumentRejected `corrupt` when it is not XML, or declares a document type, which no part may (ECMA-376
        part 2, 6.2.5).
        """
        from lxml import etree

        if not self.has(part):
            return None
        parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
        try:
            root = etree.fromstring(_transitional(self.bytes_of(part)), parser)
        except (etree.LxmlError, ValueError, zipfile.BadZipFile, EOFError) as error:
            raise rejected("corrupt", detail=f"the part {_shown(part)} cannot be read") from error
        if root.getroottree().docinfo.internalDTD is not None:
            raise rejected("corrupt", detail=f"the part {_shown(part)} declares a document type")
        return root

    def xml_if_readable(self, part: str) -> Any:
        """The root element of a part without which the document says the same; None where it cannot be read."""
        from careline.errors import DocumentRejected

        try:
            return self.xml(part)
        except DocumentRejected:
            return None

    def relationships(self, part: str) -> dict[str, Relationship]:
        """The relationships of a part, or of the package itself (""), by id; none that is damaged."""
        if part not in self._relationships:
            folder, name = posixpath.split(part)
            root = self.xml_if_readable(posixpath.join(folder, "_rels", f"{name}.rels"))
            self._relationships[part] = {
                each.get("Id", ""): _relationship(folder, each) for each in (root if root is not None else ())
            }
        return self._relationships[part]

    def related(self, part: str, kind: str) -> list[str]:
        """The parts that a part has for a purpose ("footnotes", "header"), those that are there."""
        found = self.relationships(part).values()
        return [each.target for each in found if each.kind == kind and not each.is_external and self.has(each.target)]

    def named(self, part: str, element: Any, attribute: str = R + "id") -> Relationship | None:
        """The relationship that an element of a part names."""
        return self.relationships(part).get(element.get(attribute, "")) if element is not None else None


def _relationship(folder: str, element: Any) -> Relationship:
    target = element.get("Target", "")
    is_external = element.get("TargetMode", "") == "External"
    kind = element.get("Type", "").rpartition("/")[2]
    return Relationship(kind, target if is_external else _target(folder, target), is_external)


def _target(folder: str, target: str) -> str:
    path = target.replace("\\", "/").split("#", 1)[0]
    return _name(path if path.startswith("/") else posixpath.join(folder, path))


def _name(path: str) -> str:
    """A part's name as packages compare names: without case, escapes and the stroke in front."""
    return posixpath.normpath("/" + unquote(path.replace("\\", "/"))).lstrip("/").lower()


def _shown(part: str) -> str:
    """A part's name for an error message; names are the document's, so only ordinary ones are repeated."""
    return part if part.isascii() and part.isprintable() and len(part) < 60 else "of the text"


def _transitional(content: bytes) -> bytes:
    """The part with the namespaces that everybody reads."""
    if _STRICT_MARK in content:
        for strict, usual in STRICT:
            content = content.replace(strict, usual.strip("{}").encode())
    return content


def is_wordprocessing(root: Any) -> bool:
    """Whether a root element is that of a document with text."""
    return root is not None and root.tag == W + "document" and root.find(W + "body") is not None
