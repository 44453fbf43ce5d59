"""What happens to a call besides answers: transfer, keys, silence, its end, and what is heard when something fails."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any, Literal

from livekit.agents import AgentSession
from livekit.agents.voice import SpeechHandle

from careline.log.event_log import EventLog
from careline.schemas import wire
from careline.speech.menu import Menu, MenuStep
from careline.speech.silence import BETWEEN_SECONDS, SilenceWatch, is_goodbye
from careline_voice.call_events import CallEvents
from careline_voice.call_transfer import Desk, HandOver, address
from careline_voice.line_setup import LineSetup
from careline_voice.listening.hearing import Hearing
from careline_voice.speaking.recordings import sentence
from careline_voice.speaking.voice import Voice

Failed = Literal["hearing", "voice", "orchestrator"]
OUTAGES: dict[Failed, str] = {
    "hearing": "hearing_outage", "voice": "voice_outage", "orchestrator": "orchestrator_outage",
}  # fmt: skip
"""Events of the log by the part that is given up."""
OFFERING = frozenset({"escalated", "refused", "failed"})
"""Dispositions of answers that end by offering a person."""
NOT_OFFERING = frozenset({"OFF_TOPIC_PERSONAL", "INJECTION", "HANDOFF_REQUEST", "DOCUMENTS_LOADING"})
PERSON = "0"
log = EventLog(__name__)


class Handover:
    """Decides what follows what. One for each call."""

    def __init__(
        self,
        setup: LineSetup,
        hearing: Hearing,
        voice: Voice,
        desk: Desk,
        call_events: CallEvents,
        conversation_id: str,
    ) -> None:
        self._setup, self._hearing, self._voice, self._desk = setup, hearing, voice, desk
        self._events, self._conversation_id = call_events, conversation_id
        self._session: AgentSession[None] | None = None
        self._silence = SilenceWatch(hearing.spoken)
        self._menu: Menu | None = None
        self._working: set[asyncio.Task[None]] = set()
        self._failed: set[Failed] = set()
        self._leaving = False
        self.offered = False
        """Whether the caller was asked if a person is wanted and has not said anything since."""
        self.questions = 0

    def serve(self, session: AgentSession[None]) -> None:
        """Speak through this session from now on."""
        self._session = session

    def answered(self, said: str, answer: wire.Answer) -> None:
        """An answer counted; what follows from it happens when it has been heard."""
        self.questions += 1
        self._events.note("answered", disposition=answer.disposition, reason=answer.reason or "")
        self.offered = answer.disposition in OFFERING and answer.reason not in NOT_OFFERING
        if answer.reason == "HANDOFF_REQUEST":
            self._later(self._transfer_after("asked"))
        elif answer.disposition == "farewelled" and is_goodbye(said, self._hearing.spoken):
            self._later(self._hang_up_after("goodbye"))

    def accept_offer(self) -> None:
        """The caller said yes to a person, and was told; they are put through when that has been heard."""
        self.offered = False
        self._later(self._transfer_after("accepted"))

    def press(self, digit: str) -> None:
        """A key: 0 a person, others the menu when it is open, else a language."""
        self._events.note("key", digit=digit)
        self.heard()
        if self._menu is not None:
            self._later(self._step(self._menu.press(digit)))
        elif digit == PERSON:
            self._later(self._person_by_key())
        elif self._hearing.press(digit):
            self._voice.speak(self._hearing.spoken)
            self._later(self._told_of_language())

    def heard(self) -> None:
        """The caller is there."""
        self._silence.heard()

    def silent(self) -> None:
        """Nobody has spoken for a while."""
        step = self._silence.due(BETWEEN_SECONDS)
        if step is None or self._leaving:
            return
        self._events.note("silence", closes=step.closes)
        self._say(step.text)
        if step.closes:
            self._later(self._hang_up_after("silence"))

    def misheard(self) -> None:
        """The caller spoke and no transcript came."""
        self._events.note("not_heard")
        self._say(sentence("not_heard", self._hearing.spoken))

    def fail(self, what: Failed) -> None:
        """Something behind the line does not answer: apologise, and put the caller through; once for each cause."""
        if what == "voice":
            self._voice.failed()
        self._events.note("outage", of=what)
        if what not in self._failed and not self._leaving:
            self._failed.add(what)
            log.write(OUTAGES[what])
            self._later(self._outage())

    async def close(self) -> None:
        """Stop whatever is still waiting to happen."""
        self._session = None
        for task in self._working:
            task.cancel()
        await asyncio.gather(*self._working, return_exceptions=True)

    async def _outage(self) -> None:
        language = self._hearing.spoken
        if self._session is not None and self._session.current_speech is not None:
            self._session.current_speech.interrupt(force=True)
        if self._setup.person is None:
            await self._heard(self._say(sentence("outage_alone", language)))
            self._open_menu()
            return
        await self._heard(self._say(sentence("outage", language)))
        if not await self._transfer(self._setup.person, "outage"):
            self._open_menu()

    def _open_menu(self) -> None:
        known = self._setup.directory(recorded=self._voice.failing)
        self._menu = Menu(known, self._hearing.spoken, self._setup.person)
        self._events.note("menu")
        self._say(self._menu.text())

    async def _step(self, step: MenuStep) -> None:
        if self._session is not None:
            await self._session.interrupt(force=True)
        spoken = [self._say(part) for part in step.parts]
        if step.action != "transfer":
            return
        await self._heard(spoken[-1])
        if not await self._transfer(step.number or self._setup.person or "", "menu"):
            self._say(sentence("transfer_failed", self._hearing.spoken))

    async def _person_by_key(self) -> None:
        if self._session is not None:
            await self._session.interrupt(force=True)
        await self._heard(self._say(self.told_of_transfer()))
        await self._put_through("key")

    async def _told_of_language(self) -> None:
        """Whoever chose a language by key hears that it is spoken now."""
        text = self._prompts().get("language_spoken")
        if self._session is not None and text is not None:
            await self._session.interrupt(force=True)
            self._say(text)

    def told_of_transfer(self) -> str:
        """What is said before a caller is put through."""
        return self._prompts().get("handoff") or sentence("outage", self._hearing.spoken)

    def _prompts(self) -> Mapping[str, str]:
        """What the line says by itself in the call's language; nothing where it was never heard of."""
        return self._setup.line.prompts.get(self._hearing.spoken, {}) if self._setup.line else {}

    async def _transfer_after(self, reason: str) -> None:
        if await self._heard(self._current()):
            await self._put_through(reason)

    async def _put_through(self, reason: str) -> None:
        if self._setup.person is None or not await self._transfer(self._setup.person, reason):
            self._say(sentence("transfer_failed", self._hearing.spoken))

    async def _transfer(self, to: str, reason: str) -> bool:
        self._events.note("transfer", reason=reason)
        hand_over = HandOver(self._conversation_id, self._hearing.spoken, reason, self.questions)
        self._leaving = True
        accepted = bool(to) and await self._desk.transfer(address(to), hand_over)
        self._leaving = accepted
        self._events.note("transferred" if accepted else "transfer_refused")
        if accepted:
            await self._desk.hang_up()
        return accepted

    async def _hang_up_after(self, reason: str) -> None:
        if await self._heard(self._current()):
            self._leaving = True
            self._events.note("hang_up", reason=reason)
            await self._desk.hang_up()

    def _current(self) -> SpeechHandle | None:
        return self._session.current_speech if self._session else None

    async def _heard(self, speech: SpeechHandle | None) -> bool:
        """Wait until the caller has heard a sentence; False when the caller interrupted it."""
        if speech is None:
            return True
        await speech.wait_for_playout()
        return not speech.interrupted

    def _say(self, text: str) -> SpeechHandle | None:
        if self._session is None:
            return None
        try:
            return self._voice.say(text, self._session, self._hearing.spoken)
        except RuntimeError:
            # The caller has hung up: the framework takes nothing more to say.
            log.write("nobody_listening")
            return None

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._working.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._working.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.write_raised("call_step_failed", error, kind=type(error).__name__)
