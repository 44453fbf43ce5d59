"""Leaves a language model's reasoning out of what it writes, while that arrives piece by piece.

Models mark reasoning in many ways: in tags (`<think>`, `[THINK]`, `◁think▷`, `<|START_THINKING|>`), in channels
(`<|channel|>analysis<|message|>`), in a fenced block, or by a label ("Reasoning:"). What is never closed is never
shown. A closing tag without an opening one, which is what comes of a template that writes the opening one into the
prompt, and the label of a final answer say that everything before them was reasoning.

In square brackets stand the words of links and of forms as well: a tag in them begins a line, and no link. Behind a
label of reasoning ("Rationale:") the answer stands where no label of an answer follows.
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
    r"(?:<\s?[|｜/]?\s?[\pL\d:._-]*[|｜]?|<\pL[\pL\d:_-]*\s[^<>]{0,120})$"
    r"|(?:<\|(?:end|start|channel|constrain)\|>[^<>]{0,60}){1,4}$"
    r"|(?:(?m:^)[ \t>*_#]{0,8})?\[[/\s]{0,2}[\pL_-]*\s?\]?$|◁[^▷]{0,60}$|`{1,3}\s{0,2}\pL*$"
    r"|(?P<label>(?m:^)[ \t>*_#]{0,8}\pL*(?: \pL+){0,2}[ \t*_]{0,4}$)"
)
"""The end of a text that may be the beginning of a tag, a channel's head, a fenced block or a label."""
LONGEST_TAG = 240
"""Characters of a tag with its attributes, of a channel's whole head, and of a label."""
LONGEST_PIECE = 256
"""Characters that are read at once: what is found in them is looked for in no more than these and what is open."""
BEGINNING = 32
"""Characters that must have come before a text is known not to begin in reasoning without a tag."""
_LINE = r"(?m:^)[ \t>*_#]{0,8}"
"""The beginning of a line, with the signs of a list, a heading or emphasis."""
_BRACKETED = {"bracketed": "opens", "bracketed_answer": "answer"}
"""The groups of tags in square brackets, each with what it is where it is none of a link."""
_OF_LINE = frozenset({"label", "final", *_BRACKETED})
"""The groups of what begins a line, wherever else it is text."""


class Restart(Enum):
    """What was written so far is no part of the answer."""

    RESTART = 1


RESTART: Final = Restart.RESTART


@dataclass(frozen=True, slots=True)
class _Wrappers:
    """`reasoning.yaml`, compiled. `mark` finds whatever begins or ends reasoning, by the name of its group;
    `answer_label` any label of an answer."""

    mark: Any
    beginning: Any
    unfinished: Any
    untagged: tuple[tuple[Any, Any], ...]
    answer_label: Any


