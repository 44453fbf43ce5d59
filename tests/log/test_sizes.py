"""Whatever gives a collection to a client or a person says in the log how large it was; an empty one shows there."""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
import typing
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
import typing_extensions

from careline.log.catalogue import event
from careline.search.retrieval import Retrieval

BOUNDARIES = (
    "careline.document_search",
    "careline.knowledge.library",
    "careline.knowledge.quarantine.release",
    "careline.conversation.conversations",
    "careline.telemetry.turns",
    "careline.audit.chain",
    "careline.telemetry.subjects",
    "careline.access.tokens",
)
"""Modules that handlers and commands ask for what is kept."""
WITHIN = {
    "careline.knowledge.library.original": "one document and its bytes",
    "careline.knowledge.library.job": "one job",
    "careline.knowledge.library.retry": "one job",
    "careline.knowledge.quarantine.release.documents_with": "asked by whoever decides, who changes each",
    "careline.access.tokens.issue": "one token and its text",
}
"""Functions whose collection is no answer, with the reason."""


def name_of(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__name__}"


def holds_collection(said: Any) -> bool:
    """Whether a type is a list or has one among its fields."""
    if typing_extensions.is_typeddict(said):
        return any(holds_collection(field) for field in typing_extensions.get_type_hints(said).values())
    origin = typing.get_origin(said)
    if origin is dict:
        return holds_collection(typing.get_args(said)[1])
    return origin in {list, tuple, Sequence, typing.get_origin(Sequence[int])}


def answering() -> Iterator[Callable[..., Any]]:
    """Public functions of the boundaries that return a collection."""
    for name in BOUNDARIES:
        module = importlib.import_module(name)
        for function in vars(module).values():
            if inspect.iscoroutinefunction(function) and function.__module__ == name:
                said = typing_extensions.get_type_hints(function).get("return")
                if not function.__name__.startswith("_") and holds_collection(said):
                    yield function
    yield Retrieval.once


def sizes(function: Callable[..., Any]) -> list[str]:
    """Events with a size that a function writes."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "log.write")
    codes = (str(ast.literal_eval(call.args[0])) for call in calls)
    return [code for code in codes if {"count", "messages"} & set(event(code).fields)]


@pytest.mark.parametrize("function", list(answering()), ids=lambda one: one.__name__)
def test_a_collection_that_is_given_out_is_counted_in_the_log(function: Callable[..., Any]) -> None:
    assert bool(sizes(function)) != (name_of(function) in WITHIN)


def test_what_is_left_out_is_there() -> None:
    assert set(WITHIN) <= set(map(name_of, answering()))
