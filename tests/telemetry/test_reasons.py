"""Every reason that a turn can be recorded with has a sentence that explains it."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import careline.turn
from careline.errors import EmbedderUnavailable, ModelUnavailable
from careline.safety.terminal import Terminal
from careline.telemetry.explain import WHY
from careline.turn.speak.speak import ENDINGS

PLACES = {"finish": 1, "Reply": 1, "Clarification": 0, "DirectoryAnswer": 2}
"""Which argument of a call is a reason."""
OF_MODELS = {ModelUnavailable.code, EmbedderUnavailable.code, *(one.code for one in ModelUnavailable.__subclasses__())}
DYNAMIC = {
    "verdict.terminal.value": {each.value for each in Terminal if each is not Terminal.FALLTHROUGH},
    "said.failure": {*OF_MODELS, "MODEL_OVERDUE"} - {"ANSWER_MISSHAPEN"},
    "code": {*ENDINGS, "ADVICE_BLOCKED"},
    "outcome.reason": set[str](),
    "reason": set[str](),
}
"""Reasons that are no constant where they are given; those under a name are assigned beside it."""


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(careline.turn.__path__, "careline.turn."):
        yield import_module(found.name)


def expressions(tree: ast.AST) -> Iterator[ast.expr]:
    """Whatever is given as a reason."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            is_method = isinstance(node.func, ast.Attribute) and node.func.attr == "finish"
            # `pending.Clarification` is what is kept of one.
            place = PLACES.get("finish" if is_method else getattr(node.func, "id", ""))
            if place is not None and len(node.args) > place:
                yield node.args[place]
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _assigned(target, node.value)
        elif isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == "reason" and node.value is not None:
            yield node.value


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, its in zip(target.elts, value.elts, strict=True):
            yield from _assigned(one, its)
    elif ast.unparse(target) in {"said.reason", "reason"}:
        yield value


def reasons(expression: ast.expr, module: ModuleType) -> Iterator[str]:
    """The reasons that an expression may be. Raises: KeyError for one that this test does not know."""
    if isinstance(expression, ast.IfExp):
        yield from (*reasons(expression.body, module), *reasons(expression.orelse, module))
    elif isinstance(expression, ast.Constant):
        yield from [expression.value] if isinstance(expression.value, str) else []
    elif (written := ast.unparse(expression)) in DYNAMIC:
        yield from DYNAMIC[written]
    else:
        first, *rest = written.split(".")
        value = vars(module)[first]
        for name in rest:
            value = getattr(value, name)
        yield str(value)


def test_every_reason_of_a_turn_has_its_sentence() -> None:
    found = {
        reason
        for module in modules()
        for expression in expressions(ast.parse(inspect.getsource(module)))
        for reason in reasons(expression, module)
    }
    assert {"NO_EVIDENCE", "CLOSEST_PAGE", "CLIENT_LEFT", "WHICH_ROW", "CONFIRMATION", "HARM_BLOCKED"} <= found
    assert found - set(WHY) == set()
