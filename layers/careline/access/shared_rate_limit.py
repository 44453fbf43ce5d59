"""Counts in the records how often somebody may do something, for all processes of an installation together.

One conditional write a request, on a counter of each minute by the clock; so a share may be used twice within sixty
seconds, at the end of one minute and the beginning of the next, as with `RateLimit`. Where the records do not answer,
each process counts alone for the rest of the minute: people who ask in an emergency are not turned away, nor kept
waiting, because a counter is down.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

from careline.access.rate_limit import KEPT, RateLimit
from careline.errors import Conflict, EngineUnavailable, TooManyRequests
from careline.log.event_log import EventLog
from careline.ports import Engines
from careline.privacy.redaction.keyed_digest import digest
from careline.records import keys
from careline.records.record_table import Item, Put

PATIENCE = 1.0
"""Seconds that a count may take; DynamoDB takes five milliseconds."""
KEPT_FOR = timedelta(minutes=2)
log = EventLog(__name__)


class Outage:
    """Remembers that the records failed to count: they are not asked for the rest of that minute, as each request would
    wait again for as long as it may. Limits that are counted in the same records share one."""

    def __init__(self) -> None:
        self._minute: datetime | None = None

    def is_in(self, minute: datetime) -> bool:
        """Whether it was in this minute."""
        return self._minute == minute

    def note(self, minute: datetime, limit: str, error: Exception) -> None:
        """Remember it, and log it once."""
        if self._minute != minute:
            self._minute = minute
            log.write("rate_not_shared", limit=limit, error=getattr(error, "code", "TIMEOUT"))


class SharedRateLimit:
    """So many a minute for each subject of a tenant; 0 a minute means without limit."""

    def __init__(self, name: str, per_minute: int, engines: Engines, outage: Outage | None = None) -> None:
        self.name, self.per_minute, self.engines = name, per_minute, engines
        self.outage = outage or Outage()
        self.alone = RateLimit(per_minute, engines.clock)
        self._used_up: OrderedDict[str, datetime] = OrderedDict()

    async def take(self, tenant: str, subject: str, message: str) -> None:
        """Count one more. Raises: TooManyRequests with the seconds to wait, and does not count it, when there were too
        many; SettingsInvalid without a key."""
        await take_together(self.share(tenant, subject, message))

    def share(self, tenant: str, subject: str, message: str) -> Share:
        """One more of a subject, which is not counted yet. Raises: SettingsInvalid without a key."""
        who = digest(f"{tenant}/{subject}", self.engines.key, f"rate {self.name}") if self.per_minute else ""
        return Share(self, tenant, who, message, self.engines.clock.now())

    def is_used_up(self, who: str, minute: datetime) -> bool:
        """Whether it is known here that nothing is left of this minute."""
        return self._used_up.get(who) == minute

    def note_used_up(self, who: str, minute: datetime) -> None:
        """Remember it, so that a flood costs the records one write and not one each."""
        self._used_up[who] = minute
        while len(self._used_up) > KEPT:
            self._used_up.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Share:
    """One more of whom a limit counts, under a keyed digest."""

    limit: SharedRateLimit
    tenant: str
    who: str
    message: str
    now: datetime

    @property
    def minute(self) -> datetime:
        """The minute that it is counted in."""
        return self.now.replace(second=0, microsecond=0)

    def check(self) -> None:
        """Raises: TooManyRequests where it is known here that nothing is left."""
        if self.limit.is_used_up(self.who, self.minute):
            raise self._refusal()

    def _refusal(self) -> TooManyRequests:
        ends = self.minute + timedelta(minutes=1)
        return TooManyRequests(self.message, retry_after=math.ceil((ends - self.now).total_seconds()))

    async def count(self) -> bool:
        """Whether the records counted it; False where they did not answer. Raises: TooManyRequests where they have none
        left to count."""
        limit = self.limit
        if limit.outage.is_in(self.minute):
            return False
        key = keys.rate_window(self.tenant, limit.name, self.who, f"{self.minute:%Y-%m-%dT%H:%M}")
        put = Put(Item(*key, {}, expires_at=self.minute + KEPT_FOR), below=limit.per_minute)
        try:
            async with asyncio.timeout(PATIENCE):
                await limit.engines.table.write(put)
        except Conflict:
            limit.note_used_up(self.who, self.minute)
            raise self._refusal() from None
        except (EngineUnavailable, TimeoutError) as error:
            limit.outage.note(self.minute, limit.name, error)
            return False
        return True


async def take_together(*shares: Share) -> None:
    """Count one more of each. Raises: TooManyRequests by the first of them that has none left.

    Where that is known before, none of them is counted: who is refused for what others have asked loses nothing. Where
    it is found out here, those before it are counted in the records, for a minute in which nothing more is let through.
    """
    limited = [one for one in shares if one.limit.per_minute]
    for one in limited:
        one.check()
    uncounted = []
    for one in limited:
        # One after the other: at once, a flood of one login would use up what is its hospital's, though it is refused.
        # What is counted goes on, though another may have found out meanwhile that it was the last.
        if not await one.count():
            one.check()
            uncounted.append(one)
    for one in uncounted:
        one.limit.alone.check(one.who, one.message)
    for one in uncounted:
        one.limit.alone.count(one.who)
