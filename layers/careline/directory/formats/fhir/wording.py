"""Names in several languages, telephone numbers and places, as the elements of FHIR hold them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from careline.directory.entries import Language
from careline.directory.formats.fhir.resources import CARELINE_PLACE, TRANSLATION, Beside, ContactPoint, Identifier

LANGUAGES: tuple[Language, ...] = get_args(Language)
NOT_TOLD = ("home", "old")
"""Uses of numbers that no caller is given."""
PLACES = ("building", "floor", "route", "room")


def language_of(tag: str | None, default: str) -> str:
    """One of the four languages of a tag such as nl-BE; the hospital's, where it is none or another."""
    found = (tag or "").split("-")[0].lower()
    return found if found in LANGUAGES else default


def names_of(text: str | None, beside: Beside | None, language: str) -> dict[str, str]:
    """A text with its translations."""
    found = {language: text} if text else {}
    for one in beside.extension if beside is not None else ():
        said = {part.url: part for part in one.extension} if one.url == TRANSLATION else {}
        if "lang" not in said or "content" not in said:
            continue
        code = (said["lang"].code or said["lang"].value or "").split("-")[0].lower()
        content = (said["content"].value or said["content"].markdown or "").strip()
        if code in LANGUAGES and content:
            found.setdefault(code, content)
    return found


def written_names(names: Mapping[Any, str], language: str, element: str = "name") -> dict[str, Any]:
    """A text in one language, with its translations beside it."""
    if not names:
        return {}
    first = language if language in names else next(iter(names))
    others = [
        {"url": TRANSLATION, "extension": [{"url": "lang", "valueCode": code}, {"url": "content", "valueString": text}]}
        for code, text in names.items()
        if code != first
    ]
    return {element: names[first], **({f"_{element}": {"extension": others}} if others else {})}


def first_of(telecom: Sequence[ContactPoint], system: str) -> str | None:
    """The first number or address of a kind, of those that are not of somebody's home or of before."""
    known = (one.value for one in telecom if one.system == system and one.use not in NOT_TOLD)
    return next(filter(None, known), None)


def written_telecom(**said: str | None) -> dict[str, Any]:
    """Numbers and addresses by their kind."""
    found = [{"system": system, "value": value} for system, value in said.items() if value]
    return {"telecom": found} if found else {}


def place_of(identifiers: Sequence[Identifier]) -> dict[str, int | str]:
    """Building, floor, route and room of a place."""
    found: dict[str, int | str] = {}
    for one in identifiers:
        name = (one.system or "").removeprefix(CARELINE_PLACE)
        if name in PLACES and one.value is not None:
            found[name] = _number(one.value) if name in ("floor", "route") else one.value
    return found


def _number(text: str) -> int | str:
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdecimal() and len(digits) < 10 and text == str(int(text)):
        return int(text)
    return text