class Reasoning:
    """The reasoning of one completion. What `push` and `flush` give, put together, is the text without it."""

    __slots__ = (
        "_begun", "_depth", "_ends", "_is_behind_label", "_labelled", "_last", "_pending", "_since", "_told_any",
        "_wrote",
    )  # fmt: skip

    def __init__(self) -> None:
        self._pending = ""
        self._begun = False
        self._depth = 0
        self._ends: Any = None
        """What alone ends the reasoning it is in, where a closing tag does not."""
        self._since = ""
        """What of the reasoning came before another tag opened."""
        self._last = "\n"
        self._told_any = False
        """Whether anything was told since the answer began, be it a blank line alone."""
        self._wrote = False
        self._is_behind_label = False
        self._labelled: list[str] = []
        """What came behind a label of reasoning, as long as no label of an answer has."""

    def push(self, piece: str) -> list[str | Restart]:
        """What is certainly of the answer, and where an answer begins anew."""
        told: list[str | Restart] = []
        for at in range(0, len(piece), LONGEST_PIECE):
            self._pending += piece[at : at + LONGEST_PIECE]
            told += self._read(is_over=False)
        return told

    def flush(self, *, is_whole: bool = True) -> list[str | Restart]:
        """The rest, when nothing more will come; reasoning that was not closed is none of it. What stands behind a
        label is the answer where no other label came, unless the completion broke off (not `is_whole`)."""
        told = list(self._read(is_over=True))
        labelled, self._labelled, self._pending = "".join(self._labelled) + self._pending, [], ""
        if self._depth and self._ends is _wrappers().answer_label and is_whole:
            self._depth, self._ends, self._is_behind_label = 0, None, True
            told += self.push(labelled)
            told += self._read(is_over=True)
        return told

    def _read(self, *, is_over: bool) -> Iterator[str | Restart]:
        while True:
            if self._depth:
                if not self._leave():
                    return
            elif not self._begun and self._begins(is_over=is_over) is None:
                return
            elif self._depth == 0:
                found = self._next_mark(is_over=is_over)
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
        if label := _wrappers().beginning.match(start):
            self._depth, self._ends, self._pending = 1, _wrappers().answer_label, start[label.end() :]
            return True
        return False

    def _next_mark(self, *, is_over: bool) -> Any:
        """The first tag, channel or label of the answer; None where there is none, or what follows it must be seen."""
        at = 0
        while found := _wrappers().mark.search(self._pending, at):
            is_bracketed = found.lastgroup in _BRACKETED
            if is_bracketed and found.end() == len(self._pending) and not is_over:
                return None
            if found.lastgroup not in _OF_LINE or self._begins_line(found):
                is_link = is_bracketed and self._pending.startswith("(", found.end())
                is_late = found.lastgroup == "label" and (self._wrote or self._pending[: found.start()].strip())
                if not (is_link or is_late):
                    return found
            at = found.end()
        return None

    def _begins_line(self, found: Any) -> bool:
        return bool(found.start()) or self._last == "\n"

    def _enter(self, found: Any) -> Iterator[str | Restart]:
        kind, length = _BRACKETED.get(found.lastgroup, found.lastgroup), found.end() - found.start()
        if kind == "channel" and found["to"].casefold() != "final":
            kind = "opens"
        if kind in {"opens", "fence", "answer"}:
            yield from self._told(found.start())
            self._pending = self._pending[length:]
            if kind != "answer":
                self._depth, self._since, self._last = 1, "", ""
                self._ends = _fence() if kind == "fence" else None
            return
        # A closing tag, the channel or the label of the answer: what came before was no answer.
        before, self._pending = self._pending[: found.start()], self._pending[found.end() :]
        is_anew = self._told_any or bool(before.strip())
        self._last, self._is_behind_label = "\n", kind in {"label", "final"}
        self._told_any = self._wrote = False
        if is_anew:
            yield RESTART

    def _leave(self) -> bool:
        """Pass over reasoning; whether it has ended."""
        ends = self._ends or _wrappers().mark
        at = 0
        while found := ends.search(self._pending, at):
            is_of_line = found.lastgroup in _OF_LINE or self._ends is _wrappers().answer_label
            if is_of_line and not self._begins_line(found):
                at, self._since = found.end(), found[0]
                continue
            if self._ends is not None or self._closes(found, self._since + self._pending[at : found.start()]):
                self._is_behind_label = self._ends is _wrappers().answer_label
                self._depth, self._ends, self._since, self._last, self._labelled = 0, None, "", "\n", []
                self._pending = self._pending[found.end() :]
                return True
            at, self._since = found.end(), ""
        self._since = self._since or self._pending[at:-LONGEST_TAG].strip()[:1]
        kept = max(at, len(self._pending) - LONGEST_TAG)
        if self._ends is _wrappers().answer_label:
            self._labelled.append(self._pending[:kept])
        self._last = self._pending[kept - 1] if kept else self._last
        self._pending = self._pending[kept:]
        return False

    def _closes(self, found: Any, before: str) -> bool:
        """Whether what was found within reasoning ends it; a tag that opens again right behind the first is the same
        one, which a template and a model wrote."""
        kind = _BRACKETED.get(found.lastgroup, found.lastgroup)
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
            self._last, self._told_any = told[-1], True
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
    elements = f"{reasoning}|{'|'.join(held['elements'].split())}"
    labels = {kind: _label("|".join(held[kind])) for kind in ("answer_labels", "final_labels")}
    beginnings = "|".join(held["reasoning_labels"])
    marks = (
        rf"(?P<closes>{_tags(elements, '/')}|{_bracketed(reasoning, '/')})|(?P<opens>{_tags(elements, '')})"
        rf"|(?P<bracketed>{_LINE}{_bracketed(reasoning, '')})|(?P<channel>{_CHANNEL})"
        rf"|(?P<answer>{_tags(answer, '/?')}|{_bracketed(answer, '/')}|<(?:{reasoning})\pL*\s?/>)"
        rf"|(?P<bracketed_answer>{_LINE}{_bracketed(answer, '')})"
        rf"|(?P<fence>```\s{{0,2}}(?:{reasoning})\pL*\s)"
        rf"|(?P<final>{labels['final_labels']})|(?P<label>{labels['answer_labels']})"
    )
    return _Wrappers(
        compile_bounded(f"(?i){marks}"),
        compile_bounded(rf"(?i)[ \t>*_#]{{0,8}}(?:{beginnings})[ \t*_]{{0,4}}[:：]"),
        compile_bounded(f"(?i){_UNFINISHED}"),
        tuple(
            (compile_bounded(f"(?i){one['begins']}"), compile_bounded(f"(?i){one['ends']}")) for one in held["untagged"]
        ),
        compile_bounded(f"(?i){'|'.join(labels.values())}"),
    )


def _label(names: str) -> str:
    return rf"{_LINE}(?:{names})[ \t*_]{{0,4}}[:：]"


def _tags(stems: str, slash: str) -> str:
    """The pattern of tags whose name has one of the stems; a control token closes by its name (`<|END_THINKING|>`)."""
    name = rf"(?:[\w.-]{{1,20}}:)?[\pL_-]*(?:{stems})[\pL_-]*"
    control = {"": "", "/": "(?:/|end[_ ](?:of[_ ])?)", "/?": "/?"}[slash]
    return (
        rf"<\s{{0,2}}{slash}\s{{0,2}}{name}(?:\s[^<>]{{0,120}})?>|<[|｜]\s?{control}{name}\s?[|｜]>"
        rf"|◁\s?{slash}{name}\s?▷"
    )


def _bracketed(stems: str, slash: str) -> str:
    """The pattern of tags in square brackets: a word of their name begins with one of the stems."""
    return rf"\[\s?{slash}(?:\pL+[_-])?(?:{stems})\pL*(?:[_-]\pL+)?\s?\]"
