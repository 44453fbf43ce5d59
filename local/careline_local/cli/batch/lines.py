"""Batch contracts: JSON Lines on standard input to JSON Lines on standard output, order and `id` kept.

A line that cannot be understood is answered by an error object for that line alone; the command then ends with 1.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import deque
from collections.abc import Awaitable, Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, BinaryIO

from careline.errors import BadRequest, CarelineError

BEGUN_TOGETHER = 16
"""Lines that are begun before anything else is looked after."""
Answer = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


async def answer_lines(answer: Answer, source: BinaryIO | None = None, *, at_once: int = 1) -> bool:
    """Answer every line; True when none failed.

    A line is answered as soon as it is there: what comes from a person or a program that waits is not held back. So
    many lines that are there are worked on `at_once`, for answers that wait for another thread and do not depend on
    the line before.
    """
    waiting, all_well = _Waiting(source or sys.stdin.buffer), True
    begun: deque[asyncio.Task[tuple[dict[str, Any], bool]]] = deque()
    while True:
        raws = waiting.take(min(BEGUN_TOGETHER, at_once - len(begun)), wait=False)
        if not raws and not begun:
            sys.stdout.flush()
            raws = waiting.take(1, wait=True)
            if not raws:
                return all_well
        begun.extend(asyncio.create_task(_answered(raw, answer)) for raw in raws)
        if raws and len(begun) < at_once:
            # There may be more to begin; what came from other threads is looked after between.
            await asyncio.sleep(0)
        else:
            sys.stdout.flush()
            await asyncio.wait([begun[0]])
        while begun and begun[0].done():
            result, well = begun.popleft().result()
            all_well = all_well and well
            sys.stdout.write(_written(result) + "\n")


class _Waiting:
    """Lines that are not empty, read on a thread of their own as they come."""

    def __init__(self, source: BinaryIO) -> None:
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._ended = False
        Thread(target=self._fill, args=[source], daemon=True, name="lines").start()

    def take(self, most: int, *, wait: bool) -> list[bytes]:
        """What is there, in order. With `wait` none only at the end of all."""
        taken: list[bytes] = []
        while len(taken) < most and not self._ended:
            try:
                raw = self._queue.get(block=wait and not taken)
            except Empty:
                break
            if raw is None:
                self._ended = True
            else:
                taken.append(raw)
        return taken

    def _fill(self, source: BinaryIO) -> None:
        for raw in source:
            if raw.strip():
                self._queue.put(raw)
        self._queue.put(None)


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


async def _answered(raw: bytes, answer: Answer) -> tuple[dict[str, Any], bool]:
    line = _read(raw)
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
