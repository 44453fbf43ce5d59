"""The reader on onnxruntime: a cross-encoder whose lower layers are the embedder's own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from careline.engines.embedded import e5_graph, reader_weights
from careline.engines.embedded.e5_model import E5Model, multiplies_bytes_exactly, session
from careline.engines.embedded.reader_input import reader_tokens
from careline.errors import ReaderUnavailable
from careline.ports import ReaderText

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


class E5Reader:
    """The reader port. Runs on threads of its own, a text on one thread."""

    def __init__(self, shared: E5Model, weights: Path | None = None, threads: int = 2) -> None:
        self._shared = shared
        self._file = weights or reader_weights.bundled()
        self._ready = threading.Lock()
        self._session: InferenceSession | None = None
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="read")
        self._runs = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="read-run")

    async def relevance(self, question: str, texts: Sequence[ReaderText]) -> Sequence[float]:
        """See `ports.Reader.relevance`."""
        if not texts:
            return []
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._relevance, question, texts)

    def _relevance(self, question: str, texts: Sequence[ReaderText]) -> list[float]:
        running = self.load()
        with self._shared.tokenising:
            tokens = [
                reader_tokens(self._shared.tokeniser, self._shared.weights, question, one.context, one.text)
                for one in texts
            ]
        return list(self._runs.map(partial(self._run, running), tokens))

    def _run(self, running: InferenceSession, tokens: list[int]) -> float:
        given = {
            "word_embeddings": self._shared.word_embeddings(tokens),
            "attention_mask": np.ones((1, len(tokens)), np.int32),
        }
        (relevance,) = running.run(None, given)
        return float(np.asarray(relevance)[0, 0])

    def load(self) -> InferenceSession:
        """The model, read when first asked for. Raises: ReaderUnavailable where its weights are not installed."""
        with self._ready:
            if self._session is None:
                if not self._file.is_file():
                    raise ReaderUnavailable("the reader's weights are not installed; see docs/artefacts.md")
                self._shared.load()
                variant: e5_graph.Variant = "int8" if multiplies_bytes_exactly() else "nibbles"
                trained = reader_weights.ReaderWeights(self._file)
                self._session = session(e5_graph.reader(self._shared.weights, trained, variant))
            return self._session
