"""Whole turns in this process, stage by stage, on the demo hospital."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from unittest import mock

from careline.errors import SettingsInvalid
from careline.installation import Installation
from careline.ports import Embedder, Matrix, SentenceEmbedder, Vector
from careline.quoting.quoting_input import QuotingInput
from careline.quoting.writer import Quotation, quotations
from careline.schemas import wire
from careline.turn import pipeline
from careline.turn.speak import generate
from careline_local.bench.measures import Measure, figure
from careline_local.bench.questions import QUESTIONS

ROUNDS = 8


GUARDS = frozenset(
    {"detect_phi", "screen_input", "embed_question", "classify_embedding", "screen_with_model", "route_model",
     "screen_output"}
)  # fmt: skip
"""Stages that keep a turn safe and private; their time holds that of the vectors they look at."""


@dataclass
class TimedEmbedder:
    """An embedder that adds up its time."""

    inner: Embedder
    sentence_embedder: SentenceEmbedder
    spent: float = 0.0

    @property
    def name(self) -> str:
        """See `ports.Embedder.name`."""
        return self.inner.name

    @property
    def dimensions(self) -> int:
        """See `ports.Embedder.dimensions`."""
        return self.inner.dimensions

    @property
    def is_external(self) -> bool:
        """See `ports.Embedder.is_external`."""
        return self.inner.is_external

    @property
    def sentence_dimensions(self) -> int:
        """See `ports.SentenceEmbedder.sentence_dimensions`."""
        return self.sentence_embedder.sentence_dimensions

    async def embed_query(self, text: str) -> Vector:
        """See `ports.Embedder.embed_query`."""
        began = time.perf_counter()
        vector = await self.inner.embed_query(text)
        self.spent += time.perf_counter() - began
        return vector

    async def sentence_embeddings(self, texts: Sequence[str]) -> Matrix:
        """See `ports.SentenceEmbedder.sentence_embeddings`."""
        began = time.perf_counter()
        sentence_embeddings = await self.sentence_embedder.sentence_embeddings(texts)
        self.spent += time.perf_counter() - began
        return sentence_embeddings

    async def read(self, text: str) -> tuple[Vector, Vector]:
        """See `ports.SentenceEmbedder.read`."""
        began = time.perf_counter()
        reading = await self.sentence_embedder.read(text)
        self.spent += time.perf_counter() - began
        return reading

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """See `ports.Embedder.embed_passages`."""
        return await self.inner.embed_passages(texts)


@dataclass
class TimedQuotations:
    """The quoting writer, with the time until each of its pieces added up."""

    spent: float = 0.0

    def quotations(self, quoting_input: QuotingInput) -> Iterator[Quotation]:
        """See `quoting.writer.quotations`."""
        pieces = quotations(quoting_input)
        while True:
            began = time.perf_counter()
            piece = next(pieces, None)
            self.spent += time.perf_counter() - began
            if piece is None:
                return
            yield piece


async def run(installation: Installation) -> list[Measure]:
    """Time every question several times; the first round warms up and is not counted."""
    engines = installation.engines
    if engines.sentence_embedder is None:
        raise SettingsInvalid("CARELINE_SEMANTIC_CLASSIFIERS is off; the bench measures the turn with it")
    embedder, writer = TimedEmbedder(engines.embedder, engines.sentence_embedder), TimedQuotations()
    timed = replace(installation, engines=replace(engines, embedder=embedder, sentence_embedder=embedder))
    stages: dict[str, list[float]] = {}
    whole, rest, embedding, generation, guarding = [], [], [], [], []
    for round_ in range(ROUNDS + 1):
        for question in QUESTIONS:
            embedder.spent = writer.spent = 0.0
            began = time.perf_counter()
            with mock.patch.object(generate, "quotations", writer.quotations):
                answer = await _answer(question, timed)
            spent = time.perf_counter() - began
            if round_ == 0:
                continue
            whole.append(spent * 1000)
            embedding.append(embedder.spent * 1000)
            generation.append(writer.spent * 1000)
            rest.append((spent - embedder.spent - writer.spent) * 1000)
            guarding.append(sum(timing.ms for timing in answer.timings if timing.stage in GUARDS))
            for timing in answer.timings:
                stages.setdefault(timing.stage, []).append(timing.ms)
    return [
        figure("whole turn", "ms", whole),
        figure("all of it but embedding and generation", "ms", rest, "p95 15"),
        figure("safety and privacy stages together", "ms", guarding),
        figure("embedding question and answer", "ms", embedding),
        figure("extractive generation", "ms", generation),
        *(figure(f"stage {stage}", "ms", times) for stage, times in stages.items()),
    ]


async def _answer(question: str, installation: Installation) -> wire.Answer:
    request = wire.QueryRequest(text=question)
    last: wire.Event | None = None
    async for event in pipeline.run(request, installation, installation.engines.new_id()):
        last = event
    if not isinstance(last, wire.Done):
        raise RuntimeError("a turn did not end in an answer")
    return last.answer
