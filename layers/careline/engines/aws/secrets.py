"""Reads secrets from AWS Secrets Manager, through the Parameters of Powertools: when they are first needed, and again
every five minutes, so that one that was replaced is used without a deployment.

Nothing is read before that: a process may be restored from a snapshot, which must hold no secret.
"""

from __future__ import annotations

import time
from collections.abc import Callable
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
"""Seconds that the last value serves without another reading, after one that failed: readers go one at a time, and each
would wait as long as a reading may take."""
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
        with self._lock:
            if not renewed and self._now() - self._failed_at < NOT_ASKED_AFTER_FAILURE and self._last:
                return self._last
            forced = renewed or not self._last
            if forced and self._now() - self._forced_at < FORCED_AT_MOST_EVERY:
                if not self._last:
                    raise SecretMissing(MISSING)
                forced = False
            if renewed and forced:
                self._forced_at = self._now()
            self._last = self._read(forced=forced)
            if not self._last:
                self._forced_at = self._now()
                raise SecretMissing(MISSING)
            return self._last

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

    Whoever needs it may stand on the event loop, and must not wait there for each reading that fails: one that failed
    is told again without another, for `RETRY_AFTER` seconds.
    """

    def __init__(self, read: Callable[[], Made], now: Callable[[], float] = time.monotonic) -> None:
        self._read, self._now = read, now
        self._made: Made | None = None
        self._failure = ""
        self._failed_at = -inf

    def __call__(self) -> Made:
        """Raises: SecretUnavailable, and what the reading raises."""
        if self._made is not None:
            return self._made
        if self._now() - self._failed_at < RETRY_AFTER:
            raise SecretUnavailable(self._failure, retry_after=RETRY_AFTER)
        try:
            self._made = self._read()
        except SecretMissing:
            # Its reader remembers that itself.
            raise
        except SecretUnavailable as error:
            self._failed_at, self._failure = self._now(), error.message
            raise
        return self._made


@lru_cache(maxsize=64)
def stored(secret_id: str) -> StoredSecret:
    """The process's own reader of this secret. Nothing is read by making it."""
    return StoredSecret(secret_id)
