"""Reads secrets from AWS Secrets Manager, through the Parameters of Powertools: when they are first needed, and again
every five minutes, so that one that was replaced is used without a deployment.

Nothing is read before that: a process may be restored from a snapshot, which must hold no secret.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import lru_cache
from math import inf
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from careline.engines.aws.connect import client, code_of, in_thread
from careline.errors import SecretMissing, SecretUnavailable, SettingsInvalid

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.parameters import SecretsProvider

Made = TypeVar("Made")
MAX_AGE_SECONDS = 300
"""How long a secret is used before it is read again: within this time a new one is in use everywhere."""
FORCED_AT_MOST_EVERY = 10.0
"""Seconds between two readings ahead of their time, after a refusal or where nothing was there: a key that stays wrong
costs no call each question."""
NOT_ASKED_AFTER_FAILURE = 30.0
"""Seconds that the last value serves without another reading, after one that failed: whoever makes it waits as long as
a reading may take."""
RETRY_AFTER = 5
"""Seconds after which a secret that was never read may be tried again."""
MISSING = "nobody has put this secret in yet: `aws secretsmanager put-secret-value`"
PLACEHOLDER = "careline-no-key-yet"
"""What a secret is made with that a person puts in. The template holds it: another one would be written over the key
that was put in since."""


class StoredSecret:
    """The secret port over Secrets Manager. `secret_id` is its ARN or name."""

    def __init__(self, secret_id: str, secrets_manager: Any = None, now: Callable[[], float] = time.monotonic) -> None:
        self._id = secret_id
        self._given = secrets_manager
        self._now = now
        self._made: SecretsProvider | None = None
        self._last = ""
        self._forced_at = -inf
        self._failed_at = -inf
        self._lock = Lock()
        self._reading: Future[str] | None = None

    async def read(self) -> str:
        """See `ports.Secret.read`."""
        return await in_thread(self.value)

    async def renew(self) -> str:
        """See `ports.Secret.renew`."""
        return await in_thread(lambda: self._kept(renewed=True))

    def value(self) -> str:
        """The same as `read`, for whoever may wait for it. Raises: SecretMissing, SecretUnavailable."""
        return self._kept()

    def _kept(self, *, renewed: bool = False) -> str:
        """The secret. One reads at a time; whoever has the last value goes on with it meanwhile, the others share what
        comes of that reading."""
        while True:
            with self._lock:
                reading = self._reading
                if reading is None:
                    forced = self._is_forced(renewed=renewed)
                    if forced is None:
                        return self._last
                    mine = self._reading = Future()
                    break
                if self._last and not renewed:
                    return self._last
            if not renewed:
                return reading.result()
            # It may have begun before the secret was replaced, and been answered out of the cache: asked again.
            wait([reading])
        return self._read_for_all(mine, forced=forced)

    def _is_forced(self, *, renewed: bool) -> bool | None:
        """Whether the reading that is due goes past the cache; None where none is due. Raises: SecretMissing."""
        now = self._now()
        may_force = now - self._forced_at >= FORCED_AT_MOST_EVERY
        if not self._last:
            if not may_force:
                raise SecretMissing(MISSING)
            return True
        if renewed and may_force:
            self._forced_at = now
            return True
        return None if now - self._failed_at < NOT_ASKED_AFTER_FAILURE else False

    def _read_for_all(self, reading: Future[str], *, forced: bool) -> str:
        try:
            self._last = self._read(forced=forced)
            if not self._last:
                self._forced_at = self._now()
                raise SecretMissing(MISSING)
        except BaseException as error:
            reading.set_exception(error)
            raise
        else:
            reading.set_result(self._last)
            return self._last
        finally:
            with self._lock:
                self._reading = None

    def _read(self, *, forced: bool) -> str:
        """The secret; nothing where it is still what it was made with. Raises: SecretUnavailable."""
        provider = self._provider()
        try:
            found = provider.get(self._id, max_age=MAX_AGE_SECONDS, force_fetch=forced)
        except Exception as error:
            self._failed_at = self._now()
            # What was read before serves on: the vendor refuses it if it is no longer valid.
            if self._last:
                return self._last
            raise SecretUnavailable(f"a secret cannot be read: {_code(error)}", retry_after=RETRY_AFTER) from None
        self._failed_at = -inf
        text = found.strip() if isinstance(found, str) else ""
        return "" if text == PLACEHOLDER else text

    def _provider(self) -> SecretsProvider:
        if self._made is None:
            try:
                from aws_lambda_powertools.utilities.parameters import SecretsProvider
            except ImportError:
                raise SettingsInvalid("a secret of AWS needs the packages of requirements/cloud.txt") from None
            self._made = SecretsProvider(boto3_client=self._given or client("secretsmanager"))
        return self._made


def _code(error: Exception) -> str:
    """The vendor's code of what went wrong; its message names the role and the secret."""
    cause = error.__context__ or error
    return code_of(cause) if hasattr(cause, "response") else type(cause).__name__


class ReadOnce(Generic[Made]):
    """What is made of a secret once a process.

    A reading that failed is told again without another for `RETRY_AFTER` seconds; on the event loop, which must not
    wait, until one beside it has succeeded (`Access.fetch_key`).
    """

    def __init__(self, read: Callable[[], Made], now: Callable[[], float] = time.monotonic) -> None:
        self._read, self._now = read, now
        self._made: Made | None = None
        self._failure: SecretUnavailable | None = None
        self._failed_at = -inf

    def __call__(self) -> Made:
        """Raises: SecretUnavailable, and what the reading raises."""
        if self._made is not None:
            return self._made
        failure = self._failure
        if failure is not None and (self._is_told_again(failure) or _is_on_event_loop()):
            raise type(failure)(failure.message, retry_after=RETRY_AFTER)
        try:
            self._made = self._read()
        except SecretUnavailable as error:
            self._failed_at, self._failure = self._now(), error
            raise
        return self._made

    def _is_told_again(self, failure: SecretUnavailable) -> bool:
        # Of one that nobody has put in its reader remembers that itself.
        return not isinstance(failure, SecretMissing) and self._now() - self._failed_at < RETRY_AFTER


def _is_on_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@lru_cache(maxsize=64)
def stored(secret_id: str) -> StoredSecret:
    """The process's own reader of this secret. Nothing is read by making it."""
    return StoredSecret(secret_id)
