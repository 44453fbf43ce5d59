"""Batch contracts: JSON Lines on standard input to JSON Lines on standard output, order and `id` kept.

A line that cannot be understood is answered by an error object for that line alone; the command then ends with 1.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, BinaryIO

from careline.errors import BadRequest, CarelineError

Answer = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
Ahead = Callable[[list[dict[str, Any]]], Awaitable[None]]
FIRST, TOGETHER = 32, 128
"""Lines that are looked at before the first answer, which is not kept waiting, and ahead of the others."""


async def answer_lines(answer: Answer, source: BinaryIO | None = None, ahead: Ahead | None = None) -> bool:
    """Answer every line; True when none failed. `ahead` sees the lines that wait before they are answered one by one.

    A line is answered as soon as it is there: what comes from a person or a program that waits is not held back.
    `ahead` may look at the next lines, on other threads, while those before are answered.
    """
    waiting, all_well = _Waiting(source or sys.stdin.buffer), True
    while part := await _begun(ahead, waiting.take(FIRST, wait=True)):
        while part:
            await part.seen
            following = await _begun(ahead, waiting.take(TOGETHER, wait=False))
            for line in part.lines:
                result, well = await _answered(line, answer)
                all_well = all_well and well
                sys.stdout.write(_written(result) + "\n")
                # Looking ahead goes on: an answer alone may never give way.
                await asyncio.sleep(0)
            sys.stdout.flush()
            part = following
    return all_well


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines in their order, and looking ahead at them, which has begun."""

    lines: list[dict[str, Any] | _Malformed]
    seen: asyncio.Task[None]


async def _begun(ahead: Ahead | None, raws: list[bytes]) -> _Part | None:
    """A part of these lines; None when there are none."""
    if not raws:
        return None
    lines = [_read(raw) for raw in raws]

    async def see() -> None:
        if ahead is not None:
            await ahead([line for line in lines if isinstance(line, dict)])

    part = _Part(lines, asyncio.create_task(see()))
    await asyncio.sleep(0)
    return part


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
