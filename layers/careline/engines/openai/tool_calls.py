"""Puts the fragments of streamed tool calls together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from careline.chat import ToolCall
from careline.errors import ModelStalled

if TYPE_CHECKING:
    from openai.types.chat.chat_completion_chunk import ChoiceDeltaToolCall


@dataclass(slots=True)
class _Begun:
    """A call whose arguments are still arriving."""

    index: int | None
    call_id: str
    name: str
    arguments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ToolCallFragments:
    """The tool calls of one answer.

    The first fragment of a call has its id and the name of its function, those after it pieces of its arguments under
    the same index. Some servers give every call the index 0, or none, and some a new id to each fragment: a name under
    another id begins a call, and everything else goes on with the one that was begun last at its index.
    """

    _begun: list[_Begun] = field(default_factory=list)

    def push(self, fragments: Sequence[ChoiceDeltaToolCall]) -> None:
        """Take in what one chunk holds. Raises: ModelStalled for arguments of no call."""
        for fragment in fragments:
            name = fragment.function.name if fragment.function is not None else None
            arguments = fragment.function.arguments if fragment.function is not None else None
            call = self._open(fragment.index, fragment.id, name)
            if arguments:
                call.arguments.append(arguments)

    def _open(self, index: int | None, call_id: str | None, name: str | None) -> _Begun:
        last = next((one for one in reversed(self._begun) if one.index == index), None)
        if last is not None and not (name and call_id and call_id != last.call_id):
            return last
        if not name:
            raise ModelStalled("the language model sent a tool call without a name", kind="malformed")
        begun = _Begun(index, call_id or f"call_{len(self._begun)}", name)
        self._begun.append(begun)
        return begun

    def complete(self) -> list[ToolCall]:
        """The calls in their order, once the model has finished; asked again there are none."""
        begun, self._begun = self._begun, []
        return [ToolCall(one.call_id, one.name, "".join(one.arguments).strip() or "{}") for one in begun]

    @property
    def are_open(self) -> bool:
        """Whether a call has begun that nobody was given yet."""
        return bool(self._begun)
