"""Products of bytes that every processor adds to the same sums.

onnxruntime multiplies activations, rounded to 0..255, with weights of 8 bits. Processors with 8-bit dot products (VNNI,
ARM) add the products in 32 bits. The others multiply pairs of a byte and a signed weight and add two products in 16
bits, where 2 x 255 x 127 does not fit and is cut off without a word. Weights without a sign, 128 standing for 0, they
add in 32 bits: the same integers, in a seventh to a quarter more time. So the weights are the same everywhere, and only
how they are written follows from what the processor does with the largest sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from careline.engines.embedded.e5 import onnx_file

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Sign = Literal["int8", "uint8"]
LARGEST = 127
"""Weights are rounded to -127..127."""
DOMAIN = "com.microsoft"
_UNSIGNED_ZERO = np.uint8(128)
_ROWS, _SIZE, _COLUMNS = 64, 64, 32
"""Of the product that is tried: enough for every kernel that a text meets."""


def written(whole: npt.NDArray[np.int8], sign: Sign) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Weights, shape (size, columns), as this processor is given them, and what stands for 0 in each column."""
    zero = np.zeros(whole.shape[1], np.int8)
    if sign == "int8":
        return whole, zero
    # The bytes of x + 128 are those of x with the highest bit turned.
    return whole.view(np.uint8) ^ _UNSIGNED_ZERO, zero.view(np.uint8) ^ _UNSIGNED_ZERO


def product(whole: npt.NDArray[np.int8], sign: Sign) -> bytes:
    """The model of one product: `activations` (rows, size) times the weights, of scale 1; output `sums` (rows,
    columns)."""
    weights, zero = written(whole, sign)
    scale = np.ones(whole.shape[1], np.float32)
    tensors = [onnx_file.tensor(name, each) for name, each in (("w", weights), ("scale", scale), ("zero", zero))]
    node = onnx_file.node("DynamicQuantizeMatMul", ["activations", "w", "scale", "zero"], ["sums"], DOMAIN)
    given, found = (
        onnx_file.value(name, onnx_file.FLOAT, ["rows", size])
        for name, size in zip(("activations", "sums"), whole.shape, strict=True)
    )
    return onnx_file.model([node], [given], [found], tensors, [("", 21), (DOMAIN, 1)])


def largest_product() -> bytes:
    """The model of a product whose sums are the largest and the smallest that there are."""
    signs = np.where(np.arange(_COLUMNS) % 2, -LARGEST, LARGEST).astype(np.int8)
    return product(np.tile(signs, (_SIZE, 1)), "int8")


def is_exact(session: InferenceSession) -> bool:
    """Whether `largest_product`, run here, comes to what it is."""
    (sums,) = session.run(None, {"activations": np.ones((_ROWS, _SIZE), np.float32)})
    return bool(np.allclose(np.abs(np.asarray(sums)), _SIZE * LARGEST, rtol=1e-3))
