"""Changes of one entry of a directory: what it becomes, and what is wrong with that."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic import Field, ValidationError

from careline.curation.editions import DirectoryRejected
from careline.directory import entry_json
from careline.directory.directory import HOSPITAL, LAY_WORDS, SECTIONS, Directory, Problem, read_directory
from careline.directory.entries import Hospital, LayWords
from careline.directory.entry_json import WORDS, Body
from careline.directory.part import Part
from careline.directory.wrong import what_is_wrong
from careline.errors import BadRequest, Conflict, NotFound


class DepartmentWords(Part):
    """What people say for what one department treats."""

    words: list[LayWords] = Field(default=[], max_length=1_000)


KINDS: Mapping[str, type[Part]] = MappingProxyType({**SECTIONS, HOSPITAL: Hospital, LAY_WORDS: DepartmentWords})
"""What an entry of each section is."""


def held(directory: Directory, section: str, name: str) -> Body:
    """An entry as JSON. Raises: NotFound."""
    body = entry_json.entry(directory, checked_section(section), name)
    if body is None:
        raise NotFound(f"{section}: there is no entry of that id")
    return body


def put(directory: Directory, section: str, name: str, body: Mapping[str, Any]) -> Directory:
    """The directory with an entry as given, new or in place of the one of its name.

    Raises: NotFound for a section that is none, BadRequest where it says another id, DirectoryRejected.
    """
    if body.get("id", name) != name and checked_section(section) in SECTIONS:
        raise BadRequest("id: is another; to change an id, add an entry of the new one and remove this one")
    return _checked(directory, section, name, body)


def added(directory: Directory, section: str, body: Mapping[str, Any]) -> tuple[Directory, str]:
    """The directory with a new entry, and its name.

    Raises: NotFound for a section that is none, BadRequest without an id, Conflict where it is there already,
    DirectoryRejected.
    """
    key = "department" if checked_section(section) == LAY_WORDS else "id"
    name = body.get(key)
    if section == HOSPITAL or not isinstance(name, str) or not name:
        raise BadRequest(f"{key}: is missing" if section != HOSPITAL else "there is one hospital; change that")
    if entry_json.entry(directory, section, name) is not None:
        raise Conflict(f"{section}: {name} is there already; change it, or give the new entry another {key}")
    kept = {field: value for field, value in body.items() if field != "department" or section != LAY_WORDS}
    return _checked(directory, section, name, kept), name


def patched(directory: Directory, section: str, name: str, patch: Mapping[str, Any]) -> Directory:
    """The directory with an entry changed by a JSON merge patch (RFC 7396). Raises: as `put`, NotFound."""
    return put(directory, section, name, merged(held(directory, section, name), patch))


def removed(directory: Directory, section: str, name: str) -> Directory:
    """The directory without an entry. Raises: NotFound, DirectoryRejected where another one names it."""
    held(directory, section, name)
    if section == HOSPITAL:
        raise BadRequest("the hospital itself cannot be removed; change its fields")
    return _fitting(_with(directory, section, name, None))


def merged(target: Any, patch: Any) -> Any:
    """A value changed by a JSON merge patch: null takes away, objects are merged, all else replaces (RFC 7396)."""
    if not isinstance(patch, Mapping):
        return patch
    before = target if isinstance(target, Mapping) else {}
    kept = {name: value for name, value in before.items() if name not in patch}
    return kept | {name: merged(before.get(name), value) for name, value in patch.items() if value is not None}


def checked_section(section: str) -> str:
    """A section. Raises: NotFound."""
    if section not in entry_json.ALL_SECTIONS:
        raise NotFound(f"there is no section of that name; there are {', '.join(entry_json.ALL_SECTIONS)}")
    return section


def _checked(directory: Directory, section: str, name: str, body: Mapping[str, Any]) -> Directory:
    named = _named(section, name, body)
    try:
        part = KINDS[section].model_validate(named)
    except ValidationError as error:
        raise DirectoryRejected([_problem(section, name, one) for one in error.errors(include_url=False)]) from None
    return _fitting(_with(directory, section, name, part))


def _named(section: str, name: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """An entry that says whose it is, as those of a file do."""
    if section == HOSPITAL:
        return dict(body)
    if section != LAY_WORDS:
        return {"id": name, **body}
    words = body.get(WORDS)
    if not isinstance(words, list):
        return dict(body)
    return {**body, WORDS: [{**one, "department": name} if isinstance(one, Mapping) else one for one in words]}


def _problem(section: str, name: str, error: Any) -> Problem:
    return Problem(section, name, ".".join(map(str, error["loc"])), what_is_wrong(error))


def _with(directory: Directory, section: str, name: str, part: Part | None) -> dict[str, Any]:
    """The sections of a directory with a part in its place, or behind the others; without it where it is None.

    The other parts are as they are: reading thousands of them again for a telephone number would take seconds.
    """
    sections = {each: getattr(directory, each) for each in Directory.model_fields}
    if section == HOSPITAL:
        return {**sections, HOSPITAL: part}
    if section == LAY_WORDS:
        words = part.words if isinstance(part, DepartmentWords) else []
        return {**sections, LAY_WORDS: [*(one for one in directory.lay_words if one.department != name), *words]}
    others = list(directory.entries(section))
    at = next((place for place, one in enumerate(others) if one.id == name), len(others))
    return {**sections, section: [*others[:at], *([] if part is None else [part]), *others[at + 1 :]]}


def _fitting(sections: Mapping[str, Any]) -> Directory:
    """Sections that fit together, as a directory. Raises: DirectoryRejected."""
    directory, problems = read_directory(sections)
    if directory is None:
        raise DirectoryRejected(problems)
    return directory
