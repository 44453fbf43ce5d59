"""What every setting is: its variable, value, origin, default and meaning, read from the settings class itself."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Literal, Union, get_args, get_origin

from pydantic import SecretStr

from careline.settings import PREFIX, Settings

HIDDEN = "(set, not shown)"
NONE = "none"
_USER_INFO = re.compile(r"//[^/@]{0,2000}@")


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `origin` is where its value came from, None for the default."""

    name: str
    variable: str
    values: str
    default: str
    meaning: str
    value: str = ""
    origin: str | None = None


def described(settings: Settings | None = None, origins: Mapping[str, str] | None = None) -> list[Setting]:
    """Every setting in the order of the class, with its value and origin where settings are given; secrets hidden."""
    meanings, found = _meanings(), []
    for name, field in Settings.model_fields.items():
        default = field.get_default(call_default_factory=True)
        found.append(
            Setting(
                name,
                PREFIX + name.upper(),
                _values(field.annotation),
                default.name if isinstance(default, Path) and default.is_absolute() else shown(default),
                meanings.get(name, ""),
                shown(getattr(settings, name)) if settings is not None else "",
                (origins or {}).get(name),
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
    rows = [
        f"| `{one.variable}` | {_cell(one.meaning)} | {_cell(one.values)} | {_cell(_quoted(one.default))} |"
        for one in settings
    ]
    return "\n".join([_HEAD, *rows, ""])


_HEAD = """# Settings

Environment variables, or lines of `.env` in the working folder or in the installation's. The environment goes before
the installation's file, and that before the working folder's; a variable that is set to nothing counts as not set.
`careline settings` shows what holds here and where it came from. This page is made by `careline settings --markdown`.

| setting | what | values | default |
|---|---|---|---|"""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


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


def _meanings() -> dict[str, str]:
    """The line under each field. Pydantic reads these too, but on every import, which each function would pay for."""
    (written,) = ast.parse(textwrap.dedent(inspect.getsource(Settings))).body
    assert isinstance(written, ast.ClassDef)
    found = {}
    for field, line in zip(written.body, written.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(line, ast.Expr)
            and isinstance(line.value, ast.Constant)
        ):
            found[field.target.id] = " ".join(str(line.value.value).split())
    return found
