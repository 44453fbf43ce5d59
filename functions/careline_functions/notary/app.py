"""Notes where every audit chain stands in the bucket under Object Lock, each hour."""

from __future__ import annotations

import asyncio
from contextvars import copy_context
from functools import cache
from typing import Any

from careline import bootstrap
from careline.audit.notary import HeadNotary
from careline.errors import SettingsInvalid
from careline.runtime.lambda_handler import observed
from careline.settings import Settings


@cache
def runner() -> asyncio.Runner:
    """One event loop for the process."""
    return asyncio.Runner()


@cache
def notary() -> tuple[HeadNotary, str]:
    """What notes heads, and the tenant there is without a record. Raises: SettingsInvalid."""
    settings = Settings.load()
    if (made := bootstrap.notary(settings)) is None:
        raise SettingsInvalid("CARELINE_HEADS_BUCKET is needed: heads are noted there")
    return made, settings.tenant


@observed("notary")
def handler(event: dict[str, Any], invocation: object) -> dict[str, int]:
    """A tick of the schedule in; out how many chains were noted. One that could not be raises, after the others."""
    made, tenant = notary()
    return {"noted": runner().run(made.note_all([tenant]), context=copy_context())}
