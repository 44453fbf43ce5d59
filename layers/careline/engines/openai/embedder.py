"""Embeds text with text-embedding-3-large or whatever an OpenAI-compatible endpoint offers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from careline.engines.openai.call_attributes import embedding_attributes
from careline.engines.openai.failures import embedder_failure
from careline.errors import EmbedderRefused, EmbedderUnavailable
from careline.ports import Matrix, Vector
from careline.tracing.spans import span

if TYPE_CHECKING:
    from openai import AsyncOpenAI

BATCH = 100
"""Texts in one call."""
ATTEMPTS = 3
FIRST_PAUSE_SECONDS = 0.5
TIMEOUT_SECONDS = 20.0
"""For one call; the client's own default is ten minutes."""
QUESTION_SECONDS = 3.0
"""For a question, all attempts together: by then the first words of an answer are to be said (seed O: first token < 3 s
p95). Documents have the time of every attempt."""


class OpenAIEmbedder:
    """The embedder port over the embeddings API."""

    def __init__(
        self,
        connect: Callable[[], AsyncOpenAI],
        model: str,
        dimensions: int,
        question_seconds: float = QUESTION_SECONDS,
    ) -> None:
        """`connect` is called when something is first embedded: many a function needs the model's name alone."""
        self._connect = connect
        self._question_seconds = question_seconds
        self._model = model
        self._dimensions = dimensions

    @property
    def name(self) -> str:
        """See `ports.Embedder.name`."""
        return f"{self._model}/{self._dimensions}"

    @property
    def dimensions(self) -> int:
        """See `ports.Embedder.dimensions`."""
        return self._dimensions

    @property
    def is_external(self) -> bool:
        """See `ports.Embedder.is_external`."""
        return True

    async def embed_query(self, text: str) -> Vector:
        """See `ports.Embedder.embed_query`."""
        return np.asarray((await self._embed([text], self._question_seconds))[0], np.float32)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """See `ports.Embedder.embed_passages`."""
        parts = [await self._embed(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        return np.concatenate(parts) if parts else np.zeros((0, self._dimensions), np.float32)

    @cached_property
    def _client(self) -> AsyncOpenAI:
        return self._connect()

    async def _embed(self, texts: Sequence[str], seconds: float | None = None) -> Matrix:
        # Makes the client, once in a process, which is none of the service's time.
        about = embedding_attributes(self._model, self._client, len(texts))
        with span(f"embeddings {self._model}", about, "client"):
            try:
                async with asyncio.timeout(seconds):
                    return await self._asked(texts)
            except TimeoutError:
                raise EmbedderUnavailable(f"the embedding model did not answer within {seconds:g} s") from None

    async def _asked(self, texts: Sequence[str]) -> Matrix:
        import openai

        for attempt in range(1, ATTEMPTS + 1):
            try:
                made = await self._client.embeddings.create(
                    model=self._model,
                    input=list(texts),
                    dimensions=self._dimensions,
                    encoding_format="float",
                    timeout=TIMEOUT_SECONDS,
                )
                return self._rows([one.embedding for one in sorted(made.data, key=lambda one: one.index)], len(texts))
            except (openai.APIConnectionError, openai.RateLimitError, openai.InternalServerError) as problem:
                if attempt == ATTEMPTS:
                    raise embedder_failure(problem) from None
                await asyncio.sleep(FIRST_PAUSE_SECONDS * 2 ** (attempt - 1))
            except openai.OpenAIError as problem:
                failure = embedder_failure(problem)
                # An attempt before this one was sent.
                failure.was_asked = failure.was_asked or attempt > 1
                raise failure from None
            except (AttributeError, TypeError, ValueError):
                raise EmbedderUnavailable("the embedding model sent something that cannot be read") from None
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _rows(self, embeddings: list[list[float]], texts: int) -> Matrix:
        rows = np.asarray(embeddings, np.float32)
        if rows.shape != (texts, self._dimensions):
            raise EmbedderRefused(
                f"the embedding model does not make vectors of {self._dimensions} numbers; "
                "set CARELINE_OPENAI_EMBEDDING_DIMENSIONS to what it makes"
            )
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)
