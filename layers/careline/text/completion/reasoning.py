"""Leaves a language model's reasoning out of what it writes, while that arrives piece by piece.

Models mark reasoning in many ways: in tags (`<think>`, `[THINK]`, `◁think▷`, `<|START_THINKING|>`), in channels
(`<|channel|>analysis<|message|>`), in a fenced block, or by a label ("Reasoning:"). What is never closed is never
shown. A closing tag without an opening one, which is what comes of a template that writes the opening one into the
prompt, and the label of the answer say that everything before them was reasoning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import Any, Final

import yaml

from careline.text.bounded_re2 import compile_bounded

_CHANNEL = (
    r"(?:<\|end\|>\s*)?(?:<\|start\|>\s*[\w ]{0,20})?<\|channel\|>\s*(?P<to>\w{1,20})[^<>]{0,60}"
    r"(?:<\|constrain\|>[^<>]{0,20})?<\|message\|>"
)
"""The head of a message in the Harmony format; the reader sees those to `final` alone."""
_UNFINISHED = (
    r"(?:<\|(?:end|start|channel|constrain)\|>[^<>]{0,60}){0,4}"
    r"(?:<\s?[|｜/]?\s?[\pL\d:._-]{0,60}[|｜]?|<\pL[\pL\d:_-]{0,40}\s[^<>]{0,120})$"
    r"|(?:<\|(?:end|start|channel|constrain)\|>[^<>]{0,60}){1,4}$"
    r"|\[[/\s]{0,2}[\pL_-]{0,60}\s?$|◁[^▷]{0,60}$|`{1,3}\s{0,2}\pL{0,30}$"
    r"|(?P<label>(?m:^)[ \t>*_#]{0,8}\pL{0,20}(?: \pL{1,20}){0,2}[ \t*_]{0,4}$)"
)
"""The end of a text that may be the beginning of a tag, a channel's head, a fenced block or a label."""
LONGEST_TAG = 240
"""Characters of a tag with its attributes, of a channel's whole head, and of a label."""
BEGINNING = 32
"""Characters that must have come before a text is known not to begin in reasoning without a tag."""


class Restart(Enum):
    """What was written so far is no part of the answer."""

    RESTART = 1


RESTART: Final = Restart.RESTART


@dataclass(frozen=True, slots=True)
class _Wrappers:
    """`reasoning.yaml`, compiled. `mark` finds whatever begins or ends reasoning, by the name of its group."""

    mark: Any
    beginning: Any
    unfinished: Any
    untagged: tuple[tuple[Any, Any], ...]
    answer_label: Any


class Reasoning:
    """The reasoning of one completion. What `push` and `flush` give, put together, is the text without it."""

    __slots__ = ("_begun", "_depth", "_ends", "_is_behind_label", "_last", "_pending", "_since", "_wrote")

    def __init__(self) -> None:
        self._pending = ""
        self._begun = False
        self._depth = 0
        self._ends: Any = None
        """What alone ends the reasoning it is in, where a closing tag does not."""
        self._since = ""
        """What of the reasoning came before another tag opened."""
        self._last = "\n"
        self._wrote = False
        self._is_behind_label = False

    def push(self, piece: str) -> list[str | Restart]:
        """What is certainly of the answer, and where an answer begins anew."""
        self._pending += piece
        return list(self._read(is_over=False))

    def flush(self) -> list[str | Restart]:
        """The rest, when nothing more will come; reasoning that was not closed is none of it."""
        told = list(self._read(is_over=True))
        self._pending = ""
        return told

    def _read(self, *, is_over: bool) -> Iterator[str | Restart]:
        while True:
            if self._depth:
                if not self._leave():
                    return
            elif not self._begun and self._begins(is_over=is_over) is None:
                return
            elif self._depth == 0:
                found = self._next_mark()
                if found is None:
                    yield from self._told(len(self._pending) if is_over else self._settled())
                    return
                yield from self._enter(found)

    def _begins(self, *, is_over: bool) -> bool | None:
        """Whether the text begins in reasoning without a tag; None as long as that cannot be told."""
        start = self._pending.lstrip()
        if len(start) < BEGINNING and not is_over:
            return None
        self._begun = True
        for begins, ends in _wrappers().untagged:
            if begins.match(start):
                self._depth, self._ends = 1, ends
                return True
        if _wrappers().beginning.match(start):
            self._depth, self._ends = 1, _wrappers().answer_label
            return True
        return False

    def _next_mark(self) -> Any:
        """The first tag, channel or label of the answer; a label stands at the beginning of a line."""
        at = 0
        while found := _wrappers().mark.search(self._pending, at):
            if found.lastgroup != "label" or found.start() or self._last == "\n":
                return found
            at = found.end()
        return None

    def _enter(self, found: Any) -> Iterator[str | Restart]:
        kind, length = found.lastgroup, found.end() - found.start()
        if kind == "channel" and found["to"].casefold() != "final":
            kind = "opens"
        if kind in {"opens", "fence", "answer"}:
            yield from self._told(found.start())
            self._pending = self._pending[length:]
            if kind != "answer":
                self._depth, self._since = 1, ""
                self._ends = _fence() if kind == "fence" else None
            return
        # A closing tag, the channel or the label of the answer: what came before was no answer.
        before, self._pending = self._pending[: found.start()], self._pending[found.end() :]
        is_anew = self._wrote or bool(before.strip())
        self._last, self._wrote, self._is_behind_label = "\n", False, kind == "label"
        if is_anew:
            yield RESTART

    def _leave(self) -> bool:
        """Pass over reasoning; whether it has ended."""
        ends = self._ends or _wrappers().mark
        at = 0
        while found := ends.search(self._pending, at):
            if self._ends is not None or self._closes(found, self._since + self._pending[at : found.start()]):
                self._is_behind_label = self._ends is _wrappers().answer_label
                self._depth, self._ends, self._since = 0, None, ""
                self._pending = self._pending[found.end() :]
                return True
            at, self._since = found.end(), ""
        self._since += self._pending[at:-LONGEST_TAG].strip()[:1]
        self._pending = self._pending[max(at, len(self._pending) - LONGEST_TAG) :]
        return False

    def _closes(self, found: Any, before: str) -> bool:
        """Whether what was found within reasoning ends it; a tag that opens again right behind the first is the same
        one, which a template and a model wrote."""
        kind = found.lastgroup
        if kind == "channel":
            return bool(found["to"].casefold() == "final")
        if kind == "opens":
            self._depth += bool(before.strip())
        elif kind == "closes":
            self._depth -= 1
        return self._depth == 0 or kind == "answer"

    def _settled(self) -> int:
        """Up to where the text can begin no tag any more."""
        begin = max(0, len(self._pending) - LONGEST_TAG)
        found = _wrappers().unfinished.search(self._pending, begin)
        if found is None or (found.lastgroup == "label" and found.start() == 0 and self._last != "\n"):
            return len(self._pending)
        return int(found.start())

    def _told(self, end: int) -> Iterator[str]:
        told, self._pending = self._pending[:end], self._pending[end:]
        if self._is_behind_label:
            told = told.lstrip(" \t*_")
            self._is_behind_label = not told
        if told:
            self._last = told[-1]
            self._wrote = self._wrote or not told.isspace()
            yield told


