"""Shows a key that may be replaced while the process runs: as it is now, and once more when it is refused."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import httpx2
import openai

from careline.errors import SecretUnavailable
from careline.ports import Secret

UNAUTHORISED = 401


class KeyNotRead(openai.OpenAIError):
    """Nobody was asked, as there was no key to show; its cause says why. Of a kind that the client passes on."""


class ReplacedKey(httpx2.Auth):
    """Puts the secret into each request. An endpoint that refuses it is asked again with the one that took its place,
    if there is one."""

    def __init__(self, secret: Secret) -> None:
        self._secret = secret

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """See `httpx2.Auth.async_auth_flow`. Raises: KeyNotRead."""
        try:
            key = await self._secret.read()
        except SecretUnavailable as error:
            raise KeyNotRead from error
        request.headers["authorization"] = f"Bearer {key}"
        response = yield request
        if response.status_code == UNAUTHORISED and (renewed := await self._renewed(key)) != key:
            request.headers["authorization"] = f"Bearer {renewed}"
            yield request

    async def _renewed(self, key: str) -> str:
        """The key that took the place of this one; this one where none can be read."""
        try:
            return await self._secret.renew()
        except SecretUnavailable:
            return key
