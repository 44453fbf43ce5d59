"""Every processor adds products of bytes to the same sums, the largest that there are too.

What onnxruntime computes here is compared with sums in 64 bits, to the bit. Activations are whole numbers whose range
is 255, so that they are rounded to themselves.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from careline.engines.embedded.e5 import byte_products
from careline.engines.embedded.e5.byte_products import LARGEST, Sign
from careline.engines.embedded.e5.model import E5Model, session

Bytes = npt.NDArray[np.uint8]
Weights = npt.NDArray[np.int8]


@pytest.fixture(scope="module")
def sign() -> Sign:
    """How weights are written on this processor."""
    model = E5Model()
    model.load()
    return model.sign


def multiplied(activations: Bytes, zero: int, weights: Weights, sign: Sign) -> npt.NDArray[np.float32]:
    """What onnxruntime makes of `activations - zero` times the weights."""
    (sums,) = session(byte_products.product(weights, sign)).run(
        None, {"activations": activations.astype(np.float32) - np.float32(zero)}
    )
    return np.asarray(sums)


def in_64_bits(activations: Bytes, zero: int, weights: Weights) -> npt.NDArray[np.float32]:
    return ((activations.astype(np.int64) - zero) @ weights.astype(np.int64)).astype(np.float32)


def of_full_range(activations: Bytes) -> Bytes:
    """The same with a row before that has the least and the largest byte, which the scale follows from."""
    row = np.resize(np.array([0, 255], np.uint8), (1, activations.shape[1]))
    return np.concatenate([row, activations])


def likely_extreme(least: int, most: int) -> st.SearchStrategy[int]:
    return st.sampled_from([least, most]) | st.integers(least, most)


@st.composite
def products(draw: st.DrawFn) -> tuple[Bytes, int, Weights]:
    rows, size, columns = draw(st.integers(1, 40)), draw(st.integers(2, 80)), draw(st.integers(1, 40))
    activations = draw(arrays(np.uint8, (rows, size), elements=likely_extreme(0, 255)))
    weights = draw(arrays(np.int8, (size, columns), elements=likely_extreme(-LARGEST, LARGEST)))
    return of_full_range(activations), draw(st.integers(0, 255)), weights


@given(products())
@settings(max_examples=60, deadline=None)
def test_sums_of_any_bytes_are_those_of_64_bits(sign: Sign, drawn: tuple[Bytes, int, Weights]) -> None:
    assert np.array_equal(multiplied(*drawn, sign), in_64_bits(*drawn))


@given(products())
@settings(max_examples=60, deadline=None)
def test_weights_without_a_sign_say_on_every_processor_what_signed_ones_should(
    drawn: tuple[Bytes, int, Weights],
) -> None:
    assert np.array_equal(multiplied(*drawn, "uint8"), in_64_bits(*drawn))


@pytest.mark.parametrize("rows", [1, 7, 122])
@pytest.mark.parametrize(("size", "columns"), [(384, 1152), (384, 384), (384, 1536), (1536, 384)])
@pytest.mark.parametrize("weight", [-LARGEST, LARGEST])
def test_the_largest_sums_of_each_product_of_the_models_are_exact(
    sign: Sign, rows: int, size: int, columns: int, weight: int
) -> None:
    weights = np.full((size, columns), weight, np.int8)
    activations = of_full_range(np.full((rows, size), 255, np.uint8))
    assert np.array_equal(multiplied(activations, 0, weights, sign), in_64_bits(activations, 0, weights))


def cut_off(activations: Bytes, weights: Weights) -> npt.NDArray[np.int64]:
    """Sums as a processor makes them that adds two products in 16 bits and cuts off what does not fit."""
    pairs = activations.astype(np.int64)[:, :, None] * weights.astype(np.int64)[None]
    fitting = np.clip(pairs[:, 0::2] + pairs[:, 1::2], -(1 << 15), (1 << 15) - 1)
    return np.asarray(fitting.sum(axis=1))


class Sums:
    """A session whose product has these sums."""

    def __init__(self, add: Callable[[Bytes, Weights], npt.NDArray[np.int64]]) -> None:
        self._add = add

    def run(self, _: None, given: dict[str, npt.NDArray[np.float32]]) -> list[npt.NDArray[np.float32]]:
        activations = np.rint(given["activations"] * 255).astype(np.uint8)
        weights = np.where(np.arange(32) % 2, -LARGEST, LARGEST).astype(np.int8)
        sums = self._add(activations, np.tile(weights, (activations.shape[1], 1)))
        return [(sums / 255).astype(np.float32)]


def test_a_processor_that_cuts_off_sums_is_told_from_one_that_does_not() -> None:
    assert not byte_products.is_exact(Sums(cut_off))
    assert byte_products.is_exact(Sums(lambda given, weights: given.astype(np.int64) @ weights.astype(np.int64)))


def test_signed_weights_are_taken_where_their_largest_sums_are_exact(sign: Sign) -> None:
    weights = np.full((64, 64), LARGEST, np.int8)
    activations = of_full_range(np.full((64, 64), 255, np.uint8))
    signed = multiplied(activations, 0, weights, "int8")
    assert (sign == "int8") == np.array_equal(signed, in_64_bits(activations, 0, weights))
