"""The directory as a YAML file."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import yaml

from careline.directory.directory import HOSPITAL, LAY_WORDS, SECTIONS, Directory, Problem, read_directory
from careline.directory.formats.read import FILE, Read, nothing
from careline.directory.yaml_file import LARGEST, read_yaml
from careline.errors import SettingsInvalid, TooLarge

NO_TEXT = "is no workbook, no bundle of FHIR, and no text in UTF-8; save it as Excel workbook (.xlsx), or YAML in UTF-8"
FORMER = {HOSPITAL: "tenant", LAY_WORDS: "synonyms"}
"""Names that sections had in files before."""


def read_yaml_form(name: str, content: bytes) -> Read:
    """A directory of a YAML file. Raises: TooLarge."""
    if len(content) > 4 * LARGEST:
        raise TooLarge(f"{name}: longer than {LARGEST:,} characters; give the directory of one hospital")
    try:
        source = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return nothing(Problem(FILE, name, "", NO_TEXT))
    if len(source) > LARGEST:
        raise TooLarge(f"{name}: longer than {LARGEST:,} characters; give the directory of one hospital")
    try:
        written = read_yaml(source, name)
    except SettingsInvalid as error:
        return nothing(Problem(FILE, name, "", error.message.removeprefix(f"{name}: ")))
    directory, problems = read_directory({str(key): value for key, value in written.items()})
    return Read(directory, tuple(_with_lines(problems, source)))


def write_yaml_form(directory: Directory) -> bytes:
    """A directory as YAML, in the order of its sections."""
    written: str = yaml.safe_dump(directory.to_json(), allow_unicode=True, sort_keys=False, width=120)
    return written.encode()


def _with_lines(problems: list[Problem], source: str) -> list[Problem]:
    """Problems that name the line where the entry or field stands; found only where there are any."""
    if not problems:
        return problems
    root = yaml.compose(source, Loader=yaml.CSafeLoader)
    return [dataclasses.replace(one, message=f"{one.message} (line {_line(root, one)})") for one in problems]


def _line(root: Any, problem: Problem) -> int:
    node = _under(root, problem.section) or _under(root, FORMER.get(problem.section, "")) or root
    if problem.section in SECTIONS or problem.section == LAY_WORDS:
        node = _entry(node, problem.entry) or node
    for part in problem.field.split("."):
        found = _under(node, part)
        if found is None:
            break
        node = found
    return int(node.start_mark.line) + 1


def _entry(node: Any, name: str) -> Any:
    """The node of an entry by its id, or by its place, `entry 3`."""
    if not isinstance(node, yaml.SequenceNode):
        return None
    for one in node.value:
        named = _under(one, "id")
        if named is not None and named.value == name:
            return one
    place = name.removeprefix("entry ")
    return _under(node, str(int(place) - 1)) if place.isdecimal() else None


def _under(node: Any, key: str) -> Any:
    """What stands in a mapping under a key, or in a list at a place."""
    if isinstance(node, yaml.SequenceNode) and key.isdecimal() and int(key) < len(node.value):
        return node.value[int(key)]
    pairs: Mapping[str, Any] = (
        {name.value: value for name, value in node.value if isinstance(name, yaml.ScalarNode)}
        if isinstance(node, yaml.MappingNode)
        else {}
    )
    return pairs.get(key)
