"""Packs the vectors of a passage's windows into 8 bits a number, and tells how near a question comes to each."""

from __future__ import annotations

import numpy as np

from careline.ports import Matrix, Vector


def packed(rows: Matrix) -> bytes:
    """Rows of unit length, a byte a number. Each row has a scale of its own, which its length gives back."""
    most = np.abs(rows).max(axis=-1, keepdims=True, initial=1e-9)
    return bytes(np.rint(rows / most * 127).astype(np.int8).tobytes())


def cosines(windows: bytes, vector: Vector) -> tuple[float, ...]:
    """The cosine of a unit vector and each packed row, right to about 0.003; none when the bytes are no rows of its
    length, as another embedding model makes them."""
    if not windows or len(windows) % len(vector):
        return ()
    rows = np.frombuffer(windows, np.int8).reshape(-1, len(vector)).astype(np.float32)
    lengths = np.maximum(np.linalg.norm(rows, axis=1), 1e-9)
    return tuple((rows @ vector / lengths).tolist())
