"""Makes the client that model and embedder talk to an endpoint with: by a key, by a key that may be replaced while the
process runs, or signed with the AWS credentials of the process, as Bedrock takes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from careline.errors import SettingsInvalid
from careline.ports import Secret
from careline.settings import OpenAISettings

if TYPE_CHECKING:
    from openai import AsyncOpenAI


def check(openai: OpenAISettings) -> None:
    """Raises: SettingsInvalid when nothing says how to be let in."""
    if openai.auth == "key" and not (openai.api_key or openai.api_key_secret or openai.base_url):
        raise SettingsInvalid("CARELINE_OPENAI_API_KEY (or CARELINE_OPENAI_BASE_URL of a gateway) is needed")


def client(openai: OpenAISettings) -> AsyncOpenAI:
    """A client of the endpoint that the settings name. No connection is opened and no secret read by making it.

    Raises: SettingsInvalid when nothing says how to be let in.
    """
    check(openai)
    if openai.auth == "aws":
        return _signed(openai)
    if openai.api_key is None and openai.api_key_secret is not None:
        from careline.engines.aws.secrets import stored

        return with_secret(openai.base_url, stored(openai.api_key_secret))
    return connect(openai.base_url, openai.api_key.get_secret_value() if openai.api_key else None)


def connect(base_url: str | None, key: str | None) -> AsyncOpenAI:
    """A client of any compatible endpoint; OpenAI's own when there is no address."""
    from openai import AsyncOpenAI

    # Retries and patience are ours: a stage knows what is left of its time, the client does not.
    return AsyncOpenAI(api_key=key or "not-needed", base_url=base_url, max_retries=0)


def with_secret(base_url: str | None, secret: Secret) -> AsyncOpenAI:
    """A client that shows the key as it is when it asks."""
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    from careline.engines.openai.replaced_key import ReplacedKey

    authenticated = DefaultAsyncHttpxClient(auth=ReplacedKey(secret))
    return AsyncOpenAI(api_key="from-secret", base_url=base_url, max_retries=0, http_client=authenticated)


def _signed(openai: OpenAISettings) -> AsyncOpenAI:
    """A client whose requests are signed by botocore's credentials, which renew themselves.

    Bedrock has two endpoints that speak this wire. `bedrock-runtime` is the one whose permission names the model
    (`bedrock:InvokeModel`); an address of the other one is told by its name.
    """
    from openai import AsyncOpenAI, OpenAIError
    from openai.providers.bedrock import bedrock

    address = openai.base_url
    try:
        provider = bedrock(
            endpoint="mantle" if address and "://bedrock-mantle." in address else "runtime",
            region=openai.aws_region,
            base_url=address,
            # A bearer token of the environment is somebody else's way in.
            api_key=None,
        )
        return AsyncOpenAI(provider=provider, max_retries=0)
    except OpenAIError:
        raise SettingsInvalid(
            "CARELINE_OPENAI_AWS_REGION is needed where CARELINE_OPENAI_AUTH is aws, in the form eu-west-1, and "
            "CARELINE_OPENAI_BASE_URL, where it is set, must be of that region"
        ) from None
