"""What a file states about itself, in the fields and types of `DocumentFacts`; everything else is left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime

from careline.tables.extracted import Block, BlockKind

_ALIASES = {
    "author": "authors", "creator": "authors", "auteur": "authors", "auteurs": "authors", "autore": "authors",
    "autori": "authors",
    "lang": "language", "taal": "language", "langue": "language", "lingua": "language",
    "titel": "title", "titre": "title", "titolo": "title",
    "date": "year", "datum": "year", "published": "year", "publication_date": "year", "jaar": "year",
    "année": "year", "anno": "year",
    "source": "url", "link": "url", "canonical": "url",
    "organization": "organisation", "organisatie": "organisation", "organizzazione": "organisation",
    "type": "source_type", "specialism": "specialty", "specialisme": "specialty", "spécialité": "specialty",
    "specialità": "specialty", "drug": "drug_name", "class": "recommendation_class", "evidence": "evidence_level",
    "indications": "indication", "edition": "book_edition", "updated": "last_updated", "revised": "last_updated",
    "review": "review_date", "valid_to": "valid_until", "expires": "valid_until", "expiry": "valid_until",
}  # fmt: skip
_LONGEST = 500
_MOST_AUTHORS = 100
_YEAR = re.compile(r"(?<!\d)(19\d\d|20\d\d)(?!\d)")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]{1,200}")
_PMID = re.compile(r"(?:pmid:?\s*)?(\d{1,9})", re.I)
_URL = re.compile(r"https?://[^\s\"<>]{1,2000}", re.I)
_LANGUAGE = re.compile(r"([a-zA-Z]{2})(?:[-_].{0,20})?")
_AUTHOR_SEPARATOR = re.compile(r"(?<!\s)\s+;\s*|;\s*|(?<!\s)\s+(?:and|en|et|e|und|&)\s+")
_JUNK_TITLE = re.compile(
    r"microsoft (?:word|powerpoint)|(?:untitled|naamloos|sans titre|senza titolo|\(?anonymous\)?|document ?\d*)$"
    r"|.*\.(?:docx?|indd|pdf|pptx?|tmp)$",
    re.I,
)
"""Titles and authors that programs fill in by themselves."""


def stated(values: Mapping[object, object]) -> dict[str, object]:
    """The known fields of `values` with their right types; unknown and unusable ones are left out."""
    facts: dict[str, object] = {}
    for key, value in values.items():
        name = str(key)[:60].strip().lower().replace("-", "_").replace(" ", "_")
        name = _ALIASES.get(name, name)
        reader = _READERS.get(name)
        if reader is not None and (found := reader(value)) not in (None, ()):
            facts.setdefault(name, found)
    return facts


def title_of(blocks: Iterable[Block]) -> str | None:
    """The first heading of the highest level among the first blocks: what a reader takes for the title."""
    headings = [block for _, block in zip(range(30), blocks, strict=False) if block.kind is BlockKind.HEADING]
    if not headings:
        return None
    return _text(min(headings, key=lambda heading: heading.level).text.replace("\n", " "))


def with_title(facts: dict[str, object], blocks: Iterable[Block]) -> dict[str, object]:
    """The facts, with the title of the first heading where none is stated."""
    title = None if "title" in facts else title_of(block for block in blocks if block.left_out is None)
    return facts if title is None else {**facts, "title": title}


def _text(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = " ".join(str(value).split())[:_LONGEST].strip()
    return text or None


def _title(value: object) -> str | None:
    text = _text(value)
    return None if text is None or _JUNK_TITLE.match(text) else text


def _authors(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        value = _AUTHOR_SEPARATOR.split(" ".join(value[: _LONGEST * _MOST_AUTHORS].split()))
    if not isinstance(value, list | tuple):
        return ()
    names = (_title(name) for name in value[:_MOST_AUTHORS])
    return tuple(name for name in names if name)


def _year(value: object) -> int | None:
    if isinstance(value, date | datetime):
        return value.year
    found = _YEAR.search(_text(value) or "")
    return int(found.group()) if found else None


def _day(value: object) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    found = _DATE.match(_text(value) or "")
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def _language(value: object) -> str | None:
    found = _LANGUAGE.fullmatch(_text(value) or "")
    return found.group(1).lower() if found else None


def _audience(value: object) -> str | None:
    text = (_text(value) or "").lower()
    return text if text in ("clinician", "public") else None


def _matching(pattern: re.Pattern[str], group: int = 0) -> Callable[[object], str | None]:
    def read(value: object) -> str | None:
        found = pattern.search(_text(value) or "")
        return found.group(group).rstrip(".,;") if found else None

    return read


_READERS: dict[str, Callable[[object], object]] = {
    "title": _title,
    "authors": _authors,
    "year": _year,
    "language": _language,
    "audience": _audience,
    "doi": _matching(_DOI),
    "pmid": _matching(_PMID, 1),
    "url": _matching(_URL),
    "valid_from": _day,
    "valid_until": _day,
    "review_date": _day,
    "last_updated": _day,
    **dict.fromkeys(
        (
            "source_type",
            "specialty",
            "publisher",
            "organisation",
            "recommendation_class",
            "evidence_level",
            "drug_name",
            "drug_class",
            "indication",
            "book_edition",
            "chapter",
            "owner",
        ),
        _text,
    ),
}
"""How each field of `DocumentFacts` is read."""
