"""The types of each service of AWS that the stacks name are read by mypy; those of the others are passed over."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def services() -> set[str]:
    """The modules of `aws_cdk` that our sources import."""
    found: set[str] = set()
    for path in (ROOT / "infra").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "aws_cdk":
                found |= {f"aws_cdk.{name.name}" for name in node.names if name.name.startswith("aws_")}
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("aws_cdk."):
                found.add(str(node.module))
            elif isinstance(node, ast.Import):
                found |= {name.name for name in node.names if name.name.split(".")[0] == "aws_cdk"}
    return found


def test_what_the_stacks_import_is_read() -> None:
    overrides = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]["overrides"]
    (read,) = [set(one["module"]) for one in overrides if one.get("follow_imports") == "normal"]
    assert "aws_cdk.aws_lambda" in services()
    assert services() - read == set()
