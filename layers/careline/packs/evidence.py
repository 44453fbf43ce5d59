"""The limits of a pack from which what was found is good enough to answer from."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Evidence(BaseModel):
    """When what was found is good enough to answer from.

    `min_relative_similarity` is how far a passage must lie above the corpus in meaning, less 0.05 for one with all of
    the question's informative words (see `docs/decisions/0003`); `min_coverage` the share of those words, 0 to 1, that
    must be there when only words could be searched. With a reader, the confidence that the best window
    answers decides, the log of its odds (`careline.search.relevance`): from `min_confidence` an answer is given, below
    `min_sure` as one that may not be what was asked for. That compares what was found with the rest of it, so the best
    of a few pages may look sure: its relevance must also come to `min_relevance`. Else the page is named that comes
    closest, from a relevance of `min_closest`; both in logits.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    min_relative_similarity: float = Field(ge=0, le=1)
    min_coverage: float = Field(ge=0, le=1)
    passages_per_answer: int = Field(ge=1, le=10)
    min_confidence: float = -0.7
    min_relevance: float = 0.0
    min_sure: float = 0.6
    min_closest: float = -2.0
