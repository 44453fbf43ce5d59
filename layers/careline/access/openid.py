"""Verifies the signed token (JWT) of an OpenID provider against the provider's published keys."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from careline.errors import EngineUnavailable, SettingsInvalid
from careline.settings import OidcSettings
from careline.web.http import Unauthorised

if TYPE_CHECKING:
    from jwt import PyJWK, PyJWKClient

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "ES256", "ES384")
"""Signatures with a public key; a shared secret, or none, is never accepted."""
LEEWAY = 30
"""Seconds that two clocks may differ."""
KEYS_SECONDS = 5
"""Timeout in seconds for the provider."""
MAX_JWT = 8192


class Provider:
    """One OpenID provider: who it is, whom its tokens are for, and where its keys are."""

    def __init__(self, issuer: str, audience: str, keys: str) -> None:
        self._issuer, self._audience, self._keys = issuer, audience, keys
        self._client: PyJWKClient | None = None

    async def claims(self, shown: str) -> dict[str, Any]:
        """The claims of a token. Raises: Unauthorised for one that does not hold, EngineUnavailable without keys."""
        import jwt

        if len(shown) > MAX_JWT:
            raise Unauthorised("the login is not valid; log in again")
        try:
            key = await asyncio.to_thread(self._key, shown)
            found: dict[str, Any] = jwt.decode(
                shown, key, list(ALGORITHMS), issuer=self._issuer, audience=self._audience, leeway=LEEWAY,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )  # fmt: skip
        except jwt.PyJWKClientConnectionError:
            raise EngineUnavailable("the login provider does not answer; try again", retry_after=5) from None
        except jwt.PyJWTError:
            raise Unauthorised("the login is not valid or has expired; log in again") from None
        return found

    def _key(self, shown: str) -> PyJWK:
        import jwt

        if self._keys.startswith("https://"):
            self._client = self._client or jwt.PyJWKClient(self._keys, timeout=KEYS_SECONDS)
            return self._client.get_signing_key_from_jwt(shown)
        wanted = jwt.get_unverified_header(shown).get("kid")
        try:
            held = jwt.PyJWKSet.from_dict(json.loads(Path(self._keys).read_text(encoding="utf-8")))
        except (OSError, ValueError, jwt.PyJWKSetError):
            raise SettingsInvalid("CARELINE_OIDC_KEYS cannot be read as a key set (JWKS)") from None
        for key in held.keys:
            if key.key_id == wanted:
                return key
        raise Unauthorised("the login is signed with a key that is not known; log in again")


def provider(oidc: OidcSettings) -> Provider | None:
    """The provider that the settings name, if any. Raises: SettingsInvalid when they name it in part."""
    named = (oidc.issuer, oidc.audience, oidc.keys)
    if not any(named):
        return None
    issuer, audience, keys = named
    if not (issuer and audience and keys):
        raise SettingsInvalid("CARELINE_OIDC_ISSUER, CARELINE_OIDC_AUDIENCE and CARELINE_OIDC_KEYS belong together")
    return Provider(issuer, audience, keys)
