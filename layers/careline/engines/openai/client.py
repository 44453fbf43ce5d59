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
        raise SettingsInvalid("CARELINE_OPENAI_API_KEY (or CARELINE_OPENAI_BASE_URL of a local model) is needed")
    from openai import AsyncOpenAI

    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else "not-needed"
    # Retries and patience are ours: a stage knows what is left of its time, the client does not.
    return AsyncOpenAI(api_key=key, base_url=settings.openai_base_url, max_retries=0)
