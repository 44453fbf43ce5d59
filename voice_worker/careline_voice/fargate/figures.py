"""Writes figures for CloudWatch into the log: how many calls a worker holds, and what happened in each that is over."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Mapping

from careline.schemas import phone_figures as names
from careline.settings import PhoneSettings
from careline_voice.call_events import CallEvents, Moment

CUT_OFF = frozenset({"error", "job_shutdown"})
"""Reasons for the end of a call that neither the caller nor the line chose."""


class FigureLog:
    """The figures of one service, on standard output, where ECS takes the log from."""

    def __init__(self, stage: str, service: str) -> None:
        self._dimensions = {names.STAGE: stage, names.SERVICE: service}

    @classmethod
    def of(cls, settings: PhoneSettings) -> FigureLog | None:
        """The one of these settings; None where the worker belongs to no service."""
        service = settings.voice.service
        return None if service is None else cls(settings.aws.stage, service)

    def write(self, figures: Mapping[str, names.Value]) -> None:
        """One line, whole, also where others write beside it. Raises: KeyError for an unknown figure."""
        sys.stdout.write(names.line(self._dimensions, int(time.time() * 1000), figures) + "\n")
        sys.stdout.flush()


class CallFigures:
    """What happened in one call, written when it has ended."""

    def __init__(self, log: FigureLog) -> None:
        self._log = log
        self._counts: Counter[str] = Counter()
        self._first_audio: list[float] = []
        self._began: float | None = None

    def follow(self, call_events: CallEvents) -> None:
        """Count what happens in a call."""
        call_events.listeners.append(self._hear)

    def _hear(self, moment: Moment) -> None:
        if moment.name in names.COUNTED:
            self._counts[names.COUNTED[moment.name]] += 1
        match moment.name:
            case "started":
                self._began = moment.at
            case "first_audio":
                self._first_audio.append(round(float(moment.figures["seconds"]) * 1000, 1))
            case "ended":
                self._write(moment.at, str(moment.figures["reason"]))

    def _write(self, ended: float, reason: str) -> None:
        found: dict[str, names.Value] = {name: self._counts[name] for name in names.COUNTED.values()}
        if self._began is not None:
            found[names.CALL_SECONDS] = round(ended - self._began, 1)
        found[names.DROPPED] = int(reason in CUT_OFF)
        found[names.FIRST_AUDIO] = self._first_audio
        found[names.FIRST_AUDIO_LATE] = [int(one > names.FIRST_AUDIO_TARGET_MS) for one in self._first_audio]
        self._log.write(found)
