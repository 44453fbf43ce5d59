"""Which document a file is: by the key its sender states, else by its name.

Two names may give the same key, `bezoek uren.md` and `bezoek-uren.md`, or `a.md` and `a.pdf`; and two folders may hold
a file of the same name. The second never takes the place of the first by accident: its sender says what is meant.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from careline.errors import KeyTaken
from careline.knowledge import catalogue
from careline.model import Document, DocumentState
from careline.records.record_table import RecordTable

LONGEST_SLUG = 150
LONGEST_SHARED = 180
"""Letters of a key that two names share; what tells them apart comes behind."""


class Namesake(StrEnum):
    """What becomes of a file whose name gives the key of another file's document."""

    REFUSED = "refused"
    """It is refused, and its sender told: one file that comes alone may be meant to replace the other, or not."""
    APART = "apart"
    """It is a document of its own: files of one folder are."""
    SECOND = "second"
    """The same, and it leaves the plain key to the file before it in this folder, unless it has that key already."""


class SameName(StrEnum):
    """What becomes of a file that has the name of a document's file but comes from another folder."""

    ASK = "ask"
    """It is refused, and its sender told."""
    REPLACE = "replace"
    """It is the next version of that document."""
    BESIDE = "beside"
    """It is a document of its own, and stays so."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A file and the folder it comes from, as a digest; "" where nobody knows, as of a file that came in a request."""

    file_name: str
    content_hash: str
    folder: str
    same_name: SameName


def default_key(file_name: str, source_type: str) -> str:
    """`{source_type}-{identifier}`, the identifier being the name without its ending, in letters a path can hold."""
    path = PurePosixPath(file_name)
    stem = path.with_suffix("").as_posix() if path.suffix else path.as_posix()
    plain = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^A-Za-z0-9._]+", "-", plain).strip("-._")
    if slug != stem.replace("/", "-").replace(" ", "-") or not 0 < len(slug) <= LONGEST_SLUG:
        slug = f"{slug[: LONGEST_SLUG - 9]}-{hashlib.sha256(stem.encode()).hexdigest()[:8]}".strip("-")
    return f"{source_type}-{slug}"


def own_key(key: str, file_name: str) -> str:
    """The key of a file whose name gives another file's key: the same on every run."""
    return f"{key[:LONGEST_SHARED]}-{hashlib.sha256(file_name.encode()).hexdigest()[:8]}"


def taken(key: str, held_by: str, file_name: str) -> KeyTaken:
    """What the sender of a file is told whose name gives the key of another file's document."""
    own = own_key(key, file_name)
    return KeyTaken(
        f"{file_name}: the document {key} was made of {held_by}, and both names give the same doc_key; "
        f"send it with doc_key {key} if it replaces that, or with one of its own, such as {own}"
    )


async def settled_key(table: RecordTable, tenant: str, file_name: str, plain: str, namesake: Namesake) -> str:
    """The key of a file whose name gives the key `plain`: that one, or its own where another file's document has it.

    Raises: KeyTaken where its sender has to say what is meant.
    """
    held_by, own = await holder(table, tenant, plain), own_key(plain, file_name)
    if held_by == file_name:
        return plain
    if await holder(table, tenant, own, also_failed=True) == file_name:
        return own
    if held_by is None and namesake is not Namesake.SECOND:
        return plain
    if held_by is not None and namesake is Namesake.REFUSED:
        raise taken(plain, held_by, file_name)
    return own


async def key_of_origin(table: RecordTable, tenant: str, file: Origin, doc_key: str) -> str:
    """The key of a file whose name gives `doc_key`: its own where that document is a file of another folder, and both
    are kept, and then for good. Raises: KeyTaken where its sender has to say what is meant."""
    if not file.folder:
        return doc_key
    own = own_key(doc_key, f"{file.folder}/{file.file_name}")
    if await _held(table, tenant, own, also_failed=True) is not None:
        return own
    held = await _held(table, tenant, doc_key)
    if held is None or held.origin in ("", file.folder) or held.content_hash == file.content_hash:
        return doc_key
    if file.same_name is SameName.ASK:
        raise KeyTaken(
            f"the document {doc_key} was made of a file of this name in another folder; "
            f"--same-name replace makes this one its next version, --same-name beside keeps both"
        )
    return own if file.same_name is SameName.BESIDE else doc_key


async def check_free(table: RecordTable, tenant: str, file_name: str, plain: str) -> None:
    """Raises: KeyTaken for a file that would be refused as things stand."""
    await settled_key(table, tenant, file_name, plain, Namesake.REFUSED)


async def holder(table: RecordTable, tenant: str, doc_key: str, *, also_failed: bool = False) -> str | None:
    """The name of the file that a document is made of, or is being made of; None where nothing is there to replace."""
    held = await _held(table, tenant, doc_key, also_failed=also_failed)
    return None if held is None else held.file_name


async def _held(table: RecordTable, tenant: str, doc_key: str, *, also_failed: bool = False) -> Document | None:
    held = {DocumentState.LIVE, DocumentState.PENDING} | ({DocumentState.FAILED} if also_failed else set())
    head = await catalogue.head(table, tenant, doc_key)
    for number in dict.fromkeys((head.latest, head.live)):
        if number:
            document = (await catalogue.version(table, tenant, doc_key, number)).document
            if document.state in held:
                return document
    return None
