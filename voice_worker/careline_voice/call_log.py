"""Writes the moments of a call that an operator asks about into the log; never what was said."""

from __future__ import annotations

from careline.log.event_log import EventLog
from careline_voice.call_events import CallEvents, Moment

log = EventLog(__name__)


def follow(call_events: CallEvents) -> None:
    """Log what happens in a call."""
    call_events.listeners.append(_written)


def _written(moment: Moment) -> None:
    figures = moment.figures
    match moment.name:
        case "started":
            log.write("call_started")
        case "answered":
            log.write("call_answered", disposition=figures["disposition"], reason=figures["reason"])
        case "first_audio":
            log.write("call_first_audio", seconds=figures["seconds"])
        case "transferred":
            log.write("call_transferred")
        case "ended":
            log.write("call_ended", reason=figures["reason"])
