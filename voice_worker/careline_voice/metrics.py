"""The figures of calls for Prometheus, counted from their journals. No label holds anything a caller said."""

from __future__ import annotations

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram

from careline_voice.call_events import CallEvents, Moment

SECONDS = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0)
COUNTED = {
    "started": "calls",
    "turn": "questions",
    "transferred": "transfers",
    "transfer_refused": "refused_transfers",
    "murmur": "murmurs",
    "resumed": "false_interruptions",
    "silence": "silences",
    "hang_up": "closed_by_the_line",
    "not_heard": "not_heard",
}
"""Counters by the moment that they count."""


class CallMetrics:
    """The counters of one process."""

    def __init__(self, registry: CollectorRegistry = REGISTRY) -> None:
        self._counters = {
            moment: Counter(f"careline_voice_{name}", name.replace("_", " "), registry=registry)
            for moment, name in COUNTED.items()
        }
        self._outages = Counter("careline_voice_outages", "failures heard by a caller", ["of"], registry=registry)
        self._answers = Counter("careline_voice_answers", "answers by disposition", ["disposition"], registry=registry)
        self._first_audio = Histogram(
            "careline_voice_first_audio_seconds", "from the end of speech to the first audio of the answer",
            buckets=SECONDS, registry=registry,
        )  # fmt: skip

    def follow(self, call_events: CallEvents) -> None:
        """Count what happens in a call."""
        call_events.listeners.append(self._count)

    def _count(self, moment: Moment) -> None:
        if moment.name in self._counters:
            self._counters[moment.name].inc()
        elif moment.name == "outage":
            self._outages.labels(moment.figures["of"]).inc()
        elif moment.name == "answered":
            self._answers.labels(moment.figures["disposition"]).inc()
        elif moment.name == "first_audio":
            self._first_audio.observe(float(moment.figures["seconds"]))
