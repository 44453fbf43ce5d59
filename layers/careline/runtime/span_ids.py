"""Ids of spans and traces, from the operating system's random numbers: those of `random` would be the same again in
every process that is restored from one snapshot. Imports the SDK of OpenTelemetry."""

from __future__ import annotations

from random import SystemRandom

from opentelemetry.sdk.trace.id_generator import IdGenerator


class SystemIds(IdGenerator):
    """Ids that no other process has."""

    def __init__(self) -> None:
        self._random = SystemRandom()

    def generate_span_id(self) -> int:
        """64 bits, never 0, which is none."""
        return self._random.randrange(1, 1 << 64)

    def generate_trace_id(self) -> int:
        """128 bits, never 0."""
        return self._random.randrange(1, 1 << 128)

    def is_trace_id_random(self) -> bool:
        """See `IdGenerator`."""
        return True
