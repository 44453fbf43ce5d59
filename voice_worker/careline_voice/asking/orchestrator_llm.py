"""The orchestrator as the framework's language model, so that answers are begun while the caller still speaks.

Every question is speculative. It is committed when the framework takes the answer into the conversation, and dropped
when the caller went on speaking or said something else. Nothing but `ScreenedText` goes on to the voice.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import aclosing
from typing import Any, Never

from livekit.agents import DEFAULT_API_CONNECT_OPTIONS, APIConnectionError, APIConnectOptions, llm

from careline.errors import CarelineError
from careline.log import context
from careline.log.event_log import EventLog
from careline.schemas import wire
from careline.screened import ScreenedText
from careline_voice.asking.orchestrator import Orchestrator
from careline_voice.call_events import CallEvents

log = EventLog(__name__)
Compose = Callable[[str], wire.QueryRequest]
Answered = Callable[[wire.Answer], None]


class OrchestratorLLM(llm.LLM[Never]):
    """One call's questions. `compose` makes the request of a transcript; `answered` gets each answer that counted."""

    def __init__(
        self, orchestrator: Orchestrator, compose: Compose, answered: Answered, call_events: CallEvents
    ) -> None:
        super().__init__()
        self._orchestrator, self._compose, self._answered, self._call_events = (
            orchestrator,
            compose,
            answered,
            call_events,
        )
        self._asked: dict[str, OrchestratorStream] = {}
        self._telling: set[asyncio.Task[None]] = set()

    def chat(
        self,
        *,
        chat_ctx: llm.ChatContext,
        tools: list[llm.Tool] | None = None,
        conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS,
        **unused: Any,
    ) -> OrchestratorStream:
        """Ask what the last user message of `chat_ctx` says; the orchestrator remembers the rest itself."""
        said = last_said(chat_ctx)
        request = self._compose(said.text_content or "")
        stream = OrchestratorStream(self, said.id, request, chat_ctx, tools or [], conn_options)
        self._asked[said.id] = stream
        return stream

    def commit(self, message_id: str) -> None:
        """The caller did say what the message of this id holds. What was asked for others is dropped."""
        for other, stream in list(self._asked.items()):
            if other == message_id:
                stream.commit()
            else:
                stream.drop()
                del self._asked[other]

    def tell(self, turn_id: str, commit: bool) -> None:
        """Let the orchestrator know, without keeping the caller waiting for it."""
        task = asyncio.create_task(self._tell(turn_id, commit))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _tell(self, turn_id: str, commit: bool) -> None:
        try:
            await self._orchestrator.decide(turn_id, commit)
        except CarelineError as error:
            log.write("turn_not_decided", error=error.code, commit=commit)

    async def settled(self) -> None:
        """Wait until every decision has been told."""
        await asyncio.gather(*self._telling)


class OrchestratorStream(llm.LLMStream):
    """The answer to one transcript. `committed` is set when it counts."""

    def __init__(
        self,
        brain: OrchestratorLLM,
        message_id: str,
        request: wire.QueryRequest,
        chat_ctx: llm.ChatContext,
        tools: list[llm.Tool],
        conn_options: APIConnectOptions,
    ) -> None:
        self._questions, self._request, self.message_id = brain, request, message_id
        self.committed = asyncio.Event()
        self._turn_id: str | None = None
        self._over = False
        self._answer: wire.Answer | None = None
        """The whole answer, once it is there."""
        super().__init__(brain, chat_ctx=chat_ctx, tools=tools, conn_options=conn_options)

    @property
    def request(self) -> wire.QueryRequest:
        """What is asked."""
        return self._request

    def commit(self) -> None:
        """This is what the caller said."""
        if self.committed.is_set():
            return
        self.committed.set()
        if self._answer is None:
            self._decide(True)
        else:
            self._questions._answered(self._answer)

    def drop(self) -> None:
        """It is not what the caller said; says nothing about one that was committed."""
        if not self.committed.is_set() and not self._over:
            self._over = True
            self._decide(False)

    async def _run(self) -> None:
        self._questions._call_events.note("asked")
        # The orchestrator takes this over, so that its lines of this question are found by ours.
        context.add(trace=secrets.token_hex(8))
        self._turn_id = None
        try:
            async with aclosing(self._questions._orchestrator.ask(self._request)) as events:
                async for event in events:
                    self._take(event)
        except CarelineError as error:
            self._questions._call_events.note("orchestrator_failed", code=error.code)
            log.write("orchestrator_failed", error=error.code)
            # A refusal stays one; a connection that broke may be there again, as long as nothing has been said.
            raise APIConnectionError(error.code, retryable=error.status >= 500) from None
        finally:
            self.drop()

    def _take(self, event: wire.Event) -> None:
        if isinstance(event, wire.Meta):
            self._turn_id = event.turn_id
            context.add(turn=event.turn_id)
            if self.committed.is_set():
                self._decide(True)
        elif isinstance(event, wire.Token):
            self.say(event.text)
        elif isinstance(event, wire.Done):
            self._over, self._answer = True, event.answer
            # An emergency is answered before it is certain what the caller says, where no decision can be read.
            if self.committed.is_set():
                self._questions._answered(event.answer)

    def say(self, text: ScreenedText) -> None:
        assert isinstance(text, ScreenedText), "nothing else may be spoken"
        self._questions._call_events.note("text", characters=len(text))
        delta = llm.ChoiceDelta(role="assistant", content=text)
        self._event_ch.send_nowait(llm.ChatChunk(id=self.message_id, delta=delta))

    def _decide(self, commit: bool) -> None:
        if self._turn_id is not None:
            self._questions.tell(self._turn_id, commit)


def last_said(chat_ctx: llm.ChatContext) -> llm.ChatMessage:
    """The message that a reply is wanted to."""
    messages = [item for item in chat_ctx.items if isinstance(item, llm.ChatMessage) and item.role == "user"]
    return messages[-1]