def without_reasoning(text: str) -> str:
    """A whole completion without its reasoning."""
    reading, told = Reasoning(), ""
    for one in (*reading.push(text), *reading.flush()):
        told = "" if isinstance(one, Restart) else told + one
    return told


@cache
def _fence() -> Any:
    return compile_bounded(r"\n\s*```")


@cache
def _wrappers() -> _Wrappers:
    held = yaml.safe_load(files("careline.text.completion").joinpath("reasoning.yaml").read_text("utf-8"))
    reasoning, answer = ("|".join(held[kind].split()) for kind in ("reasoning", "answer"))
    labels, beginnings = ("|".join(held[kind]) for kind in ("answer_labels", "reasoning_labels"))
    label = rf"(?m:^)[ \t>*_#]{{0,8}}(?:{labels})[ \t*_]{{0,4}}[:：]"
    marks = (
        rf"(?P<closes>{_tags(reasoning, '/')})|(?P<opens>{_tags(reasoning, '')})|(?P<channel>{_CHANNEL})"
        rf"|(?P<answer>{_tags(answer, '/?')}|<(?:{reasoning})\pL{{0,20}}\s?/>)"
        rf"|(?P<fence>```\s{{0,2}}(?:{reasoning})\pL{{0,20}}\s)|(?P<label>{label})"
    )
    return _Wrappers(
        compile_bounded(f"(?i){marks}"),
        compile_bounded(rf"(?i)[ \t>*_#]{{0,8}}(?:{beginnings})[ \t*_]{{0,4}}[:：]"),
        compile_bounded(f"(?i){_UNFINISHED}"),
        tuple(
            (compile_bounded(f"(?i){one['begins']}"), compile_bounded(f"(?i){one['ends']}")) for one in held["untagged"]
        ),
        compile_bounded(f"(?i){label}"),
    )


def _tags(stems: str, slash: str) -> str:
    """The pattern of tags whose name has one of the stems; a control token closes by its name (`<|END_THINKING|>`)."""
    name = rf"(?:[\w.-]{{1,20}}:)?[\pL_-]{{0,20}}(?:{stems})[\pL_-]{{0,20}}"
    control = {"": "", "/": "(?:/|end[_ ](?:of[_ ])?)", "/?": "/?"}[slash]
    return (
        rf"<\s{{0,2}}{slash}\s{{0,2}}{name}(?:\s[^<>]{{0,120}})?>|<[|｜]\s?{control}{name}\s?[|｜]>"
        rf"|\[\s?{slash}{name}\s?\]|◁\s?{slash}{name}\s?▷"
    )
