"""Every processor comes to the numbers that one came to: those of `golden/numbers.npz`.

Sums of products are the same integers everywhere (`test_byte_products`). What lies between them, softmax, GELU and
normalisation, is computed in 32 bits and may differ in the last of them; now and then that moves an activation to the
next of its 256 values, which the layers above magnify: most texts stay as they are, one may move far. With inputs moved
by a ten-millionth to a millionth, cosines fell by 0.001 at most in the mean of a kind and by 0.0045 for one text; the
median of logits moved by 0.001, the farthest by 0.87. A processor that cuts off sums moves every text: cosines by
0.0038 to 0.010 in the mean, the median of logits by 0.16. The limits lie between.
"""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from tests.engines.models import reference_numbers
from tests.engines.models.reference_numbers import Numbers

MEAN_COSINE, LARGEST_COSINE = 0.002, 0.015
"""How far the cosine to what is kept may lie below 1, in the mean of all texts and for one."""
MEDIAN_LOGIT, LARGEST_LOGIT = 0.1, 2.0


@pytest.fixture(scope="module")
def computed() -> Numbers:
    return asyncio.run(reference_numbers.computed())


@pytest.mark.parametrize("name", ["sentence_embedding", "question", "passage"])
def test_vectors_are_those_of_every_other_processor(computed: Numbers, name: str) -> None:
    apart = 1 - np.sum(computed[name] * reference_numbers.kept()[name], axis=-1)
    assert apart.mean() < MEAN_COSINE
    assert apart.max() < LARGEST_COSINE


def test_relevance_is_that_of_every_other_processor(computed: Numbers) -> None:
    apart = np.abs(computed["relevance"] - reference_numbers.kept()["relevance"])
    assert np.median(apart) < MEDIAN_LOGIT
    assert apart.max() < LARGEST_LOGIT
