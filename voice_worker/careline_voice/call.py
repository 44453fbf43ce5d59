"""One call from the first ring to the last word: the same code behind a telephone, a WAV file and the benchmark."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import cast

import aiohttp
from livekit import rtc
from livekit.agents import (
    AgentSession,
    AgentStateChangedEvent,
    CloseEvent,
    ConversationItemAddedEvent,
    ErrorEvent,
    UserInputTranscribedEvent,
    UserStateChangedEvent,
    UserTranscriptionTimeoutEvent,
    llm,
    stt,
)
from livekit.agents.voice.io import AudioInput, AudioOutput
from livekit.agents.voice.room_io import AudioInputOptions, AudioOutputOptions, RoomOptions

from careline.errors import CarelineError
from careline.log.event_log import EventLog
from careline.schemas import wire
from careline.speech.silence import BETWEEN_SECONDS
from careline.speech.speed import requested_change, sounds_distressed
from careline_voice import vendors
from careline_voice.asking.orchestrator_llm import OrchestratorLLM
from careline_voice.call_events import CallEvents
from careline_voice.call_transfer import Desk
from careline_voice.handover import Handover
from careline_voice.line_setup import LineSetup
from careline_voice.listening.hearing import Hearing
from careline_voice.listening.turn_taking import timeout_seconds, turn_handling, voice_activity
from careline_voice.phone_agent import PhoneAgent
from careline_voice.speaking.recordings import sentence
from careline_voice.speaking.voice import Voice

NOT_HEARD_SECONDS = 3.0
"""How long after speech a transcript may come before the caller is asked to say it again."""
log = EventLog(__name__)


def telephone_audio() -> RoomOptions:
    """A room in which somebody telephones: audio alone, at the vendors' rate, so that none of it is resampled.

    Without captions nothing that is said goes into the room as text, and no processor time into timing them.
    """
    return RoomOptions(
        audio_input=AudioInputOptions(sample_rate=vendors.SAMPLE_RATE, pre_connect_audio=False),
        audio_output=AudioOutputOptions(sample_rate=vendors.SAMPLE_RATE),
        text_input=False,
        text_output=False,
    )


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: the conversation's name, and the number as digits, which the orchestrator pseudonymises."""

    conversation_id: str
    number: str | None = None


