"""What a span of a call to an endpoint says of it, by OpenTelemetry's conventions for generative AI (`gen_ai.*`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from careline.tracing.spans import Value

if TYPE_CHECKING:
    from openai import AsyncOpenAI

BEDROCK, OPENAI = "aws.bedrock", "openai"


def chat_attributes(model: str, client: AsyncOpenAI) -> dict[str, Value]:
    """Of a chat completion."""
    return {"gen_ai.operation.name": "chat", **_endpoint(model, client)}


def embedding_attributes(model: str, client: AsyncOpenAI, texts: int) -> dict[str, Value]:
    """Of vectors of so many texts."""
    return {"gen_ai.operation.name": "embeddings", "careline.texts": texts, **_endpoint(model, client)}


def _endpoint(model: str, client: AsyncOpenAI) -> dict[str, Value]:
    host = client.base_url.host
    provider = BEDROCK if host.startswith("bedrock-") else OPENAI
    return {"gen_ai.provider.name": provider, "gen_ai.request.model": model, "server.address": host}
