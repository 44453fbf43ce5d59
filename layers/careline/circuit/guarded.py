"""Puts a circuit before each port that leaves the process: what failed again and again is not asked for a while, and
callers get the next best at once.

What an engine says of a request itself, such as that it is too long, is no failure of the engine: nobody may switch it
off for all by what they ask.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager

from careline.chat import ChatDelta, ChatMessage, ToolDefinition
from careline.circuit.circuit import Verdict
from careline.circuit.circuits import EMBEDDER, INDEX, Circuits, Paused, Sleep
from careline.errors import (
    CUT_SHORT,
    AnswerMisshapen,
    EmbedderPaused,
    EmbedderRefused,
    EmbedderUnavailable,
    EngineUnavailable,
    IndexPaused,
    IndexUnavailable,
    ModelPaused,
    ModelUnavailable,
)
from careline.log.event_log import EventLog
from careline.model import Hit, Passage
from careline.ports import ChatModel, Embedder, Matrix, PassageIndex, PassageQuery, Shaped, StructuredCaller, Vector

OF_THE_REQUEST = frozenset({400, 413, 422})
"""Statuses that tell of what was asked."""
LONGEST_WAIT = 150.0
"""Seconds that work on documents waits for a component: two pauses and a lease between them."""
log = EventLog(__name__)


def verdict_of(error: EngineUnavailable) -> Verdict:
    """What a failure tells of the engine."""
    if not error.was_asked or error.answered in OF_THE_REQUEST or isinstance(error, EmbedderRefused):
        # Documents would wait for what no waiting mends, and nobody be told what would.
        return "unknown"
    is_cut_short = isinstance(error, ModelUnavailable) and error.kind in CUT_SHORT
    return "worked" if is_cut_short or isinstance(error, AnswerMisshapen) else "failed"


class Watched:
    """A call that goes on. `verdict` is what it tells when it ends; of one that was given up nothing."""

    def __init__(self) -> None:
        self.verdict: Verdict = "unknown"


@asynccontextmanager
async def guarded(circuits: Circuits, component: str, failure: type[EngineUnavailable]) -> AsyncIterator[Watched]:
    """Watch a call of a component. Raises: Paused, and whatever is raised within."""
    call, watched = await circuits.begin(component), Watched()
    held = asyncio.create_task(circuits.hold(call)) if call.probe else None
    try:
        yield watched
        watched.verdict = "worked"
    except failure as error:
        watched.verdict = verdict_of(error)
        raise
    finally:
        if held is not None:
            held.cancel()
        # Noted also where whoever waited for the call is gone: a probe that nobody ends keeps others waiting.
        await asyncio.shield(circuits.end(call, watched.verdict))


class GuardedModel:
    """A chat model behind its circuit."""

    def __init__(self, model: ChatModel, circuits: Circuits, component: str) -> None:
        self._model, self._circuits, self._component = model, circuits, component

    @property
    def name(self) -> str:
        """See `ports.ChatModel.name`."""
        return self._model.name

    async def chat(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolDefinition] = ()
    ) -> AsyncGenerator[ChatDelta, None]:
        """See `ports.ChatModel.chat`. Raises: ModelPaused where it is not asked."""
        try:
            async with guarded(self._circuits, self._component, ModelUnavailable) as call:
                async with aclosing(self._model.chat(messages, tools)) as deltas:
                    async for delta in deltas:
                        # It answers; that somebody stops listening is no fault of its.
                        call.verdict = "worked"
                        yield delta
        except Paused as paused:
            raise ModelPaused(f"the language {paused}", retry_after=paused.seconds) from None


class GuardedCaller:
    """A structured caller behind a circuit for each site: what is too slow for one may be quick enough for another."""

    def __init__(self, caller: StructuredCaller, circuits: Circuits) -> None:
        self._caller, self._circuits = caller, circuits

    @property
    def name(self) -> str:
        """See `ports.StructuredCaller.name`."""
        return self._caller.name

    async def ask(self, site: str, instructions: str, text: str, shape: type[Shaped], seconds: float) -> Shaped:
        """See `ports.StructuredCaller.ask`. Raises: ModelPaused where it is not asked."""
        try:
            async with guarded(self._circuits, site, ModelUnavailable):
                return await self._caller.ask(site, instructions, text, shape, seconds)
        except Paused as paused:
            raise ModelPaused(str(paused), retry_after=paused.seconds) from None


class GuardedEmbedder:
    """An embedder behind its circuit. Questions do without; documents wait."""

    def __init__(self, embedder: Embedder, circuits: Circuits, sleep: Sleep = asyncio.sleep) -> None:
        self._embedder, self._circuits, self._sleep = embedder, circuits, sleep

    @property
    def name(self) -> str:
        """See `ports.Embedder.name`."""
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        """See `ports.Embedder.dimensions`."""
        return self._embedder.dimensions

    @property
    def is_external(self) -> bool:
        """See `ports.Embedder.is_external`."""
        return self._embedder.is_external

    async def embed_query(self, text: str) -> Vector:
        """See `ports.Embedder.embed_query`. Raises: EmbedderPaused where it is not asked."""
        try:
            async with guarded(self._circuits, EMBEDDER, EmbedderUnavailable):
                return await self._embedder.embed_query(text)
        except Paused as paused:
            raise EmbedderPaused(str(paused), retry_after=paused.seconds) from None

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """See `ports.Embedder.embed_passages`. Raises: EmbedderPaused where it is not asked for long."""
        waited = 0.0
        while True:
            try:
                async with guarded(self._circuits, EMBEDDER, EmbedderUnavailable):
                    return await self._embedder.embed_passages(texts)
            except Paused as paused:
                if waited + paused.seconds > LONGEST_WAIT:
                    raise EmbedderPaused(str(paused), retry_after=paused.seconds) from None
                log.write("work_paused", component=EMBEDDER, seconds=paused.seconds)
                waited += paused.seconds
                await self._sleep(paused.seconds)


class GuardedIndex:
    """A passage index whose searches stand behind a circuit; what documents change has tries of its own."""

    def __init__(self, index: PassageIndex, circuits: Circuits) -> None:
        self._index, self._circuits = index, circuits

    async def find(self, query: PassageQuery) -> Sequence[Hit]:
        """See `ports.PassageIndex.find`. Raises: IndexPaused where it is not asked."""
        try:
            async with guarded(self._circuits, INDEX, IndexUnavailable):
                return await self._index.find(query)
        except Paused as paused:
            raise IndexPaused(str(paused), retry_after=paused.seconds) from None

    async def add(self, passages: Sequence[Passage], vectors: Matrix, windows: Sequence[bytes] = ()) -> None:
        """See `ports.PassageIndex.add`."""
        await self._index.add(passages, vectors, windows)

    async def activate(self, tenant: str, doc_key: str, version: int) -> None:
        """See `ports.PassageIndex.activate`."""
        await self._index.activate(tenant, doc_key, version)

    async def retire(self, tenant: str, doc_key: str, version: int) -> None:
        """See `ports.PassageIndex.retire`."""
        await self._index.retire(tenant, doc_key, version)

    async def withdraw(self, tenant: str, doc_key: str, version: int) -> None:
        """See `ports.PassageIndex.withdraw`."""
        await self._index.withdraw(tenant, doc_key, version)

    async def settle(self) -> None:
        """See `ports.PassageIndex.settle`."""
        await self._index.settle()

    async def passages(self, tenant: str, doc_key: str, version: int) -> Sequence[Passage]:
        """See `ports.PassageIndex.passages`."""
        return await self._index.passages(tenant, doc_key, version)

    async def corpus_version(self, tenant: str) -> int:
        """See `ports.PassageIndex.corpus_version`."""
        return await self._index.corpus_version(tenant)

    async def clear(self, tenant: str) -> None:
        """See `ports.PassageIndex.clear`."""
        await self._index.clear(tenant)


class Guarded:
    """Puts a circuit before engines; none without `circuits`, and none before what does not leave the process."""

    def __init__(self, circuits: Circuits | None) -> None:
        self._circuits = circuits

    def model(self, model: ChatModel | None, component: str) -> ChatModel | None:
        """A chat model, where there is one."""
        circuits = self._circuits
        return model if model is None or circuits is None else GuardedModel(model, circuits, component)

    def caller(self, caller: StructuredCaller | None) -> StructuredCaller | None:
        """A structured caller, where there is one."""
        return caller if caller is None or self._circuits is None else GuardedCaller(caller, self._circuits)

    def embedder(self, embedder: Embedder) -> Embedder:
        """An embedder that is somebody else's service; another one as it is."""
        circuits = self._circuits if embedder.is_external else None
        return embedder if circuits is None else GuardedEmbedder(embedder, circuits)

    def index(self, index: PassageIndex) -> PassageIndex:
        """A passage index."""
        return index if self._circuits is None else GuardedIndex(index, self._circuits)
