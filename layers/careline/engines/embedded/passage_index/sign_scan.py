"""A first look at very many vectors: which lie on the same side of the corpus's mean as the question, number by number.

Of each vector one bit a dimension is kept, 48 bytes of 384 numbers, so that a million are looked at in milliseconds;
those that agree most with the question are then compared exactly. Decision 0033 has what that misses.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from careline.ports import Matrix, Vector

WORD = 64
BLOCK = 1 << 16
"""Rows at a time, whose working space stays in the processor's cache."""
Rows = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class SignScan:
    """Signs of the first `rows` vectors of a matrix, as one array of 64 dimensions after another."""

    centre: Vector
    planes: npt.NDArray[np.uint64]
    """Shape (dimensions / 64, rows)."""

    @classmethod
    def of(cls, matrix: Matrix, centre: Vector) -> SignScan:
        """The signs of a matrix about a centre."""
        return cls(centre, _planes(matrix, centre))

    @property
    def rows(self) -> int:
        """How many vectors it knows."""
        return int(self.planes.shape[1])

    def with_more(self, matrix: Matrix) -> SignScan:
        """The same with the rows that a matrix has besides."""
        return SignScan(self.centre, np.concatenate([self.planes, _planes(matrix[self.rows :], self.centre)], axis=1))

    def differing(self, vector: Vector) -> npt.NDArray[np.uint16]:
        """For every row, the number of dimensions in which it lies on another side than the vector does."""
        asked = _packed(vector[np.newaxis], self.centre)[0]
        found = np.zeros(self.rows, np.uint16)
        other, counts = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint8)
        for start in range(0, self.rows, BLOCK):
            here = found[start : start + BLOCK]
            apart, count = other[: len(here)], counts[: len(here)]
            for plane, word in zip(self.planes, asked, strict=True):
                np.bitwise_xor(plane[start : start + BLOCK], word, out=apart)
                np.bitwise_count(apart, out=count)
                np.add(here, count, out=here)
        return found


def least(differing: npt.NDArray[np.uint16], rows: Rows, count: int) -> Rows:
    """At least `count` of these rows, those that differ least; all that differ as much as the last are among them."""
    if len(rows) <= count:
        return rows
    apart = differing[rows]
    most = int(np.searchsorted(np.cumsum(np.bincount(apart)), count))
    return rows[apart <= most]


def _planes(matrix: Matrix, centre: Vector) -> npt.NDArray[np.uint64]:
    """Each plane lies in one piece: read with gaps, all planes would pass through memory once for each of them."""
    parts = [_packed(matrix[start : start + BLOCK], centre) for start in range(0, len(matrix), BLOCK)]
    return np.ascontiguousarray(np.concatenate(parts or [_packed(matrix, centre)]).T)


def _packed(rows: Matrix, centre: Vector) -> npt.NDArray[np.uint64]:
    """Shape (rows, words); dimensions that fill up the last word are alike everywhere."""
    words = -(-rows.shape[1] // WORD)
    signs = np.zeros((len(rows), words * WORD), np.bool_)
    signs[:, : rows.shape[1]] = rows > centre
    return np.packbits(signs, axis=1).view(np.uint64)
