"""What is asked of each part, beside what it gives before somebody asks for more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from careline_local.bench.scale.simulate import PER_BATCH, Load, Times, calls
from careline_local.cost.usage import Usage

LIMITS = Path(__file__).with_name("limits.yaml")
KB_PER_VECTOR = 1.1 * (4 * 1024 + 8 * 16) / 1000
"""A float32 vector of 1,024 dimensions in an HNSW graph of 16 neighbours (k-NN plugin's estimate, from memory)."""
PASSAGES_OF_A_DOCUMENT = 10
REPLACED = 0.1
"""Share of documents that were replaced or deleted since the index was built, whose old content a search leaves out."""
EDITION_BYTES, NAMED_BYTES, NAMED_TIMES = 150, 23, 6
"""Of the record of an edition that is left out, and of its name in a search, which has it twice for its words and once
for each of four languages."""
CHANGE_BYTES, GROUP_BYTES, GROUPS = 200, 2_200, 8
"""Of an entry in the log of changes, and of the sums of each language and audience, which a process that searches reads
after each change."""
CHANGES_OF_A_DOCUMENT = 2
"""It is announced, and activated."""
READ_BYTES_A_SECOND = 10_000_000
"""Of a DynamoDB query, page after page."""
VISIBLE_SECONDS = 10.0
"""`activate` is held until the index shows what it was given (refresh of NextGen)."""
ACTIVATION_SECONDS = 0.03
"""The corpus's record of a hospital is read and written by one change at a time."""
EDITIONS = "layers/careline/engines/aws/passage_index/index_editions.py"
HIDDEN = "layers/careline/engines/aws/passage_index/hidden_editions.py"
CALLS_OF_A_TASK = 6
"""Calls that a task of one processor takes at most, as it is deployed (infra/stacks/voice.py); the service is scaled to
half of it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One part: what is asked, what is given, and what to do where that is not enough."""

    of: str
    part: str
    asked: float
    given: float
    unit: str
    remedy: str
    source: str

    @property
    def share(self) -> float:
        """Of what is given; above 1 it is not enough."""
        return self.asked / self.given

    def to_json(self) -> dict[str, Any]:
        """The row for programs."""
        return {**{name: getattr(self, name) for name in self.__slots__}, "share": round(self.share, 3)}


def rows(passages: int, at_once: int, documents_an_hour: int, times: Times, hospitals: int = 1) -> list[Row]:
    """All parts: for so many passages and documents an hour of one hospital, and calls at once of all `hospitals`."""
    return [
        *_of_passages(passages, documents_an_hour),
        *_of_calls(at_once, calls(at_once, times, hospitals), times, hospitals),
        *_of_documents(documents_an_hour),
    ]


def _of_passages(passages: int, documents_an_hour: int) -> Iterator[Row]:
    told, documents = f"{passages:,} passages", passages / PASSAGES_OF_A_DOCUMENT
    named = documents * REPLACED * NAMED_BYTES * NAMED_TIMES / 1e6
    yield _row(told, "OpenSearch: replaced documents named in a search", named, "search_request")
    yield _row(told, "OpenSearch: vectors in memory, two copies", 2 * passages * KB_PER_VECTOR / 1e6, "search_memory")
    seconds = documents * REPLACED * EDITION_BYTES / READ_BYTES_A_SECOND
    yield Row(
        told, "orchestrator: list of replaced documents, read once", seconds, 5.0, "seconds of a search's five",
        "`careline reindex`, which begins without any", HIDDEN,
    )  # fmt: skip
    a_document = CHANGES_OF_A_DOCUMENT * CHANGE_BYTES + GROUPS * GROUP_BYTES
    yield Row(
        told, "the same while documents come in: seconds of reading in a second of an environment",
        a_document / READ_BYTES_A_SECOND * documents_an_hour / 3600, 1.0, "seconds a second",
        "activate in groups of a hundred", HIDDEN,
    )  # fmt: skip


def _of_calls(at_once: int, load: Load, times: Times, hospitals: int) -> Iterator[Row]:
    told = f"{at_once:,} calls at once"
    yield _row(told, "Lambda: orchestrators at once (peak)", load.orchestrators, "lambda_at_once")
    yield from _of_records(told, load, times, hospitals)
    yield _row(told, "language model: tokens", load.requests_a_second * 60 * times.tokens, "model_tokens")
    yield _row(told, "speech to text: streams", at_once, "speech_streams")
    yield _row(told, "text to speech: sentences made at once (peak)", load.voices, "voices_at_once")
    yield _row(told, "LiveKit: calls", at_once, "rooms")
    tasks = -(-at_once // CALLS_OF_A_TASK)
    yield Row(
        told, f"Fargate: tasks of one processor, {CALLS_OF_A_TASK} calls each", tasks, 6.0,
        "vCPUs of a new account", "service quota L-3032A538", "Fargate quotas, from memory",
    )  # fmt: skip


def _of_records(told: str, load: Load, times: Times, hospitals: int) -> Iterator[Row]:
    """Of each hospital's turns, which one reader writes down."""
    turns, remedy = load.turns_a_second / hospitals, _limits()["queue_group_reader"]["remedy"]
    yield Row(
        told, "telemetry: seconds of writing in a second, one reader a hospital",
        turns * (times.record + times.batch / PER_BATCH), 1.0, "seconds a second",
        remedy, _limits()["queue_group_reader"]["source"],
    )  # fmt: skip
    last, longest = f"wait of the last record after {load.seconds:.0f} s", "longest wait of a record"
    for which, seconds in ((last, load.last_wait), (longest, load.longest_wait)):
        yield Row(
            told, f"telemetry: {which}", seconds, 10.0, "seconds of ten", remedy,
            "what `careline cloud check` and the alarm on age ask for",
        )  # fmt: skip
    yield _row(told, "SQS: messages of one hospital", turns, "queue_group")
    yield _row(told, "DynamoDB: writes to a hospital's partitions", turns * times.record_writes, "table_writes")


def _of_documents(an_hour: int) -> Iterator[Row]:
    told, second = f"{an_hour:,} documents an hour", an_hour / 3600
    used = Usage(queries=0)
    held = second * (used.document_seconds + VISIBLE_SECONDS)
    yield _row(told, "Lambda: ingestion at once", held, "lambda_at_once")
    yield _row(told, "Step Functions: transitions", second * used.transitions_per_document, "transitions")
    yield _row(told, "Step Functions: executions started", second, "executions")
    yield Row(
        told, "DynamoDB: the corpus's record of one hospital, changed by one at a time",
        second * CHANGES_OF_A_DOCUMENT * ACTIVATION_SECONDS, 1.0, "seconds a second",
        "activate in groups", EDITIONS,
    )  # fmt: skip


def _row(of: str, part: str, asked: float, limit: str) -> Row:
    one = _limits()[limit]
    return Row(of, part, asked, float(one["value"]), one["unit"], one["remedy"], one["source"])


@cache
def _limits() -> dict[str, dict[str, Any]]:
    said: dict[str, dict[str, Any]] = yaml.safe_load(LIMITS.read_text(encoding="utf-8"))
    return said
