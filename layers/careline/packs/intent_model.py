"""When a pack has a language model say what is wanted, and what the model is told."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from careline.errors import PackInvalid

PROMPT = "intent.md"
"""Name of what the model is told, in a pack's `prompts/`."""


class IntentModelWritten(BaseModel):
    """As pack.yaml has it: asked `below` a confidence of the classifier, for so many `seconds` at most."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    below: float = Field(gt=0, le=1)
    seconds: float = Field(gt=0, le=5)


@dataclass(frozen=True, slots=True)
class IntentModel:
    """When a language model is asked, and what it is told."""

    below: float
    seconds: float
    prompt: str


def intent_model(folder: Path, written: IntentModelWritten, intents: Collection[str], prompt: str) -> IntentModel:
    """How the pack of a folder asks. Raises: PackInvalid for a label that the prompt does not explain."""
    told = {line.partition(":")[0].strip() for line in prompt.splitlines() if ":" in line}
    if missing := sorted(set(intents) - told):
        raise PackInvalid(
            f"{folder.name}/prompts/{PROMPT}: does not say what {missing[0]} is; add a line `{missing[0]}: …`"
        )
    return IntentModel(written.below, written.seconds, prompt)
