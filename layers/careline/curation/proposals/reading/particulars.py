"""Reads what reaches or finds a service: telephone numbers, addresses to write to, postal addresses, routes, floors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from careline.curation.proposals.reading.words import told
from careline.records.record_table import Body
from careline.text.figure_words import plain
from careline.text.figure_words import words as figure_words
from careline.text.label_words import label_words, vocabulary
from careline.text.phone_numbers import PHONE

_EMAIL = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}")
_ADDRESS = re.compile(
    r"(?P<street>[^,\d][^,]{2,60}? [0-9]{1,4}[A-Za-z]?),? "
    r"(?:[A-Z]{1,2}-)?(?P<postcode>[0-9]{4,5}) (?P<town>[^\W\d_][^,\d]{1,50})"
)
_TELEPHONE = re.compile(r"[+0-9][0-9 ./()-]{1,29}")
_DASHES = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u00a0": " ", "\u202f": " "})
_BESIDE = frozenset(("department", "reception", "internal", "external"))
"""Concepts of words beside "telephone" that do not say whose: "telephone of the ward"."""
_PLACES = frozenset(("route", "floor"))
_OF_VISITS = frozenset(("campus", "day", "hour", "opening", "consultation", "visit"))


def phone_in(value: str, language: str) -> str | None:
    """The one telephone number that a cell is; words beside it may only say that it is one."""
    said = value.translate(_DASHES)
    found = list(PHONE.finditer(said))
    if len(found) != 1:
        return None
    rest = f"{said[: found[0].start()]} {said[found[0].end() :]}"
    if any(not word.concepts & {"phone"} for word in told(rest, language)) or any(map(str.isdigit, rest)):
        return None
    number = found[0][0].strip()
    return number if _TELEPHONE.fullmatch(number) else None


def email_in(value: str) -> str | None:
    """The one address to write to that a cell is."""
    found = _EMAIL.fullmatch(value.strip().rstrip("."))
    return found[0] if found else None


def address_in(value: str) -> Body | None:
    """A street with its number, a postcode and a town."""
    found = _ADDRESS.fullmatch(" ".join(value.split()).rstrip("."))
    return {name: text.strip() for name, text in found.groupdict().items()} if found else None


@cache
def _numbered() -> re.Pattern[str]:
    known = sorted((word for word, label in figure_words().labels.items() if label in _PLACES), key=len, reverse=True)
    return re.compile(rf"(?<![a-z])({'|'.join(known)})[ :]{{1,2}}(-?[0-9]{{1,4}}[a-z]?)(?![0-9a-z:])")


def place_in(text: str) -> tuple[dict[str, int | str], str]:
    """Route and floor that a text names by number, and the text without them."""
    said = plain(text)
    if len(said) != len(text):
        text = said
    found: dict[str, int | str] = {}
    rest, at = "", 0
    for one in _numbered().finditer(said):
        label = figure_words().labels[one[1]]
        if label in found:
            return {}, text
        number = one[2]
        found[label] = int(number) if number.lstrip("-").isdigit() else number.upper()
        rest, at = rest + text[at : one.start()], one.end()
    return found, _tidy(rest + text[at:])


def _tidy(text: str) -> str:
    """What is left of a text without commas and brackets that stand for nothing any more."""
    text = " ".join(text.split())
    for loose, tight in ((" ,", ","), (",,", ","), (", )", ")"), (",)", ")"), (" )", ")"), ("(, ", "("), ("()", "")):
        text = text.replace(loose, tight)
    return " ".join(text.split()).strip(" ,;:–-")


def says_phone(label: str, language: str) -> bool:
    """Whether a label says that a telephone number follows, and nothing else."""
    return _says(label, language, {"phone"}, "phone")


def says_email(label: str, language: str) -> bool:
    """Whether a label says that an address to write to follows, and nothing else."""
    return _says(label, language, {"email"})


def says_place(label: str, language: str) -> bool:
    """Whether a label says that a route, floor or place follows, and nothing else."""
    numbered = figure_words().labels
    said = told(label, language)
    return all(word.text in numbered or word.concepts & {"floor", "route", "building", "address"} for word in said)


def names_campus(label: str, language: str) -> bool:
    """Whether a label says that names of campuses follow, and nothing else."""
    said = told(label, language)
    return bool(said) and all(word.concepts == {"campus"} for word in said)


def is_of_campuses(path: Sequence[str], language: str) -> bool:
    """Whether names of campuses stand below or beside labels, outermost first: the innermost says so. One that was
    joined of a wide and a narrow heading ends in the narrow one: "Site and days Site"."""
    said = told(path[-1], language) if path else ()
    return bool(said) and said[-1].concepts == {"campus"} and all(word.concepts & _OF_VISITS for word in said)


def _says(label: str, language: str, meant: set[str], asks: str = "") -> bool:
    asked = vocabulary().asks.get(language, {})
    said = label_words(label, language)
    hits = [word for word in said if word.concepts & meant or (asks and asked.get(word.text) == asks)]
    return bool(hits) and all(
        word in hits or word.concepts & _BESIDE or (word.is_talk and not word.concepts) for word in said
    )
