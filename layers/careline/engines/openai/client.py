"""Makes the one client that model and embedder share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from careline.errors import SettingsInvalid
from careline.settings import Settings

if TYPE_CHECKING:
    from openai import AsyncOpenAI


def client(settings: Settings) -> AsyncOpenAI:
    """Raises: SettingsInvalid when there is neither a key nor an address."""
    if settings.openai_api_key is None and settings.openai_base_url is None:
        raise SettingsInvalid("CARELINE_OPENAI_API_KEY (or CARELINE_OPENAI_BASE_URL of a gateway) is needed")
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else None
    return connect(settings.openai_base_url, key)


def connect(base_url: str | None, key: str | None) -> AsyncOpenAI:
    """A client of any compatible endpoint; OpenAI's own when there is no address."""
    from openai import AsyncOpenAI

    # Retries and patience are ours: a stage knows what is left of its time, the client does not.
    return AsyncOpenAI(api_key=key or "not-needed", base_url=base_url, max_retries=0)
