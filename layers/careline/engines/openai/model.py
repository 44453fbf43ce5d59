"""Chats with any model behind an OpenAI-compatible endpoint, streaming."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from careline.chat import ChatDelta, ChatMessage, TextDelta, ToolDefinition
from careline.engines.openai.call_attributes import chat_attributes
from careline.engines.openai.failures import UNREADABLE, model_failure
from careline.engines.openai.tool_calls import ToolCallFragments
from careline.errors import CUT_SHORT, ModelStalled, ModelUnavailable
from careline.model import Usage
from careline.tracing.spans import Noted, begin_apart

if TYPE_CHECKING:
    from openai import AsyncOpenAI, AsyncStream
    from openai.types.chat import ChatCompletionChunk, ChatCompletionFunctionToolParam, ChatCompletionMessageParam
    from openai.types.chat.chat_completion_chunk import Choice
    from openai.types.completion_usage import CompletionUsage

Awaited = TypeVar("Awaited")
_MISSHAPEN = (AttributeError, TypeError, ValueError)
TEMPERATURE = 0.3
MOST_TOKENS = 2000
"""Both from the orchestration design's configuration (LLM_TEMPERATURE, LLM_MAX_TOKENS)."""
ATTEMPTS = 2
"""A call that fails before its first word, of a fault that may pass, is tried once more. One that used up the timeout
is not: whoever waits is better served by the next model."""
PAUSE_SECONDS = 0.3
PER_MILLION = 1_000_000
WHOLE = frozenset({"tool_calls", "stop", "function_call"})
"""Reasons to finish after which the tool calls of an answer are complete."""
ENDED = WHOLE | {"eos", "eos_token", "stop_sequence", "end_turn", "complete", "completed"}
"""Reasons to finish an answer that is whole, as servers of this API write them. After any other, such as `length` or
`content_filter`, it is cut: its last words may be half a figure."""


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
    """The chat model port over the chat completions API."""

    def __init__(self, client: AsyncOpenAI, model: str, prices: Prices, timeouts: ModelTimeouts) -> None:
        self._client = client
        self._model = model
        self._prices = prices
        self._model_timeouts = timeouts

    @property
    def name(self) -> str:
        """See `ports.ChatModel.name`."""
        return self._model

    async def chat(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolDefinition] = ()
    ) -> AsyncGenerator[ChatDelta, None]:
        """See `ports.ChatModel.chat`."""
        spanned = begin_apart(f"chat {self._model}", chat_attributes(self._model, self._client), "client")
        try:
            async with aclosing(self._chat(messages, tools, spanned)) as deltas:
                async for delta in deltas:
                    yield delta
        except ModelUnavailable as error:
            spanned.fail(error)
            raise
        finally:
            spanned.end()

    async def _chat(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolDefinition], spanned: Noted
    ) -> AsyncGenerator[ChatDelta, None]:
        began = time.perf_counter()
        spanned.note({"gen_ai.request.temperature": TEMPERATURE, "gen_ai.request.max_tokens": MOST_TOKENS})
        stream, begun = await self._begun(messages, tools)
        spanned.note({"careline.first_word_ms": round((time.perf_counter() - began) * 1000)})
        calls, reason = ToolCallFragments(), ""
        try:
            chunk: ChatCompletionChunk | None = begun
            while chunk is not None:
                deltas, given = self._read(chunk, calls)
                reason = reason or given
                for delta in deltas:
                    _note_usage(delta, spanned)
                    yield delta
                chunk = await _in_time(anext(stream, None), self._model_timeouts.next, ModelStalled)
        finally:
            await stream.close()
        if reason not in ENDED or calls.are_open:
            kind = reason if reason in CUT_SHORT else "cut_off"
            raise ModelStalled("the model's answer was cut off", kind=kind)

    def _read(self, chunk: ChatCompletionChunk, calls: ToolCallFragments) -> tuple[list[ChatDelta], str]:
        """What a chunk adds to the answer, and why this is over; "" where it is not. Raises: ModelStalled."""
        try:
            choices = list(chunk.choices or ())
            deltas: list[ChatDelta] = [delta for choice in choices for delta in _deltas(choice, calls)]
            if chunk.usage is not None:
                deltas.append(self._usage(chunk.usage))
            return deltas, next((one.finish_reason.casefold() for one in choices if one.finish_reason), "")
        except _MISSHAPEN:
            raise ModelStalled(UNREADABLE, retry_after=5, kind="malformed") from None

    async def _begun(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolDefinition]
    ) -> tuple[AsyncStream[ChatCompletionChunk], ChatCompletionChunk]:
        """The stream and the chunk in which the answer begins. Raises: ModelUnavailable."""
        was_asked = False
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await _in_time(self._first(messages, tools), self._model_timeouts.first, ModelUnavailable)
            except ModelUnavailable as error:
                # What one attempt has sent is sent, whatever becomes of the next.
                was_asked = error.was_asked = was_asked or error.was_asked
                if attempt == ATTEMPTS or not error.passing:
                    raise
                await asyncio.sleep(PAUSE_SECONDS)
        raise AssertionError("unreachable: the last attempt returns or raises")

    async def _first(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolDefinition]
    ) -> tuple[AsyncStream[ChatCompletionChunk], ChatCompletionChunk]:
        stream = await self._ask(messages, tools)
        opened: AsyncStream[ChatCompletionChunk] | None = stream
        try:
            async for chunk in stream:
                if any(_begins(choice) for choice in chunk.choices or ()):
                    opened = None
                    return stream, chunk
        finally:
            if opened is not None:
                await opened.close()
        raise ModelUnavailable("the language model ended its answer before the first word", retry_after=5, kind="empty")

    async def _ask(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolDefinition]
    ) -> AsyncStream[ChatCompletionChunk]:
        offered: dict[str, Any] = {"tools": [_offered(tool) for tool in tools]} if tools else {}
        stream: AsyncStream[ChatCompletionChunk] = await self._client.chat.completions.create(
            model=self._model,
            messages=[_sent(message) for message in messages],
            stream=True,
            stream_options={"include_usage": True},
            temperature=TEMPERATURE,
            max_tokens=MOST_TOKENS,
            **offered,
        )
        return stream

    def _usage(self, told: CompletionUsage) -> Usage:
        details = told.prompt_tokens_details
        cached = (details.cached_tokens or 0) if details else 0
        tokens_in, tokens_out = told.prompt_tokens, told.completion_tokens
        cost = (tokens_in * self._prices.tokens_in + tokens_out * self._prices.tokens_out) / PER_MILLION
        return Usage(tokens_in, tokens_out, cached, cost)


