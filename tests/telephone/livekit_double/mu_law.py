"""G.711 mu-law (ITU-T G.711, table 2a): 16 bits linear to 8 and back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.int16]
BIAS, CLIP = 132, 32_635


def _decoded() -> Samples:
    code = ~np.arange(256, dtype=np.int32) & 0xFF
    magnitude = (((code & 0x0F) << 3) + BIAS) << ((code & 0x70) >> 4)
    return np.where(code & 0x80, BIAS - magnitude, magnitude - BIAS).astype(np.int16)


_LINEAR = _decoded()


def decode(data: bytes) -> Samples:
    """Linear samples of mu-law bytes, one each."""
    return _LINEAR[np.frombuffer(data, np.uint8)]


def encode(samples: Samples) -> bytes:
    """Mu-law bytes of linear samples, one each."""
    wide = samples.astype(np.int32)
    magnitude = np.minimum(np.abs(wide), CLIP) + BIAS
    # The position of the highest bit that is set, counted from bit 7: frexp gives it exactly.
    exponent = np.frexp(magnitude.astype(np.float64))[1] - 8
    mantissa = (magnitude >> (exponent + 3)) & 0x0F
    code = np.where(wide < 0, 0x80, 0) | (exponent << 4) | mantissa
    return (~code & 0xFF).astype(np.uint8).tobytes()
