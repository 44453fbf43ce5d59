"""Works out what CloudWatch would show, from metrics that were recorded: statistics over a period, and metric math.

Used where there is no CloudWatch: the picture of a dashboard, and the tests that let every alarm fire. Of metric math
it knows arithmetic, comparisons, AND, OR, IF, FILL, SUM and MAX, as the alarms and dashboards use them.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from infra.operations.metric_query import Dimensions, MetricQuery

Key = tuple[str, str, Dimensions]
"""Namespace, name and dimensions of a metric."""
Missing = float | None
_OPERATORS: dict[type[ast.AST], Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.GtE: lambda one, other: float(one >= other), ast.Gt: lambda one, other: float(one > other),
    ast.LtE: lambda one, other: float(one <= other), ast.Lt: lambda one, other: float(one < other),
    ast.Eq: lambda one, other: float(one == other),
}  # fmt: skip


class RecordedMetrics:
    """Values by metric and second, as lines of the embedded metric format tell them."""

    def __init__(self) -> None:
        self._values: dict[Key, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
        self._ordered: dict[Key, list[int]] = {}

    def add(self, query: MetricQuery, second: int, *values: float) -> None:
        """Add values of a metric; the statistic of `query` says nothing here."""
        self._keep((query.namespace, query.name, tuple(sorted(query.dimensions))), second, values)

    def add_line(self, line: Mapping[str, Any]) -> None:
        """Add a line of the embedded metric format: each metric under each of its sets of dimensions."""
        second = line["_aws"]["Timestamp"] // 1000
        for told in line["_aws"]["CloudWatchMetrics"]:
            for names in told["Dimensions"] or [[]]:
                dimensions = tuple(sorted((name, str(line[name])) for name in names))
                for metric in told["Metrics"]:
                    value = line[metric["Name"]]
                    values = value if isinstance(value, list) else [value]
                    self._keep((told["Namespace"], metric["Name"], dimensions), second, values)

    def _keep(self, key: Key, second: int, values: Iterable[float]) -> None:
        self._values[key][second].extend(values)
        self._ordered.pop(key, None)

    def keys(self) -> Iterable[Key]:
        """Every metric that was recorded."""
        return self._values.keys()

    def span(self) -> tuple[int, int]:
        """First and last second of anything. Raises: ValueError when nothing was recorded."""
        seconds = [second for values in self._values.values() for second in values]
        return min(seconds), max(seconds)

    def statistic(self, query: MetricQuery, start: int, period: int) -> Missing:
        """What a metric was from `start` for `period` seconds; None without data."""
        key = (query.namespace, query.name, tuple(sorted(query.dimensions)))
        if key not in self._values:
            return None
        held = self._values[key]
        ordered = self._ordered.setdefault(key, sorted(held))
        seconds = ordered[bisect_left(ordered, start) : bisect_left(ordered, start + period)]
        found = [value for second in seconds for value in held[second]]
        return statistic(found, query.statistic) if found else None


def statistic(values: Sequence[float], name: str) -> float:
    """A statistic of at least one value. Raises: ValueError for one that is not known."""
    match name:
        case "Sum":
            return math.fsum(values)
        case "Average":
            return math.fsum(values) / len(values)
        case "Maximum":
            return max(values)
        case "SampleCount":
            return float(len(values))
    found = re.fullmatch(r"p(\d+(?:\.\d+)?)", name)
    if found is None:
        raise ValueError(f"no statistic {name}")
    ordered = sorted(values)
    return ordered[max(0, math.ceil(float(found[1]) / 100 * len(ordered)) - 1)]


def evaluate(expression: str, values: Mapping[str, Missing]) -> Missing:
    """Metric math at one point in time; None where a metric that decides has no data, or something is divided by 0.

    Raises: ValueError for what it does not know.
    """
    plain = re.sub(r"\bAND\b", "and", re.sub(r"\bOR\b", "or", expression))
    try:
        return _value(ast.parse(re.sub(r"\bIF\(", "IF_(", plain), mode="eval").body, values)
    except (SyntaxError, KeyError) as error:
        raise ValueError(f"no metric math: {expression} ({error})") from None
    except ZeroDivisionError:
        return None


def _value(node: ast.AST, values: Mapping[str, Missing]) -> Missing:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return values[name]
        case ast.BinOp(left=left, op=done, right=right):
            return _both(done, _value(left, values), _value(right, values))
        case ast.Compare(left=left, ops=[done], comparators=[right]):
            return _both(done, _value(left, values), _value(right, values))
        case ast.BoolOp(op=joined, values=parts):
            found = [_value(part, values) for part in parts]
            is_so = all(found) if isinstance(joined, ast.And) else any(found)
            return float(is_so)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _called(name, arguments, values)
        case _:
            raise ValueError(f"no metric math: {ast.unparse(node)}")


def _both(done: ast.AST, one: Missing, other: Missing) -> Missing:
    return None if one is None or other is None else _OPERATORS[type(done)](one, other)


def _called(name: str, arguments: Sequence[ast.AST], values: Mapping[str, Missing]) -> Missing:
    match name, arguments:
        case "FILL", [what, ast.Constant(value=int() | float() as number)]:
            found = _value(what, values)
            return float(number) if found is None else found
        case "IF_", [condition, then, otherwise]:
            decided = _value(condition, values)
            return None if decided is None else _value(then if decided else otherwise, values)
        case ("SUM" | "MAX"), [ast.List(elts=parts)]:
            known = [found for part in parts if (found := _value(part, values)) is not None]
            if not known:
                return None
            return math.fsum(known) if name == "SUM" else max(known)
        case _:
            raise ValueError(f"no function of metric math that is known here: {name}")
