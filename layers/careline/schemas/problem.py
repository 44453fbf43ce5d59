"""Turns an error into the problem document a client sees (RFC 9457)."""

from __future__ import annotations

from datetime import datetime

from careline.errors import CarelineError
from careline.schemas import wire

MEDIA_TYPE = "application/problem+json"


def problem(error: CarelineError, trace_id: str, now: datetime, fallback: str | None = None) -> wire.Problem:
    """The problem document of an error; its message says what to do and holds nothing of the user's words."""
    title = type(error).__name__
    return wire.Problem(
        title=title,
        status=error.status,
        detail=error.message,
        error=title,
        error_code=error.code,
        message=error.message,
        retry_after=error.retry_after,
        fallback_response=fallback,
        trace_id=trace_id,
        timestamp=now,
        component=error.component,
    )
