"""The words printed around a document's own text; they follow from its front matter, never from a clock."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from careline_local.demo.read_source import DocumentSource, load_yaml

EDITION = date(2026, 1, 5)
"""The print date of a document that gives none: fixed, so that the same source is always the same file."""


@dataclass(frozen=True, slots=True)
class Furniture:
    """The fixed phrases of one language; `{page}`, `{pages}`, `{date}` and `{number}` are filled in by the writers."""

    hyphenation: str
    locale: str
    page: str
    printed: str
    number: str
    owner: str
    review_date: str
    url: str
    skip: str
    search: str
    home: str
    section: str
    menu: list[str]
    aside_title: str
    aside: list[str]
    cookies: str
    accept: str
    refuse: str
    share: str
    footer: list[str]
    rights: str


@cache
def furniture_by_language() -> dict[str, Furniture]:
    """Return the phrases for every language a document can have."""
    phrases = load_yaml(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    return {language: Furniture(**words) for language, words in phrases.items()}


def furniture_for(source: DocumentSource) -> Furniture:
    return furniture_by_language()[source.language]


def number_line(source: DocumentSource) -> str:
    """Return the line with the document's number, which follows from its key and so survives every rebuild."""
    shared_by_translations = f"{source.facts['source_type']}-{source.identifier}"
    code = f"{zlib.crc32(shared_by_translations.encode()) % 1_000_000:06d}"
    return furniture_for(source).number.format(number=f"{code[:2]}-{code[2:]}/{source.language.upper()}")


def printed_line(source: DocumentSource) -> str:
    """Return the line with the print date: the day the document became valid, else its year, else the edition's."""
    day = source.facts.get("valid_from")
    year = source.facts.get("year")
    printed = written_date(day) if isinstance(day, date) else str(year or written_date(EDITION))
    return furniture_for(source).printed.format(date=printed)


def written_date(day: date) -> str:
    return f"{day:%d/%m/%Y}"


def header_line(source: DocumentSource) -> str:
    """Return what stands at the top of every page beside the hospital's name."""
    return source.running_header or source.title


def closing_lines(source: DocumentSource) -> list[str]:
    """Return who answers for the document and when it is looked at again, as far as the source says so."""
    words = furniture_for(source)
    labels = {"owner": words.owner, "review_date": words.review_date, "url": words.url}
    given = [(label, source.facts[key]) for key, label in labels.items() if key in source.facts]
    return [f"{label}: {written_date(value) if isinstance(value, date) else value}" for label, value in given]
