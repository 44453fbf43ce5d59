"""Batch contracts: JSON Lines on standard input to JSON Lines on standard output, order and `id` kept.

A line that cannot be understood is answered by an error object for that line alone; the command then ends with 1.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any, BinaryIO

from careline.errors import BadRequest, CarelineError

Answer = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


async def answer_lines(answer: Answer, source: BinaryIO | None = None) -> bool:
    """Answer every line; True when none failed."""
    all_well = True
    for raw in source or sys.stdin.buffer:
        if not raw.strip():
            continue
        identity: Any = None
        try:
            line = _object(raw)
            identity = line.get("id")
            if not isinstance(line.get("text"), str):
                raise BadRequest("text: a string is needed")
            result = {"id": identity, **await answer(line)}
        except CarelineError as error:
            all_well = False
            result = {"id": identity, "error": {"code": error.code, "message": error.message}}
        sys.stdout.write(_written(result) + "\n")
        sys.stdout.flush()
    return all_well


def _written(result: dict[str, Any]) -> str:
    """One line of JSON; with escapes where a terminal could not write a character, such as half a surrogate pair."""
    line = json.dumps(result, ensure_ascii=False)
    try:
        line.encode()
    except UnicodeEncodeError:
        return json.dumps(result)
    return line


def _refuse(constant: str) -> None:
    raise ValueError("NaN and Infinity are not JSON")


def _object(raw: bytes) -> dict[str, Any]:
    try:
        line = json.loads(raw, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise BadRequest("the line is not valid JSON") from None
    if not isinstance(line, dict):
        raise BadRequest("the line is not a JSON object")
    return line
