"""Writes answers with any model behind an OpenAI-compatible endpoint, streaming."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from careline.errors import ModelStalled, ModelUnavailable
from careline.model import Usage
from careline.ports import CompletionChunk, PromptInput

if TYPE_CHECKING:
    from openai import AsyncOpenAI, AsyncStream
    from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam

Awaited = TypeVar("Awaited")
TEMPERATURE = 0.3
MOST_TOKENS = 2000
"""Both from the orchestration design's configuration (LLM_TEMPERATURE, LLM_MAX_TOKENS)."""
ATTEMPTS = 2
"""A call that fails before its first word, of a fault that may pass, is tried once more. One that used up the timeout
is not: whoever waits is better served by the next model."""
PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses of faults that may pass; others, such as a wrong key, come back however often one asks."""
PAUSE_SECONDS = 0.3
PER_MILLION = 1_000_000
_SOURCES_TAG = re.compile(r"<\s*(?:/\s*)?sources\b[^>]*>?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Prices:
    """Euro per million tokens."""

    tokens_in: float = 0.0
    tokens_out: float = 0.0


@dataclass(frozen=True, slots=True)
class ModelTimeouts:
    """Seconds to wait for the first word, and for each word after it."""

    first: float = 8.0
    next: float = 10.0


class OpenAIModel:
    """The language model port over the chat completions API."""

    def __init__(self, client: AsyncOpenAI, model: str, prices: Prices, patience: ModelTimeouts) -> None:
        self._client = client
        self._model = model
        self._prices = prices
        self._model_timeouts = patience

    follows_instructions = True

    @property
    def name(self) -> str:
        """See `ports.LanguageModel.name`."""
        return self._model

    async def write(self, prompt_input: PromptInput) -> AsyncGenerator[CompletionChunk, None]:
        """See `ports.LanguageModel.write`."""
        stream, begun = await self._begun(prompt_input)
        finished = False
        try:
            chunk: ChatCompletionChunk | None = begun
            while chunk is not None:
                for completion in self._completion_chunks(chunk):
                    yield completion
                finished = finished or any(choice.finish_reason for choice in chunk.choices or ())
                chunk = await _in_time(anext(stream, None), self._model_timeouts.next, ModelStalled)
        finally:
            await stream.close()
        if not finished:
            raise ModelStalled("the model's answer was cut off", kind="cut_off")

    async def _begun(self, prompt_input: PromptInput) -> tuple[AsyncStream[ChatCompletionChunk], ChatCompletionChunk]:
        """The stream and the chunk with its first word. Raises: ModelUnavailable."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await _in_time(self._first_word(prompt_input), self._model_timeouts.first, ModelUnavailable)
            except ModelUnavailable as error:
                if attempt == ATTEMPTS or not error.passing:
                    raise
                await asyncio.sleep(PAUSE_SECONDS)
        raise AssertionError("unreachable: the last attempt returns or raises")

    async def _first_word(
        self, prompt_input: PromptInput
    ) -> tuple[AsyncStream[ChatCompletionChunk], ChatCompletionChunk]:
        stream = await self._ask(prompt_input)
        opened: AsyncStream[ChatCompletionChunk] | None = stream
        try:
            async for chunk in stream:
                choices = chunk.choices or ()
                if any((choice.delta and choice.delta.content) or choice.finish_reason for choice in choices):
                    opened = None
                    return stream, chunk
        finally:
            if opened is not None:
                await opened.close()
        raise ModelUnavailable("the language model ended its answer before the first word", retry_after=5, kind="empty")

    async def _ask(self, prompt_input: PromptInput) -> AsyncStream[ChatCompletionChunk]:
        return await self._client.chat.completions.create(
            model=self._model,
            messages=messages(prompt_input),
            stream=True,
            stream_options={"include_usage": True},
            temperature=TEMPERATURE,
            max_tokens=MOST_TOKENS,
        )

    def _completion_chunks(self, chunk: ChatCompletionChunk) -> list[CompletionChunk]:
        choices = chunk.choices or ()
        chunks = [CompletionChunk(choice.delta.content) for choice in choices if choice.delta and choice.delta.content]
        if chunk.usage is not None:
            details = chunk.usage.prompt_tokens_details
            cached = (details.cached_tokens or 0) if details else 0
            tokens_in, tokens_out = chunk.usage.prompt_tokens, chunk.usage.completion_tokens
            cost = (tokens_in * self._prices.tokens_in + tokens_out * self._prices.tokens_out) / PER_MILLION
            chunks.append(CompletionChunk(usage=Usage(tokens_in, tokens_out, cached, cost)))
        return chunks


async def _in_time(work: Awaitable[Awaited], seconds: float, error: type[ModelUnavailable]) -> Awaited:
    import httpx2
    import openai

    try:
        return await asyncio.wait_for(work, seconds)
    except TimeoutError:
        said = f"the language model did not answer within {seconds:g} s"
        raise error(said, retry_after=5, kind="timeout", passing=False) from None
    except openai.RateLimitError as problem:
        said, after = "the language model refuses more requests for now", _retry_after(problem)
        raise error(said, retry_after=after, kind="status", answered=problem.status_code) from None
    except openai.APIStatusError as problem:
        status = problem.status_code
        said, passing = f"the language model answered with status {status}", status in PASSING
        raise error(said, retry_after=5, kind="status", answered=status, passing=passing) from None
    except (openai.APIError, httpx2.HTTPError) as problem:
        said = f"the language model cannot be reached ({type(problem).__name__})"
        raise error(said, retry_after=5, kind=type(problem).__name__) from None
    except ValueError:
        # What it sent is no JSON; the parser's own message would repeat it.
        raise error("the language model sent something that cannot be read", retry_after=5, kind="malformed") from None


def _retry_after(problem: object) -> int:
    headers = getattr(getattr(problem, "response", None), "headers", {})
    value = headers.get("retry-after", "")
    return int(value) if value.isdecimal() else 20


def _as_data(text: str) -> str:
    """The text without anything that would end the block of sources it stands in."""
    return _SOURCES_TAG.sub("(sources)", text)


def messages(prompt_input: PromptInput) -> list[ChatCompletionMessageParam]:
    """The conversation as the model sees it: instructions, sources as data, earlier messages, the question."""
    sources = "\n\n".join(
        _as_data(f"[{source.number}] {source.title} ({source.language})\n{source.hit.passage.chunk.text}")
        for source in prompt_input.sources
    )
    told: list[ChatCompletionMessageParam] = [
        {"role": "system", "content": f"{prompt_input.system}\n\n<sources>\n{sources}\n</sources>"}
    ]
    for message in prompt_input.history:
        if message.role == "user":
            told.append({"role": "user", "content": message.text})
        else:
            told.append({"role": "assistant", "content": message.text})
    return [*told, {"role": "user", "content": prompt_input.question}]
