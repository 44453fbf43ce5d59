"""Reads a YAML file that people write, whose size bounds what it holds: a directory or an overlay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import yaml

from careline.errors import SettingsInvalid

LARGEST = 4_000_000
"""Characters of a directory file."""
DEEPEST = 30
"""Brackets that may be open at once, and indicators that a line may begin with; the parser's time grows with the
square of the depth."""
TOO_DEEP = "nested too deeply; a directory or overlay needs six levels"
LOOK_FOR = "look for a quote, a bracket or another sign that is missing or too many, and for lines that begin elsewhere"
_INDICATORS = frozenset("-?:")


def _is_deep(source: str) -> bool:
    depth = 0
    for character in source:
        depth = depth + 1 if character in "[{" else max(0, depth - 1) if character in "]}" else depth
        if depth > DEEPEST:
            return True
    beginnings = (line.split(maxsplit=DEEPEST + 1)[: DEEPEST + 1] for line in source.splitlines())
    return any(len(words) > DEEPEST and _INDICATORS.issuperset(words) for words in beginnings)


@dataclass(slots=True)
class _Open:
    """A mapping or list that has begun; `seen` are the keys of a mapping so far."""

    is_mapping: bool
    seen: set[str] = field(default_factory=set)
    at_key: bool = True


def _check_events(source: str, name: str) -> None:
    """Raises: SettingsInvalid for what is repeated by reference, and for a key that stands twice in one mapping, of
    which YAML would silently keep the last; YAMLError."""
    stack: list[_Open] = []
    for event in yaml.parse(source, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise SettingsInvalid(f"{name}: refers to entries with *; write them out instead of referring to them")
        if isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
        elif isinstance(event, yaml.NodeEvent):
            if stack and stack[-1].is_mapping:
                _check_key(event, stack[-1], name)
            if isinstance(event, yaml.CollectionStartEvent):
                if len(stack) > DEEPEST:
                    raise SettingsInvalid(f"{name}: {TOO_DEEP}")
                stack.append(_Open(isinstance(event, yaml.MappingStartEvent)))


def _check_key(event: yaml.NodeEvent, mapping: _Open, name: str) -> None:
    if mapping.at_key and isinstance(event, yaml.ScalarEvent):
        if event.value in mapping.seen:
            where = f" at line {event.start_mark.line + 1}" if event.start_mark is not None else ""
            raise SettingsInvalid(f"{name}: has a key twice{where}; put what stands under both under one")
        mapping.seen.add(event.value)
    mapping.at_key = not mapping.at_key


def read_yaml(source: str, name: str) -> Mapping[object, object]:
    """A YAML file that is a mapping and repeats nothing by reference, so that its size bounds what it holds.

    Raises: SettingsInvalid with the line.
    """
    if _is_deep(source):
        raise SettingsInvalid(f"{name}: {TOO_DEEP}")
    try:
        _check_events(source, name)
        written = yaml.load(source, Loader=yaml.CSafeLoader)
    except RecursionError:
        raise SettingsInvalid(f"{name}: {TOO_DEEP}") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        # What ends too early is found behind the last line.
        line = f" at line {min(mark.line + 1, source.count(chr(10)) + 1)}" if mark is not None else ""
        raise SettingsInvalid(f"{name}: this is not YAML{line}; {LOOK_FOR}") from None
    if not isinstance(written, dict):
        raise SettingsInvalid(f"{name}: expected keys with values; begin with one, such as `departments:`")
    return written
