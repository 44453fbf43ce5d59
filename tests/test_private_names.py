"""Tests ask as everybody may: what begins with an underscore is nobody's business but its owner's."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
KNOWN = {
    "_make_api_call": "every call of boto3 goes through it, which offers no other place to see them all",
    "_invoke_lambda": "where moto would start Docker for a function",
    "_constants": "the grammar of `re`, of which Python has no public form",
    "_compiler": "as above",
    "_parser": "as above",
    "_compile": "where `re` compiles, for whoever counts patterns",
    "_getframe": "the only way to a caller",
    "_p": "an element of python-docx, to write what its API cannot",
    "_tr": "as above",
    "_stream_id": "how aiortc names what it sends, which LiveKit finds a publisher by",
    "_track_id": "as above",
    "_seal": "what only the output screen may call, and the test of what it makes",
}
"""Names of others, with the reason. Ours that are left are in `LEFT`."""
LEFT = frozenset(
    ("_all_failures", "_ask", "_both", "_client", "_following", "_index", "_keywords", "_made", "_name", "_run", "_s3")
) | {"_write"}
"""Private names of ours that tests still use: of the login, the embedder and two indexes. None is to be added."""


def private(tree: ast.AST) -> Iterator[str]:
    """The private names that a module takes from another object or module; its own through `self` are its own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names if is_private(alias.name))
        elif isinstance(node, ast.Attribute) and is_private(node.attr):
            if not (isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}):
                yield node.attr


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def test_no_test_reaches_for_a_private_name_that_is_not_listed() -> None:
    used = {
        str(file.relative_to(TESTS)): names
        for file in sorted(TESTS.rglob("*.py"))
        if (names := set(private(ast.parse(file.read_text(encoding="utf-8")))) - KNOWN.keys() - LEFT)
    }
    assert used == {}
