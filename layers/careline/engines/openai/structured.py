"""Answers of a given shape from any model behind an OpenAI-compatible endpoint, validated and asked for again."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from typing import TYPE_CHECKING

from pydantic import ValidationError

from careline.engines.openai.call_attributes import chat_attributes
from careline.engines.openai.failures import UNREADABLE, model_failure
from careline.errors import AnswerMisshapen, ModelUnavailable
from careline.log.event_log import EventLog
from careline.ports import Shaped
from careline.text.completion.reasoning import without_reasoning
from careline.tracing.spans import span

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletionMessageParam
    from openai.types.shared_params import ResponseFormatJSONSchema

log = EventLog(__name__)
ATTEMPTS = 3
_FENCE = re.compile(r"^```(?:json)?[ \t]*\n|\n[ \t]*```$")


class OpenAIStructuredCaller:
    """The structured caller port over the chat completions API. `repeated` counts further attempts by call site."""

    def __init__(self, client: AsyncOpenAI, model: str) -> None:
        self._client = client
        self._model = model
        self.repeated: Counter[str] = Counter()

    @property
    def name(self) -> str:
        """See `ports.StructuredCaller.name`."""
        return self._model

    async def ask(self, site: str, instructions: str, text: str, shape: type[Shaped], seconds: float) -> Shaped:
        """See `ports.StructuredCaller.ask`."""
        until = time.monotonic() + seconds
        for attempt in range(ATTEMPTS):
            if attempt:
                self.repeated[site] += 1
                log.write("structured_answer_retried", site=site, attempt=attempt + 1)
            about = {**chat_attributes(self._model, self._client), "gen_ai.output.type": "json", "careline.site": site}
            with span(f"chat {self._model}", about, "client"):
                try:
                    written = await self._written(instructions, text, shape, until - time.monotonic())
                except ModelUnavailable as error:
                    # An attempt before this one was sent.
                    error.was_asked = error.was_asked or attempt > 0
                    raise
            try:
                return shape.model_validate_json(_json_of(written))
            except ValidationError:
                continue
        raise AnswerMisshapen(f"the language model did not answer in the shape that {site} needs")

    async def _written(self, instructions: str, text: str, shape: type[Shaped], seconds: float) -> str:
        import openai

        wanted: ResponseFormatJSONSchema = {
            "type": "json_schema",
            "json_schema": {"name": shape.__name__, "schema": shape.model_json_schema(), "strict": True},
        }
        told: list[ChatCompletionMessageParam] = [
            {"role": "system", "content": instructions},
            {"role": "user", "content": text},
        ]
        asked = self._client.chat.completions.create(
            model=self._model, messages=told, response_format=wanted, temperature=0
        )
        try:
            completion = await asyncio.wait_for(asked, seconds)
            written = completion.choices[0].message.content or "" if completion.choices else ""
        except TimeoutError:
            raise ModelUnavailable("the language model did not answer in time") from None
        except openai.OpenAIError as problem:
            raise model_failure(problem) from None
        except (AttributeError, TypeError, LookupError, ValueError):
            raise ModelUnavailable(UNREADABLE) from None
        if not isinstance(written, str):
            raise ModelUnavailable(UNREADABLE)
        return written


def _json_of(written: str) -> str:
    """What a model wrote without reasoning and without a fence around it."""
    return _FENCE.sub("", without_reasoning(written).strip())
