"""What every answer of a given shape that a language model writes about a question is held to."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

LONGEST = 400
"""Characters of a text: what is longer is none."""


def _checked_text(text: str) -> str:
    if not 0 < len(text.strip()) <= LONGEST:
        raise ValueError(f"must be 1 to {LONGEST} characters")
    return text.strip()


def _checked_share(share: float) -> float:
    if not 0 <= share <= 1:
        raise ValueError("must lie between 0 and 1")
    return share


class Written(BaseModel):
    """A part of an answer: every field of it, and no other."""

    model_config = ConfigDict(extra="forbid")


WrittenText = Annotated[str, AfterValidator(_checked_text)]
"""Checked here and not by the schema, of which not every endpoint takes limits of length."""
WrittenShare = Annotated[float, AfterValidator(_checked_share)]
