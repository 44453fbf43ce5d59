"""The limits of a pack from which what was found is good enough to answer from."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Evidence(BaseModel):
    """When what was found is good enough to answer from.

    `min_relative_similarity` is how far a passage must lie above the corpus in meaning, less 0.05 for one with all of
    the question's informative words (see `docs/decisions/0003`); `min_coverage` the share of those words, 0 to 1, that
    must be there when only words could be searched. With a reader, what it and the search make of a window together
    decides, in logits: from `min_relevance` an answer is given, below `min_sure` as one that may not be what was asked
    for; else the page is named that comes closest, from `min_closest`.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    min_relative_similarity: float = Field(ge=0, le=1)
    min_coverage: float = Field(ge=0, le=1)
    passages_per_answer: int = Field(ge=1, le=10)
    min_relevance: float = 1.0
    min_sure: float = 3.0
    min_closest: float = -2.0
