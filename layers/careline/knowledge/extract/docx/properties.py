"""Reads what a DOCX says of itself: title, authors, language and year, without what programs fill in by themselves."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from careline.knowledge.extract import facts
from careline.knowledge.extract.docx.package import Package

_CORE = "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
_EXTENDED = "{http://schemas.openxmlformats.org/officeDocument/2006/extended-properties}"
_FIRST_YEAR_OF_WORD = 1983
_DAYS_APART = 366
"""A package that was packed so many days after its last change, by its own account, has the account of a template."""


@cache
def _filled_in() -> dict[str, frozenset[str]]:
    """Titles and authors that programs give a document, without capitals."""
    read = yaml.load(
        files("careline.knowledge.extract.docx").joinpath("properties.yaml").read_text("utf-8"),
        Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader),  # noqa: S506
    )
    return {name: frozenset(map(str.casefold, texts)) for name, texts in read.items()}


def stated(package: Package) -> dict[str, object]:
    """The facts that the properties of a package state. None of a template's: its author, its title, its day."""
    core = next(iter(package.related("", "core-properties")), "docprops/core.xml")
    root = package.xml_if_readable(core)
    if root is None:
        return {}
    values: dict[object, object] = {
        "title": _unless_filled_in(_text(root, _DC + "title"), "titles"),
        "authors": _unless_filled_in(_text(root, _DC + "creator"), "authors"),
        "language": _text(root, _DC + "language"),
        "year": _year(root, package),
    }
    return facts.stated({key: value for key, value in values.items() if value})


def is_one_page(package: Package) -> bool:
    """Whether the program that wrote the text counted one page; one that counted no words did not write it."""
    extended = next(iter(package.related("", "extended-properties")), "docprops/app.xml")
    root = package.xml_if_readable(extended)
    if root is None:
        return False
    return _text(root, _EXTENDED + "Pages") == "1" and _text(root, _EXTENDED + "Words") not in ("", "0")


def _text(root: Any, name: str) -> str:
    return " ".join((root.findtext(name) or "").split())


def _unless_filled_in(text: str, kind: str) -> str:
    """The text, or none where a program gave it or it asks for one in brackets: "[Document title]"."""
    known, plain = _filled_in()[kind], text.casefold()
    is_asked = plain.startswith("[") and plain.endswith("]")
    return "" if is_asked or plain in known or plain.rstrip(" 0123456789") in known else text


def _year(root: Any, package: Package) -> int | None:
    """The year of the last change; none where that is a template's: it is known for it, or was packed long after."""
    changed = _text(root, _TERMS + "modified") or _text(root, _TERMS + "created")
    day = None if changed.casefold() in _filled_in()["moments"] else _day(changed)
    if day is None or day.year < _FIRST_YEAR_OF_WORD:
        return None
    packed = package.written(package.main)
    if packed is not None and (datetime(packed[0], packed[1], packed[2]) - day).days > _DAYS_APART:
        return None
    return day.year


def _day(text: str) -> datetime | None:
    try:
        return datetime.strptime(text[:10], "%Y-%m-%d")
    except ValueError:
        return None
