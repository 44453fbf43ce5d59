"""Batch contracts: JSON Lines on standard input to JSON Lines on standard output, order and `id` kept.

A line that cannot be understood is answered by an error object for that line alone; the command then ends with 1.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from itertools import pairwise
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, BinaryIO

from careline.errors import BadRequest, CarelineError

Answer = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
Ahead = Callable[[list[dict[str, Any]]], Awaitable[None]]
AT_ONCE, TOGETHER, FIRST = 1024, 256, 64
"""Lines that are taken at once, when so many wait; how many of them are looked at together; and how many before the
first answer, which is not kept waiting."""


async def answer_lines(answer: Answer, source: BinaryIO | None = None, ahead: Ahead | None = None) -> bool:
    """Answer every line; True when none failed. `ahead` sees the lines that wait before they are answered one by one.

    A line is answered as soon as it is there: what comes from a person or a program that waits is not held back.
    `ahead` may look at the next lines, on other threads, while those before are answered.
    """
    all_well = True
    for waiting in _waiting(source or sys.stdin.buffer):
        lines = [_read(raw) for raw in waiting]
        starts = [0, *range(FIRST, len(lines), TOGETHER)]
        parts = [lines[start:end] for start, end in pairwise([*starts, len(lines)])]
        seeing = await _begun(ahead, parts[0])
        for part, after in zip(parts, [*parts[1:], []], strict=True):
            await seeing
            seeing = await _begun(ahead, after)
            for line in part:
                result, well = await _answered(line, answer)
                all_well = all_well and well
                sys.stdout.write(_written(result) + "\n")
                # Looking ahead goes on: an answer alone may never give way.
                await asyncio.sleep(0)
            sys.stdout.flush()
    return all_well


async def _begun(ahead: Ahead | None, lines: list[dict[str, Any] | _Malformed]) -> asyncio.Task[None]:
    """Looking ahead at some lines, as a task that has begun."""

    async def see() -> None:
        if ahead is not None and lines:
            await ahead([line for line in lines if isinstance(line, dict)])

    task = asyncio.create_task(see())
    await asyncio.sleep(0)
    return task


def _waiting(source: BinaryIO) -> Iterator[list[bytes]]:
    """The lines that are not empty, in order: at least one at a time, and with it what is there already."""
    queue: SimpleQueue[bytes | None] = SimpleQueue()

    def read() -> None:
        for raw in source:
            if raw.strip():
                queue.put(raw)
        queue.put(None)

    Thread(target=read, daemon=True, name="lines").start()
    while (first := queue.get()) is not None:
        taken: list[bytes | None] = [first]
        while len(taken) < AT_ONCE and taken[-1] is not None:
            try:
                taken.append(queue.get_nowait())
            except Empty:
                break
        yield [raw for raw in taken if raw is not None]
        if taken[-1] is None:
            return


class _Malformed(BadRequest):
    """A line that cannot be understood, with its id where it has one."""

    def __init__(self, message: str, identity: Any = None) -> None:
        super().__init__(message)
        self.identity = identity


def _read(raw: bytes) -> dict[str, Any] | _Malformed:
    try:
        line = _object(raw)
    except BadRequest as error:
        return _Malformed(error.message)
    if not isinstance(line.get("text"), str):
        return _Malformed("text: a string is needed", line.get("id"))
    return line


async def _answered(line: dict[str, Any] | _Malformed, answer: Answer) -> tuple[dict[str, Any], bool]:
    try:
        if isinstance(line, _Malformed):
            return _failed(line.identity, line), False
        return {"id": line.get("id"), **await answer(line)}, True
    except CarelineError as error:
        return _failed(line.get("id") if isinstance(line, dict) else None, error), False


def _failed(identity: Any, error: CarelineError) -> dict[str, Any]:
    return {"id": identity, "error": {"code": error.code, "message": error.message}}


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
