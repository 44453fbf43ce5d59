"""Entries of a directory as JSON, each under the name by which it is shown, changed and told of.

That is its id. The hospital as a whole is one entry, and lay words of one department are one together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from careline.directory.directory import HOSPITAL, LAY_WORDS, SECTIONS, Directory
from careline.directory.part import Part

ALL_SECTIONS = (HOSPITAL, *SECTIONS, LAY_WORDS)
"""Every section, in the order of a file."""
WORDS = "words"
"""Where the lay words of a department stand in their entry."""
Body = dict[str, Any]


def entries(directory: Directory, section: str) -> dict[str, Body]:
    """Entries of a section by name, without what is not set."""
    if section == HOSPITAL:
        return {HOSPITAL: body_of(directory.hospital)}
    if section == LAY_WORDS:
        by_department: dict[str, Body] = {}
        for one in directory.lay_words:
            by_department.setdefault(one.department, {WORDS: []})[WORDS].append(body_of(one))
        return by_department
    return {one.id: body_of(one) for one in directory.entries(section)}


def entry(directory: Directory, section: str, name: str) -> Body | None:
    """One of them; None where there is none."""
    if section in SECTIONS:
        found = directory.entry(section, name)
        return None if found is None else body_of(found)
    return entries(directory, section).get(name)


def written_with(directory: Directory, section: str, name: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
    """A directory as JSON with an entry as given, in its place or behind the others; without it where it is None."""
    written = directory.to_json()
    others = written.get(section, [])
    if section == HOSPITAL:
        written[HOSPITAL] = dict(body or {})
    elif section == LAY_WORDS:
        kept = [each for each in others if each["department"] != name]
        written[LAY_WORDS] = [*kept, *({**each, "department": name} for each in (body or {}).get(WORDS, []))]
    else:
        at = next((place for place, each in enumerate(others) if each["id"] == name), len(others))
        new = [] if body is None else [{"id": name, **body}]
        written[section] = [*others[:at], *new, *others[at + 1 :]]
    return written


def body_of(part: Part) -> Body:
    """One entry, without what is not set."""
    body: Body = part.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return body
