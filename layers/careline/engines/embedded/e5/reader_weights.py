"""The weights of the reader: the upper layers that were trained and the score; the layers below are the embedder's."""

from __future__ import annotations

from functools import cached_property
from importlib.resources import files
from pathlib import Path

import numpy as np
import numpy.typing as npt

from careline.engines.embedded.e5.weights import Floats

FROZEN = 6
"""Layers that the reader shares with the embedder."""
SCORE_SCALE = 4.0
"""What the score's weights are multiplied with, so that they learn at the pace of the layers."""


def bundled() -> Path:
    """Where the trained weights lie; the file may be missing, and then there is no reader."""
    return Path(str(files("careline_artefacts") / "reader" / "reader.npz"))


class ReaderWeights:
    """Tensors by name. Matrices are kept in 8 bits with one scale for each output, as the graph multiplies them."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _tensors(self) -> dict[str, npt.NDArray[np.generic]]:
        with np.load(self._path, allow_pickle=False) as kept:
            return {name: kept[name] for name in kept.files}

    def floats(self, name: str) -> Floats:
        """A float32 tensor, flat."""
        return np.asarray(self._tensors[name], np.float32).reshape(-1)

    def unpacked(self, name: str, inputs: int) -> Floats:
        """A matrix as float32 of shape (outputs, inputs)."""
        scale = np.asarray(self._tensors[f"{name}.scale"], np.float32)
        return np.asarray(self._tensors[name], np.float32).reshape(-1, inputs) * scale[:, None]


def packed(matrix: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """A matrix of shape (outputs, inputs) in 8 bits, and the scale of each output."""
    scale = np.maximum(np.abs(matrix).max(1), 1e-8) / 127
    return np.rint(matrix / scale[:, None]).astype(np.int8), scale.astype(np.float32)