class Call:
    """A call. `session` is the framework's; `call_events` says what happened and when."""

    def __init__(
        self,
        setup: LineSetup,
        caller: Caller,
        desk: Desk,
        http: aiohttp.ClientSession,
        call_events: CallEvents | None = None,
    ) -> None:
        """Raises: SettingsInvalid without the vendors' keys or a voice."""
        settings, language = setup.settings, setup.default_language
        self._setup, self._caller = setup, caller
        self.call_events = call_events or CallEvents()
        self._stt = vendors.hearing(settings.deepgram, setup.keyterms(language), http)
        tts = vendors.speaking(settings.elevenlabs, language, http)
        self._hearing = Hearing(language, setup.overlays)
        self._voice = Voice(settings.elevenlabs, tts, setup.recordings, language)
        self._handover = Handover(setup, self._hearing, self._voice, desk, self.call_events, caller.conversation_id)
        self._said = ""
        self.brain = OrchestratorLLM(setup.orchestrator, self._request, self._answered, self.call_events)
        self._agent = PhoneAgent(self.brain, self._hearing, self._voice, self._handover, self.call_events)
        self.session: AgentSession[None] = AgentSession(
            stt=self._stt,
            tts=tts,
            llm=self.brain,
            vad=voice_activity(),
            turn_handling=turn_handling(),
            conn_options=timeout_seconds(),
            # Texts are shaped for the ear by the orchestrator.
            tts_text_transforms=None,
            aec_warmup_duration=None,
            user_away_timeout=None,
            transcription_timeout=NOT_HEARD_SECONDS,
        )
        self._closed = asyncio.Event()
        self._quiet: asyncio.TimerHandle | None = None
        self._warming: asyncio.Task[None] | None = None
        self._listen()
        tts.prewarm()

    async def start(
        self, *, room: rtc.Room | None = None, heard: AudioInput | None = None, spoken: AudioOutput | None = None
    ) -> None:
        """Begin the call in a room, or between an audio input and output of one's own, and open it."""
        self._handover.serve(self.session)
        if room is not None:
            await self.session.start(self._agent, room=room, room_options=telephone_audio(), record=False)
        else:
            self.session.input.audio, self.session.output.audio = heard, spoken
            await self.session.start(self._agent, record=False)
        self.call_events.note("started")
        self._voice.say(self._opening(), self.session)

    def press(self, digit: str) -> None:
        """The caller pressed a key."""
        if digit in "0123456789*#":
            before = self._hearing.language
            self._handover.press(digit)
            if self._hearing.language != before:
                self._go_on_in(self._hearing.spoken)

    async def wait_closed(self) -> None:
        """Wait until the session has ended, whoever ended it."""
        await self._closed.wait()

    async def close(self) -> None:
        """End the call and forget what was still to happen."""
        self._wait_for(None)
        await self._handover.close()
        await self.session.aclose()
        if self._warming is not None:
            await self._warming
        await self.brain.settled()
        self._closed.set()

    def _opening(self) -> str:
        language = self._setup.default_language
        line = self._setup.line
        openings = line.openings if line else {}
        return openings.get(language) or sentence("opening", language)

    def _request(self, text: str) -> wire.QueryRequest:
        """The question that a transcript makes; a caller who goes on for longer is cut at the limit."""
        self._said = text
        return wire.QueryRequest(
            text=text[: wire.MAX_QUESTION],
            conversation_id=self._caller.conversation_id,
            user=self._caller.number,
            channel="voice",
            pack=self._setup.settings.pack,
            language=cast(wire.LanguageCode | None, self._hearing.language),
            speculative=True,
        )

    def _answered(self, answer: wire.Answer) -> None:
        self._handover.answered(self._said, answer)

    def _listen(self) -> None:
        self.session.on("conversation_item_added", self._added)
        self.session.on("user_state_changed", self._caller_changed)
        self.session.on("agent_state_changed", self._line_changed)
        self.session.on("user_input_transcribed", self._transcribed)
        self.session.on("user_transcription_timeout", self._no_transcript)
        self.session.on("agent_false_interruption", lambda _: self.call_events.note("resumed"))
        self.session.on("error", self._vendor_failed)
        self.session.on("close", self._ended)

    def _added(self, event: ConversationItemAddedEvent) -> None:
        message = event.item
        if not isinstance(message, llm.ChatMessage):
            return
        if (waited := message.metrics.get("e2e_latency")) is not None:
            self.call_events.note("first_audio", seconds=round(waited, 3))
        if message.role == "user":
            self._asked(message)

    def _asked(self, message: llm.ChatMessage) -> None:
        """The caller has said this; what was prepared for it holds from now on."""
        self.call_events.note("turn")
        self.brain.commit(message.id)
        said, language = message.text_content or "", self._hearing.spoken
        if self._hearing.commit(message.id):
            language = self._hearing.spoken
            self._go_on_in(language)
        self._voice.pace(requested_change(said, language), sounds_distressed(said, language), self._hearing.pace())
        if message.id in self._agent.accepting:
            self._handover.accept_offer()
        self._agent.accepting.clear()

    def _go_on_in(self, language: str) -> None:
        """Speak and hear this language from now on."""
        self._voice.speak(language)
        self.call_events.note("locked", language=language)
        self._stt.update_options(language=language, keyterm=self._setup.keyterms(language))

    def _caller_changed(self, event: UserStateChangedEvent) -> None:
        if event.new_state == "speaking":
            self.call_events.note("caller_speaks")
            self._hearing.murmured = False
            self._handover.heard()
            self._warming = asyncio.create_task(self._warm())
            self._wait_for(None)
        elif event.old_state == "speaking":
            self.call_events.note("caller_stops")
            self._wait_for(BETWEEN_SECONDS)

    def _no_transcript(self, _: UserTranscriptionTimeoutEvent) -> None:
        """The caller spoke and the framework got no words: a murmur was kept from it, anything else was not heard."""
        if not self._hearing.murmured:
            self._handover.misheard()

    def _line_changed(self, event: AgentStateChangedEvent) -> None:
        if event.new_state == "speaking":
            self.call_events.note("line_speaks")
        elif event.old_state == "speaking":
            self.call_events.note("line_stops")
        self._wait_for(BETWEEN_SECONDS if event.new_state == "listening" else None)

    async def _warm(self) -> None:
        """Have a connection ready before the caller has finished the question."""
        try:
            await self._setup.orchestrator.warm()
        except CarelineError as error:
            self.call_events.note("cold", code=error.code)

    def _wait_for(self, seconds: float | None) -> None:
        """Ask whether the caller is still there when nobody speaks for so long; None: not now."""
        if self._quiet is not None:
            self._quiet.cancel()
        self._quiet = None if seconds is None else asyncio.get_running_loop().call_later(seconds, self._still_there)

    def _still_there(self) -> None:
        if self.session.agent_state == "listening":
            self._handover.silent()

    def _transcribed(self, event: UserInputTranscribedEvent) -> None:
        if event.transcript:
            self._handover.heard()

    def _vendor_failed(self, event: ErrorEvent) -> None:
        error = event.error
        if isinstance(error, stt.STTError):
            self.call_events.note("hearing_failed", recoverable=error.recoverable)
            if error.recoverable:
                log.write("hearing_restarted")
            else:
                self._handover.fail("hearing")

    def _ended(self, event: CloseEvent) -> None:
        self.call_events.note("ended", reason=event.reason.value)
        self._closed.set()
