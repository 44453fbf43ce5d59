"""When a caller has finished, when he interrupts, and how early an answer is begun: one set of options for every call.

Measured against each other with `careline bench voice`; docs/phone.md has the figures.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from livekit.agents import APIConnectOptions, inference
from livekit.agents.voice.agent_session import SessionConnectOptions
from livekit.agents.voice.turn import TurnHandlingOptions

SILENCE_SECONDS = 0.25
"""Silence after which the voice activity detector says that speech has ended."""
NEVER = 1000
"""Failures in a row after which the framework would end a call; ours says an apology and puts the caller through."""


class AtOnce(Executor):
    """Works where it is asked to. A window of the detector takes 0.02 ms, handing it to a thread and back takes longer,
    thirty times a second for each call.
    """

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """See `Executor`; done when this returns."""
        done: Future[Any] = Future()
        try:
            done.set_result(work(*args, **kwargs))
        except BaseException as error:  # It is the caller's to handle, as behind any executor.
            done.set_exception(error)
        return done


def voice_activity() -> inference.VAD:
    """The detector of one call; its model is loaded once in a process."""
    return inference.VAD(min_silence_duration=SILENCE_SECONDS, executor=AtOnce())


def turn_handling() -> TurnHandlingOptions:
    """Options of one call's session.

    An interruption needs a word that is no backchannel: `PhoneAgent.stt_node` keeps those out of the transcript, and
    the voice may otherwise be stopped as soon as speech has lasted a tenth of a second. What turns out to be no speech
    at all is taken back, and the sentence goes on where it was stopped.
    """
    return {
        "turn_detection": inference.TurnDetector(version="v1-mini"),
        "endpointing": {"mode": "fixed", "min_delay": 0.3, "max_delay": 1.2},
        "preemptive_generation": {"enabled": True, "preemptive_tts": True, "max_speech_duration": 30.0},
        "interruption": {
            "enabled": True,
            "mode": "vad",
            "min_duration": 0.1,
            "min_words": 1,
            "resume_false_interruption": True,
            "false_interruption_timeout": 1.0,
        },
    }


def timeout_seconds() -> SessionConnectOptions:
    """How often and how long the vendors and the orchestrator are tried before the caller hears an apology."""
    return SessionConnectOptions(
        stt_conn_options=APIConnectOptions(max_retry=3, retry_interval=0.5, timeout=3.0),
        llm_conn_options=APIConnectOptions(max_retry=2, retry_interval=1.0, timeout=10.0),
        tts_conn_options=APIConnectOptions(max_retry=1, retry_interval=0.1, timeout=3.0),
        max_unrecoverable_errors=NEVER,
    )
