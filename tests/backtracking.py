"""Counts the steps in which a backtracking matcher reads a text.

The `re` module counts nothing, so the pattern's own parse tree is run here by a matcher that tries the same things in
the same order: greedy before short, the first alternative first, back to the last choice when nothing fits, and from
every place of the text anew. A step is one thing tried. The same text takes the same steps on every machine. What the
module does faster than this (it looks for a literal first) is only ever faster.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from re import _compiler, _parser
from re import _constants as sre
from typing import Any

MOST_STEPS = 300_000
"""Who needs more for a text of a few hundred characters is not linear."""
SCALED = 10
"""A long repetition that is not endless is tried with this many: what lies behind its end is seen on short texts."""
Text = str | bytes
Node = tuple[Any, Any]
Saved = dict[int, int]
"""Where groups begin and end."""


@dataclass(slots=True)
class Program:
    """A pattern as instructions: (operation, argument, argument)."""

    code: list[tuple[Any, ...]] = field(default_factory=list)
    slots: int = 0


class Fits(dict[Text, bool]):
    """Which characters a part of a pattern takes; each is tried once."""

    def __init__(self, one: re.Pattern[Any]) -> None:
        super().__init__()
        self._one = one

    def __missing__(self, character: Text) -> bool:
        self[character] = fits = self._one.fullmatch(character) is not None
        return fits

    def __call__(self, character: Text) -> bool:
        return self[character]


class Compiler:
    """Turns a parse tree into instructions."""

    def __init__(self, state: Any, of_bytes: bool, scaled: bool) -> None:
        self._state, self._of_bytes, self._scaled = state, of_bytes, scaled
        self.program = Program()
        self.fits: list[Fits] = []

    def compile(self, tree: Any, flags: int) -> Program:
        self._sequence(tree, flags)
        self._emit("matched")
        return self.program

    def _emit(self, *instruction: Any) -> int:
        self.program.code.append(instruction)
        return len(self.program.code) - 1

    def _sequence(self, nodes: Any, flags: int) -> None:
        for node in nodes:
            self._node(node, flags)

    def _node(self, node: Node, flags: int) -> None:  # noqa: C901  one branch for each kind of node
        kind, argument = node
        if kind in {sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN, sre.CATEGORY}:
            self._emit("one", self._fits(node, flags))
        elif kind in {sre.MAX_REPEAT, sre.MIN_REPEAT}:
            self._repeat(*argument, greedy=kind is sre.MAX_REPEAT, flags=flags)
        elif kind is sre.BRANCH:
            self._branch(argument[1], flags)
        elif kind is sre.SUBPATTERN:
            group, add, remove, inside = argument
            if group is not None:
                self._emit("save", 2 * group)
            self._sequence(inside, (flags | add) & ~remove)
            if group is not None:
                self._emit("save", 2 * group + 1)
        elif kind is sre.AT:
            is_word = self._fits((sre.IN, [(sre.CATEGORY, sre.CATEGORY_WORD)]), flags)
            self._emit("at", argument, bool(flags & re.MULTILINE), is_word)
        elif kind in {sre.ASSERT, sre.ASSERT_NOT}:
            direction, inside = argument
            width = inside.getwidth()[0] if direction < 0 else 0
            self._emit("look", self._apart(inside, flags), width, kind is sre.ASSERT)
        elif kind is sre.GROUPREF:
            self._emit("again", argument)
        elif kind is sre.GROUPREF_EXISTS:
            group, yes, no = argument
            self._conditional(group, yes, no or [], flags)
        elif kind is sre.ATOMIC_GROUP:
            self._emit("atomic", self._apart(argument, flags))
        elif kind is sre.POSSESSIVE_REPEAT:
            self._emit("atomic", self._apart([(sre.MAX_REPEAT, argument)], flags))
        elif kind is not sre.FAILURE:
            raise AssertionError(f"a node that is not known here: {kind}")
        else:
            self._emit("fail")

    def _fits(self, node: Node, flags: int) -> Fits:
        fits = Fits(_compiler.compile(_parser.SubPattern(self._state, [node]), flags & ~re.DEBUG))
        self.fits.append(fits)
        return fits

    def _apart(self, nodes: Any, flags: int) -> Program:
        ours, self.program = self.program, Program()
        self._sequence(nodes, flags)
        self._emit("matched")
        apart, self.program = self.program, ours
        return apart

    def _branch(self, alternatives: Any, flags: int) -> None:
        ends = []
        for alternative in alternatives[:-1]:
            choice = self._emit("choose", None, None)
            self._sequence(alternative, flags)
            ends.append(self._emit("go", None))
            self.program.code[choice] = ("choose", choice + 1, len(self.program.code))
        self._sequence(alternatives[-1], flags)
        for end in ends:
            self.program.code[end] = ("go", len(self.program.code))

    def _conditional(self, group: int, yes: Any, no: Any, flags: int) -> None:
        test = self._emit("if", group, None)
        self._sequence(yes, flags)
        end = self._emit("go", None)
        self.program.code[test] = ("if", group, len(self.program.code))
        self._sequence(no, flags)
        self.program.code[end] = ("go", len(self.program.code))

    def _repeat(self, least: int, most: Any, inside: Any, *, greedy: bool, flags: int) -> None:
        endless = most is sre.MAXREPEAT
        if self._scaled and not endless and most > SCALED:
            least, most = min(least, SCALED), SCALED
        for _ in range(least):
            self._sequence(inside, flags)
        if endless:
            self._loop(inside, greedy, flags)
            return
        choices = []
        for _ in range(most - least):
            choices.append(self._emit("choose", None, None))
            self._sequence(inside, flags)
        for choice in choices:
            ways = (choice + 1, len(self.program.code))
            self.program.code[choice] = ("choose", *(ways if greedy else ways[::-1]))

    def _loop(self, inside: Any, greedy: bool, flags: int) -> None:
        empty = _parser.SubPattern(self._state, list(inside)).getwidth()[0] == 0
        slot = -1 - len(self.program.code)
        choice = self._emit("choose", None, None)
        if empty:
            self._emit("save", slot)
        self._sequence(inside, flags)
        if empty:
            self._emit("moved", slot)
        self._emit("go", choice)
        ways = (choice + 1, len(self.program.code))
        self.program.code[choice] = ("choose", *(ways if greedy else ways[::-1]))


class TooManySteps(Exception):
    """The matcher was stopped."""


class _Run:
    """One text read by one pattern."""

    def __init__(self, text: Text, most: int) -> None:
        self._text, self._most = text, most
        self._characters = [text[at : at + 1] for at in range(len(text))]
        self.steps = 0

    def match(self, program: Program, at: int, saved: Saved, whole: bool = False) -> tuple[int, Saved] | None:  # noqa: C901
        """Where a match that begins at a place ends, and what its groups hold."""
        characters, code, most, end = self._characters, program.code, self._most, len(self._text)
        steps = self.steps
        todo = [(0, at, saved)]
        while todo:
            place, at, saved = todo.pop()
            while True:
                steps += 1
                if steps > most:
                    raise TooManySteps
                operation = code[place]
                kind = operation[0]
                place += 1
                if kind == "one":
                    if at < end and operation[1][characters[at]]:
                        at += 1
                        continue
                    break
                if kind == "choose":
                    todo.append((operation[2], at, saved))
                    place = operation[1]
                elif kind == "go":
                    place = operation[1]
                elif kind == "save":
                    saved = {**saved, operation[1]: at}
                elif kind == "matched":
                    if not whole or at == end:
                        self.steps = steps
                        return at, saved
                    break
                else:
                    self.steps = steps
                    moved = self._other(operation, at, saved)
                    steps = self.steps
                    if moved is None:
                        break
                    at, saved, jump = moved
                    place = place if jump is None else jump
        self.steps = steps
        return None

    def begin(self, program: Program, at: int) -> int:
        """The next place where a match may begin: what a pattern asks for first is looked for without more ado."""
        kind, *arguments = program.code[0]
        if kind != "one":
            return at
        (fits,), here = arguments, at
        while here < len(self._characters) and not fits[self._characters[here]]:
            here += 1
        self.steps += here - at
        if self.steps > self._most:
            raise TooManySteps
        return here

    def _other(
        self, operation: tuple[Any, ...], at: int, saved: dict[int, int]
    ) -> tuple[int, dict[int, int], int | None] | None:
        text, kind = self._text, operation[0]
        if kind == "at":
            return (at, saved, None) if _stands(text, at, *operation[1:]) else None
        if kind == "moved":
            return (at, saved, None) if saved.get(operation[1]) != at else None
        if kind == "look":
            program, width, wanted = operation[1:]
            found = self.match(program, at - width, saved) if at >= width else None
            return (at, found[1] if found and wanted else saved, None) if (found is not None) == wanted else None
        if kind == "again":
            begin, end = saved.get(2 * operation[1]), saved.get(2 * operation[1] + 1)
            if begin is None or end is None or text[at : at + end - begin] != text[begin:end]:
                return None
            self.steps += end - begin
            return at + end - begin, saved, None
        if kind == "atomic":
            found = self.match(operation[1], at, saved)
            return (*found, None) if found is not None else None
        if kind == "if":
            return at, saved, None if 2 * operation[1] + 1 in saved else operation[2]
        return None


def _stands(text: Text, at: int, where: Any, lines: bool, is_word: Callable[[Text], bool]) -> bool:
    newline = "\n" if isinstance(text, str) else b"\n"
    if where is sre.AT_BEGINNING_STRING or (where is sre.AT_BEGINNING and not lines):
        return at == 0
    if where is sre.AT_BEGINNING:
        return at == 0 or text[at - 1 : at] == newline
    if where is sre.AT_END_STRING:
        return at == len(text)
    if where is sre.AT_END:
        return at == len(text) or (text[at : at + 1] == newline and (lines or at == len(text) - 1))
    before = at > 0 and is_word(text[at - 1 : at])
    after = at < len(text) and is_word(text[at : at + 1])
    return (before != after) == (where is sre.AT_BOUNDARY)


class Matcher:
    """A pattern of the `re` module whose steps are counted. `scaled` cuts long bounded repetitions short."""

    def __init__(self, pattern: Text, flags: int = 0, *, scaled: bool = False) -> None:
        self.tree = _parser.parse(pattern, flags)
        self.flags = self.tree.state.flags
        self.of_bytes = isinstance(pattern, bytes)
        compiler = Compiler(self.tree.state, self.of_bytes, scaled)
        self.program = compiler.compile(self.tree, self.flags)
        self.fits = compiler.fits

    def steps(self, text: Text, how: str = "search", most: int = MOST_STEPS) -> int:
        """Steps to find every match of a text (`search`), or the one at its start (`match`, `fullmatch`).

        More than `most` are not taken; `most` is told then.
        """
        run = _Run(text, most)
        try:
            if how in {"match", "fullmatch"}:
                run.match(self.program, 0, {}, whole=how == "fullmatch")
                return run.steps
            at = 0
            while at <= len(text):
                at = run.begin(self.program, at)
                found = run.match(self.program, at, {})
                at = at + 1 if found is None or found[0] == at else found[0]
        except TooManySteps:
            return most
        return run.steps

    def matches(self, text: Text) -> list[tuple[int, int]]:
        """Spans of the matches, as `finditer` gives them for patterns that never match nothing."""
        run, spans, at = _Run(text, MOST_STEPS), [], 0
        while at <= len(text):
            found = run.match(self.program, at, {})
            if found is not None:
                spans.append((at, found[0]))
            at = at + 1 if found is None or found[0] == at else found[0]
        return spans