def _note_usage(delta: ChatDelta, spanned: Noted) -> None:
    if isinstance(delta, Usage):
        spanned.note(
            {"gen_ai.usage.input_tokens": delta.tokens_in, "gen_ai.usage.output_tokens": delta.tokens_out}
        )  # fmt: skip


def _begins(choice: Choice) -> bool:
    """Whether a chunk says something: a word, a piece of a call, or that the answer is over."""
    said = choice.delta is not None and (_text_of(choice.delta.content) or choice.delta.tool_calls)
    return bool(said or choice.finish_reason)


def _deltas(choice: Choice, calls: ToolCallFragments) -> Iterator[ChatDelta]:
    """What a chunk adds to the answer. Calls wait until the model says that it has finished, which it does not say of
    those that it was stopped in (`length`)."""
    if choice.delta is not None:
        if text := _text_of(choice.delta.content):
            yield TextDelta(text)
        calls.push(choice.delta.tool_calls or ())
    if choice.finish_reason in WHOLE:
        yield from calls.complete()


def _text_of(content: object) -> str:
    """The text of a message's content. Where a server sends it in parts, those that are no text, such as a model's
    thinking, are left out. Raises: TypeError for what is neither."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        raise TypeError
    parts = (part for part in content if isinstance(part, dict) and part.get("type") == "text")
    return "".join(str(part.get("text") or "") for part in parts)


def _offered(tool: ToolDefinition) -> ChatCompletionFunctionToolParam:
    described = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": described}  # type: ignore[typeddict-item]


def _sent(message: ChatMessage) -> ChatCompletionMessageParam:
    """A message as the API takes it."""
    match message.role:
        case "system":
            return {"role": "system", "content": message.text}
        case "user":
            return {"role": "user", "content": message.text}
        case "tool":
            return {"role": "tool", "content": message.text, "tool_call_id": message.tool_call_id}
        case "assistant" if message.tool_calls:
            return {"role": "assistant", "content": message.text or None, "tool_calls": [
                {"id": call.call_id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in message.tool_calls
            ]}  # fmt: skip
        case "assistant":
            return {"role": "assistant", "content": message.text}


async def _in_time(work: Awaitable[Awaited], seconds: float, error: type[ModelUnavailable]) -> Awaited:
    import httpx2
    import openai

    try:
        return await asyncio.wait_for(work, seconds)
    except TimeoutError:
        said = f"the language model did not answer within {seconds:g} s"
        raise error(said, retry_after=5, kind="timeout", passing=False) from None
    except (openai.OpenAIError, httpx2.HTTPError) as problem:
        raise model_failure(problem, error) from None
    except _MISSHAPEN:
        # What it sent is no JSON, or of another shape; the parser's own message would repeat it.
        raise error(UNREADABLE, retry_after=5, kind="malformed") from None

