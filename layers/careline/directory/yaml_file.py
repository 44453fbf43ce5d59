"""Reads a YAML file that people write, whose size bounds what it holds: a directory or an overlay."""

from __future__ import annotations

from collections.abc import Mapping

import yaml

from careline.errors import SettingsInvalid

LARGEST = 4_000_000
"""Characters of a directory file."""
DEEPEST = 30
"""Brackets that may be open at once, and indicators that a line may begin with; the parser's time grows with the
square of the depth."""
_INDICATORS = frozenset("-?:")


def _is_deep(source: str) -> bool:
    depth = 0
    for character in source:
        depth = depth + 1 if character in "[{" else max(0, depth - 1) if character in "]}" else depth
        if depth > DEEPEST:
            return True
    beginnings = (line.split(maxsplit=DEEPEST + 1)[: DEEPEST + 1] for line in source.splitlines())
    return any(len(words) > DEEPEST and _INDICATORS.issuperset(words) for words in beginnings)


def read_yaml(source: str, name: str) -> Mapping[object, object]:
    """A YAML file that is a mapping and repeats nothing by reference, so that its size bounds what it holds.

    Raises: SettingsInvalid with the line.
    """
    if _is_deep(source):
        raise SettingsInvalid(f"{name}: nested too deeply; a directory or overlay needs six levels")
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(source, Loader=yaml.SafeLoader)):
            raise SettingsInvalid(f"{name}: write entries out instead of referring to them with *")
        written = yaml.safe_load(source)
    except RecursionError:
        raise SettingsInvalid(f"{name}: nested too deeply; a directory or overlay needs six levels") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" at line {mark.line + 1}" if mark is not None else ""
        raise SettingsInvalid(f"{name}: this is not YAML{line}") from None
    if not isinstance(written, dict):
        raise SettingsInvalid(f"{name}: expected keys with values, such as `departments:`")
    return written
