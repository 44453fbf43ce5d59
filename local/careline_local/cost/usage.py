"""What a hospital uses in a month. Where a figure was measured its source stands beside it; the others are taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Usage:
    """A month. Shares are 0 to 1, times in seconds, sizes in kB unless a name says otherwise."""

    queries: int
    voice_share: float = 0.3
    """Of the queries, those that are spoken."""
    turns_per_call: float = 3.0
    seconds_per_call: float = 90.0
    spoken_characters: int = 180
    """Of one answer on the telephone; the median written one has 162 (docs/measurements.md)."""
    with_model: bool = True
    """Whether a language model writes; without one answers are quoted."""
    with_embedding: bool = False
    """Whether a vendor makes the vectors; else the functions' own model does."""
    model_share: float = 1.0
    """Of the queries, those that reach the model: greetings, refusals and emergencies do not."""
    prompt_tokens: int = 2000
    answer_tokens: int = 100
    turn_seconds: float = 2.5
    """The orchestrator is held as long as the model streams."""
    quoted_seconds: float = 0.5
    """The same without a model: 0.17 CPU s, and records (cloud audit, 2026-11)."""
    speculative_per_turn: float = 1.0
    """Questions of a caller that are asked before it is certain that they are over, and dropped."""
    speculative_seconds: float = 1.0
    table_reads: float = 15.0
    """Of a turn and its record, measured on the laptop's emulation of the services."""
    table_writes: float = 16.0
    """8 items, twice as they stand in transactions."""
    queue_requests: float = 3.0
    telemetry_seconds: float = 0.3
    log_kb: float = 5.0
    answer_kb: float = 8.0
    traced_share: float = 0.05
    restores: float = 0.05
    """Of the requests, those that a new environment answers."""
    documents: int = 200
    """Taken in or changed."""
    document_seconds: float = 8.0
    """Of all functions that one document passes, at the memory of each."""
    document_tokens: int = 5000
    transitions_per_document: float = 9.0
    writes_per_document: float = 120.0
    library_gb: float = 2.0
    records_gb_per_100000: float = 2.0
    people: int = 50
    """Who log in."""
    awake_hours: float = 20.0
    """Of a search that may sleep, hours in which somebody asks."""
    indexing_hours: float = 10.0
    """Hours in which documents come in."""
    awake_units: float = 2.0
    """OpenSearch units that a sleeping collection wakes up to."""
    metrics: int = 60
    """Custom metrics, by name and dimensions."""
    call_kb_per_second: float = 16.0
    """Audio both ways and its overhead, through a NAT gateway."""

    @property
    def spoken(self) -> float:
        """Spoken queries."""
        return self.queries * self.voice_share

    @property
    def calls(self) -> float:
        """Calls by telephone."""
        return self.spoken / self.turns_per_call

    @property
    def minutes(self) -> float:
        """Minutes of calls."""
        return self.calls * self.seconds_per_call / 60

    @property
    def billed_minutes(self) -> float:
        """The same as LiveKit and Twilio count: each call is rounded up to whole minutes."""
        return self.calls * -(-self.seconds_per_call // 60)

    def idle(self) -> Usage:
        """The same hospital while nobody asks, brings documents or logs in."""
        return replace(
            self, queries=0, documents=0, people=0, awake_hours=0.0, indexing_hours=0.0, library_gb=0.0, metrics=0
        )


HOSPITALS: Mapping[str, Usage] = MappingProxyType(
    {
        "small": Usage(
            2_000, voice_share=0.2, documents=50, people=10, library_gb=0.5, awake_hours=60.0, indexing_hours=3.0
        ),
        "middle": Usage(25_000, voice_share=0.3, documents=200, people=50, awake_hours=250.0),
        "large": Usage(
            250_000, voice_share=0.4, documents=2_000, people=400, library_gb=20.0, awake_hours=500.0,
            indexing_hours=60.0,
        ),
    }
)  # fmt: skip
"""Three hospitals. Their queries are those of the question that costs were asked with; the rest is taken."""
EVERY_QUERY_A_CALL = Usage(25_000, voice_share=1.0, turns_per_call=1.0, seconds_per_call=45.0)
"""The usage of a published estimate of about 600 euro a month: 25,000 queries of 45 seconds, all by telephone."""
