"""The three places where a call's words pass: heard, answered, spoken."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator
from contextlib import aclosing

from livekit import rtc
from livekit.agents import Agent, APIError, FlushSentinel, ModelSettings, llm, stt

from careline.speech.filler import ladder, topic_of
from careline.speech.spoken.numbers import spoken_numbers
from careline_voice.asking.orchestrator_llm import OrchestratorLLM, OrchestratorStream, last_said
from careline_voice.call_events import CallEvents
from careline_voice.handover import Handover
from careline_voice.listening.consent import accepts
from careline_voice.listening.hearing import Hearing
from careline_voice.speaking.fillers import AnswerTooSlow, with_fillers
from careline_voice.speaking.voice import Voice


class PhoneAgent(Agent):
    """One call's agent. It has no instructions: the orchestrator is the only one that thinks."""

    def __init__(
        self, brain: OrchestratorLLM, hearing: Hearing, voice: Voice, handover: Handover, call_events: CallEvents
    ) -> None:
        super().__init__(instructions="")
        self._answers, self._hearing, self._voice = brain, hearing, voice
        self._handover, self._events = handover, call_events
        self.accepting: set[str] = set()
        """Messages that say yes to a person, should they turn out to be what the caller said."""

    async def stt_node(
        self, audio: AsyncIterable[rtc.AudioFrame], model_settings: ModelSettings
    ) -> AsyncIterator[stt.SpeechEvent]:
        """Transcripts, repaired, without the murmurs of a listening caller."""
        async with aclosing(Agent.default.stt_node(self, audio, model_settings)) as events:
            async for event in events:
                kept = self._hearing.take(event, speaking=self.session.agent_state == "speaking")
                if kept is None:
                    self._events.note("murmur")
                    continue
                if kept.type is stt.SpeechEventType.FINAL_TRANSCRIPT:
                    self._events.note("transcript")
                yield kept

    async def llm_node(
        self, chat_ctx: llm.ChatContext, tools: list[llm.Tool], model_settings: ModelSettings
    ) -> AsyncIterator[str | FlushSentinel]:
        """The answer sentence by sentence; each goes to the voice at once."""
        message = last_said(chat_ctx)
        said = message.text_content or ""
        decision = self._hearing.attempt(message.id, said)
        spoken = decision.language or self._hearing.spoken
        self._voice.speak(spoken)
        if decision.reply is not None:
            self._handover.offered = True
            yield spoken_numbers(decision.reply, spoken)
        elif self._handover.offered and accepts(said, spoken):
            self.accepting.add(message.id)
            yield spoken_numbers(self._handover.told_of_transfer(), spoken)
        else:
            answer = self._answers.chat(chat_ctx=chat_ctx, conn_options=self.session.conn_options.llm_conn_options)
            async with answer:
                async for piece in self._sentences(answer, said, spoken):
                    yield piece
                    yield FlushSentinel()

    async def _sentences(self, answer: OrchestratorStream, said: str, spoken: str) -> AsyncIterator[str]:
        steps = ladder(spoken, topic_of(said, spoken))
        try:
            async with aclosing(with_fillers(_texts(answer), steps, answer.committed)) as pieces:
                async for piece in pieces:
                    yield piece
        except (AnswerTooSlow, APIError):
            # An answer may be begun, and fail, before the caller has finished: the apology would be cut off by him.
            await answer.committed.wait()
            self._handover.fail("orchestrator")

    async def tts_node(self, text: AsyncIterable[str], model_settings: ModelSettings) -> AsyncIterator[rtc.AudioFrame]:
        """The sentences as audio; where the vendor fails the caller is told so from a recording."""
        first = True
        try:
            async with aclosing(Agent.default.tts_node(self, text, model_settings)) as frames:
                async for frame in frames:
                    if first:
                        self._events.note("audio")
                        first = False
                    yield frame
        except APIError:
            self._handover.fail("voice")


async def _texts(answer: OrchestratorStream) -> AsyncIterator[str]:
    async for chunk in answer:
        if chunk.delta is not None and chunk.delta.content:
            yield chunk.delta.content
