"""Gives the rows that others name their ids, and says under which names they are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from careline.directory.formats.identifiers import identifier_of
from careline.directory.formats.workbook.lists import split_list
from careline.directory.formats.workbook.reading.builder import Builder
from careline.directory.formats.workbook.reading.cells import text_of
from careline.directory.formats.workbook.reading.rows import Row
from careline.directory.formats.workbook.words import LANGUAGES, CellWrong

NAMED_ONCE = ("campuses", "departments", "doctors")
"""Sheets of which two rows of one name are a slip, as others name them."""
MADE_OF: Mapping[str, tuple[str, ...]] = {
    "campuses": ("names", "name"),
    "departments": ("names",),
    "doctors": ("last_name", "first_name"),
    "tariffs": ("subject", "campus", "condition"),
    "contacts": ("names",),
    "closures": ("names",),
}
"""Of which columns an id is made, by sheet."""


def identify(rows: Mapping[str, Sequence[Row]], builder: Builder) -> None:
    """Give every row of a sheet with ids its own, and make those known that others name."""
    for section in MADE_OF:
        taken: dict[str, Row] = {}
        for row in rows.get(section, ()):
            _give_id(section, row, taken, builder)
            if row.entry_id:
                names = _names(section, row, builder.language)
                builder.names.add(section, row.entry_id, names, _words(row))


def _give_id(section: str, row: Row, taken: dict[str, Row], builder: Builder) -> None:
    written = identifier_of(_text(row, "id"))
    made = written or _made(section, row, builder.language)
    if not made:
        if not builder.is_wrong(row, "id"):
            _tell_nameless(section, row, builder)
        return
    if made in taken and written:
        builder.tell(row, "id", f"is the id of row {taken[made].number} too; give each row its own")
        return
    if made in taken and section in NAMED_ONCE:
        builder.tell(row, "id", f"row {taken[made].number} has the same name; give both an id, or delete one")
        return
    number = 2
    while made in taken:
        end = f"-{number}"
        made, number = _made(section, row, builder.language)[: 80 - len(end)] + end, number + 1
    taken[made] = row
    row.entry_id = made


def _tell_nameless(section: str, row: Row, builder: Builder) -> None:
    """A row without name and id: what it needs is told when it is read, except where it needs no name."""
    if section == "campuses" or any(_texts(row, field) for field in MADE_OF[section]):
        builder.tell(row, "id", "is missing, and the name gives none; write a short one, as campus-north")


def _made(section: str, row: Row, language: str) -> str:
    parts = [next(iter(_in_order(row, field, language)), "") for field in MADE_OF[section]]
    if section == "campuses":
        parts = [part for part in parts if part][:1]
    return identifier_of(" ".join(identifier_of(part) for part in parts if part).lower())


def _in_order(row: Row, field: str, language: str) -> Iterator[str]:
    """The texts of a field, that of the hospital's language first."""
    keys = [field, f"{field}.{language}", *(f"{field}.{one}" for one in ("en", *LANGUAGES))]
    return (text for key in keys if (text := _text(row, key)))


def _text(row: Row, key: str) -> str:
    """What a cell says; nothing, where that is no text, which is told when the row is read."""
    cell = row.cells.get(key)
    try:
        return text_of(cell) if cell is not None and not cell.is_unknown and not cell.is_error else ""
    except CellWrong:
        return ""


def _texts(row: Row, field: str) -> list[str]:
    keys = (field, *(f"{field}.{language}" for language in LANGUAGES))
    return [text for key in keys if (text := _text(row, key))]


def _names(section: str, row: Row, language: str) -> list[str]:
    if section != "doctors":
        return [*_texts(row, "names"), *_texts(row, "name"), *_texts(row, "subject")]
    title, first, last = (_text(row, key) for key in ("title", "first_name", "last_name"))
    written = [f"{first} {last}", f"{last} {first}", f"{title} {first} {last}", f"{title} {last} {first}"]
    return written if first else [last, f"{title} {last}"]


def _words(row: Row) -> list[str]:
    """Other words for a row, which count where no other has them."""
    title, last = _text(row, "title"), _text(row, "last_name")
    other = (split_list(text) for text in (*_texts(row, "synonyms"), *_texts(row, "spellings")))
    return [*([last, f"{title} {last}"] if last else []), *chain.from_iterable(other)]
