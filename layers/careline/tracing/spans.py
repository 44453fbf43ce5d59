"""Spans of OpenTelemetry: names are fixed, values are codes, counts, sizes and ids of ours, never words of a caller or
of a document; an exception is told by its kind.

Only the API of OpenTelemetry is imported. Without a provider (`careline.runtime.traces`) a span is nothing, and costs
about as much. Names of attributes are OpenTelemetry's semantic conventions where these have one (`gen_ai.*`, `http.*`,
`rpc.*`, `faas.*`), else ours, `careline.*`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal, TypeAlias

from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.trace import NonRecordingSpan, Span, SpanContext, SpanKind, Status, StatusCode, TraceFlags

from careline.errors import CarelineError

Value: TypeAlias = str | int | float | bool
Attributes: TypeAlias = Mapping[str, Value | None]
Kind = Literal["internal", "client", "server"]
SCOPE = "careline"
_KINDS = {"internal": SpanKind.INTERNAL, "client": SpanKind.CLIENT, "server": SpanKind.SERVER}
_ROOT = re.compile(r"Root=1-([0-9a-f]{8})-([0-9a-f]{24})")
_PARENT = re.compile(r"Parent=([0-9a-f]{16})")
_tracer = trace.get_tracer(SCOPE)


class Noted:
    """A span to which more may be noted while it goes on."""

    def __init__(self, span: Span) -> None:
        self._span = span

    @staticmethod
    def none() -> Noted:
        """Nothing to note anything to."""
        return Noted(trace.INVALID_SPAN)

    def note(self, attributes: Attributes) -> None:
        """Add what is known by now; None is nothing."""
        if self._span.is_recording():
            self._span.set_attributes({name: value for name, value in attributes.items() if value is not None})

    def fail(self, error: BaseException) -> None:
        """Note that it failed: a code or a kind, never a message."""
        self.fail_with(error.code if isinstance(error, CarelineError) else type(error).__name__)

    def fail_with(self, code: str) -> None:
        """Note that it failed with this code."""
        self._span.set_attribute("error.type", code)
        self._span.set_status(Status(StatusCode.ERROR))

    def end(self) -> None:
        """It is over. Nothing where it was already."""
        if self._span.is_recording():
            self._span.end()


@contextmanager
def span(name: str, attributes: Attributes | None = None, kind: Kind = "internal") -> Iterator[Noted]:
    """A span of a block that one task runs from beginning to end."""
    with _tracer.start_as_current_span(
        name, kind=_KINDS[kind], record_exception=False, set_status_on_exception=False
    ) as current:
        noted = Noted(current)
        noted.note(attributes or {})
        try:
            yield noted
        except Exception as error:
            noted.fail(error)
            raise


class LongSpan(Noted):
    """A span of an async generator, which may go on in another task than it began in: what was current before is put
    back by its value, not by undoing. What begins while it lasts stands below it."""

    def __init__(self, name: str, attributes: Attributes | None = None, kind: Kind = "internal") -> None:
        self._before = contexts.get_current()
        super().__init__(_tracer.start_span(name, kind=_KINDS[kind]))
        self.note(attributes or {})
        self.resume()

    def resume(self) -> None:
        """Make it current, where something else was meanwhile."""
        contexts.attach(trace.set_span_in_context(self._span, self._before))

    def end(self) -> None:
        """It is over. Nothing where it was already."""
        super().end()
        contexts.attach(self._before)


def begin_apart(name: str, attributes: Attributes | None = None, kind: Kind = "internal") -> Noted:
    """A span below the current one that does not become current itself; whoever begins it ends it."""
    noted = Noted(_tracer.start_span(name, kind=_KINDS[kind]))
    noted.note(attributes or {})
    return noted


@contextmanager
def within_xray(header: str) -> Iterator[None]:
    """Spans of the block belong to the trace that X-Ray knows, by its header; those of another trace where it is none.

    The trace id of OpenTelemetry is then X-Ray's without its hyphens and its leading 1.
    """
    root, parent = _ROOT.search(header), _PARENT.search(header)
    if root is None or parent is None:
        yield
        return
    flags = TraceFlags(TraceFlags.DEFAULT if "Sampled=0" in header else TraceFlags.SAMPLED)
    remote = SpanContext(int(root[1] + root[2], 16), int(parent[1], 16), is_remote=True, trace_flags=flags)
    before = contexts.get_current()
    contexts.attach(trace.set_span_in_context(NonRecordingSpan(remote), before))
    try:
        yield
    finally:
        contexts.attach(before)
