"""What every setting is: its variable, value, origin, default and meaning, read from the classes of the settings."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from pathlib import Path
from types import NoneType, UnionType
from typing import Literal, Union, get_args, get_origin

from pydantic import SecretStr

from careline import settings as written
from careline.settings import PREFIX, Group, Settings
from careline_local.markdown_table import table

ALONE = "The installation"
"""Heading of the settings that stand in no group."""
HIDDEN = "(set, not shown)"
NONE = "none"
_USER_INFO = re.compile(r"//[^/@]{0,2000}@")


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `origin` is where its value came from, None for the default."""

    group: str
    name: str
    variable: str
    values: str
    default: str
    meaning: str
    value: str = ""
    origin: str | None = None


def described(settings: Settings | None = None, origins: Mapping[str, str] | None = None) -> list[Setting]:
    """Every setting, with its value and origin where settings are given; secrets hidden. What stands in no group comes
    first, then the groups in the order of their classes."""
    meanings, groups, found = _meanings(), Settings.groups(), []
    order = list(dict.fromkeys([Settings.__name__, *(kind for kind, _ in meanings)]))
    placed = [(groups.get(path[0], Settings), variable, path) for variable, path in Settings.variables().items()]
    for kind, variable, path in sorted(placed, key=lambda one: order.index(one[0].__name__)):
        field = kind.model_fields[path[-1]]
        default = field.get_default(call_default_factory=True)
        found.append(
            Setting(
                ALONE if kind is Settings else str(kind.__doc__).rstrip("."),
                variable.removeprefix(PREFIX).lower(),
                variable,
                _values(field.annotation),
                default.name if isinstance(default, Path) and default.is_absolute() else shown(default),
                _meaning(meanings, kind, path[-1]),
                shown(reduce(getattr, path, settings)) if settings is not None else "",
                (origins or {}).get(variable),
            )
        )
    return found


def shown(value: object) -> str:
    """A value as it would be written in a variable; of a secret only that it is set, of an address no password."""
    if isinstance(value, SecretStr):
        return HIDDEN
    if value is None or value in ((), {}):
        return NONE
    if isinstance(value, Mapping):
        return ",".join(f"{name}={one}" for name, one in value.items())
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return _USER_INFO.sub("//(not shown)@", str(value))


def markdown(settings: Iterable[Setting]) -> str:
    """The page of the documentation."""
    text = _HEAD
    for group, those in groupby(settings, lambda one: one.group):
        rows = ((f"`{one.variable}`", one.meaning, one.values, _quoted(one.default)) for one in those)
        text += f"\n## {group}\n\n" + table(("setting", "what", "values", "default"), rows)
    return text


_HEAD = """# Settings

Environment variables, or lines of `.env` in the working folder or in the installation's. The environment goes before
the installation's file, and that before the working folder's; a variable that is set to nothing counts as not set.
`careline settings` shows what holds here and where it came from. This page is made by `careline settings --markdown`.
"""


def _quoted(default: str) -> str:
    return default if default == NONE else f"`{default}`"


def _values(annotation: object) -> str:
    """What may be written, in words."""
    if get_origin(annotation) in (Union, UnionType):
        return ", ".join(_values(one) for one in get_args(annotation) if one is not NoneType)
    if get_origin(annotation) is Literal:
        return ", ".join(f"`{one}`" for one in get_args(annotation))
    if get_origin(annotation) is tuple:
        inner = _values(get_args(annotation)[0])
        return "words, by commas" if inner == "text" else f"{inner}; several by commas"
    words = {bool: "`true`, `false`", int: "whole number", float: "number", Path: "folder", SecretStr: "secret"}
    if annotation in words:
        return words[annotation]
    return "NAME=VALUE, by commas" if get_origin(annotation) is dict else "text"


def _meaning(meanings: Mapping[tuple[str, str], str], kind: type[Group], field: str) -> str:
    return next((meanings[one.__name__, field] for one in kind.__mro__ if (one.__name__, field) in meanings), "")


def _meanings() -> dict[tuple[str, str], str]:
    """The line under each field of each class. Pydantic reads these too, but on every import, which each function
    would pay for."""
    found = {}
    classes = [one for one in ast.parse(inspect.getsource(written)).body if isinstance(one, ast.ClassDef)]
    for kind in classes:
        for field, line in zip(kind.body, kind.body[1:], strict=False):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(line, ast.Expr)
                and isinstance(line.value, ast.Constant)
            ):
                found[kind.name, field.target.id] = " ".join(str(line.value.value).split())
    return found
