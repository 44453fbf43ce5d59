"""What a docstring or comment of the source refers to in backticks, `module.name`, is there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from careline import errors
from tests.source_roots import ROOT

PACKAGES = (
    "layers/careline", "functions/careline_functions", "local/careline_local", "voice_worker/careline_voice",
    "training",
)  # fmt: skip
REFERENCE = re.compile(r"`([a-z]\w*(?:\.[A-Za-z_]\w*)+)`")
FILES = ("yaml", "json", "sqlite", "key", "com")
"""What ends a name that is no name of a module's content."""


@cache
def texts() -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for one in PACKAGES for path in (ROOT / one).rglob("*.py")}


@cache
def modules() -> dict[str, list[str]]:
    """The sources of every module and package by its name; several may share one."""
    found: dict[str, list[str]] = defaultdict(list)
    for path, text in texts().items():
        found[path.parent.name if path.stem == "__init__" else path.stem].append(text)
    return found


def stands(parts: list[str]) -> bool:
    """Whether modules of these names have what is named behind them; true of what begins with no module."""
    if parts[0] not in modules():
        return True
    at = max(n for n, one in enumerate(parts) if one in modules() and one.islower())
    return any(all(re.search(rf"\b{one}\b", source) for one in parts[at + 1 :]) for source in modules()[parts[at]])


def missing() -> Iterator[str]:
    for path, text in texts().items():
        for reference in REFERENCE.findall(text):
            parts = reference.split(".")
            if parts[-1] not in FILES and not stands(parts):
                yield f"{path.relative_to(ROOT)}: {reference}"


def test_what_is_referred_to_is_there() -> None:
    assert sorted(missing()) == []


def test_a_name_that_is_gone_is_seen() -> None:
    assert stands(["ports", "Embedder", "name"])
    assert not stands(["ports", "Table", "get"])


def test_the_tree_of_errors_names_each_below_the_one_it_is_a_kind_of() -> None:
    drawn = (errors.__doc__ or "").splitlines()
    tree = [(line.index(found[1]), found[1]) for line in drawn if (found := re.match(r"[\s│├└─]+([A-Z]\w+)", line))]
    above: dict[str, str] = {}
    for n, (indent, name) in enumerate(tree):
        above[name] = next((other for column, other in reversed(tree[:n]) if column < indent), "Exception")
    kinds = (one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.CarelineError))
    assert above == {one.__name__: one.__base__.__name__ for one in kinds if one.__base__ is not None}
