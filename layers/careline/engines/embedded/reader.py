"""The reader on onnxruntime: a cross-encoder whose lower layers are the embedder's own."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from careline.engines.embedded.e5 import graph as e5_graph
from careline.engines.embedded.e5 import reader_weights
from careline.engines.embedded.e5.model import E5Model, session
from careline.engines.embedded.e5.reader_input import reader_tokens
from careline.errors import ReaderUnavailable
from careline.ports import ReaderText, ReadingPace

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


TYPICAL_TOKENS = 122
"""Of the window whose reading is measured: a question and a long window."""
MEASURED = 3
"""How often it is read; the fastest counts."""


class E5Reader:
    """The reader port. Runs on threads of its own, a text on one thread.

    `budget_ms` is the time for the windows of one question, 0 for no limit; `window_ms` what one of them takes on all
    threads together, measured once when it is not given.
    """

    def __init__(
        self,
        shared: E5Model,
        weights: Path | None = None,
        threads: int = 2,
        *,
        budget_ms: float = 0.0,
        window_ms: float | None = None,
    ) -> None:
        self._shared = shared
        self._file = weights or reader_weights.bundled()
        self._ready = threading.Lock()
        self._session: InferenceSession | None = None
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="read")
        self._runs = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="read-run")
        self._at_once = min(threads, os.cpu_count() or 1)
        self._budget_ms = budget_ms
        self._window_ms = window_ms

    async def pace(self) -> ReadingPace:
        """See `ports.Reader.pace`."""
        if self._budget_ms and self._window_ms is None:
            self._window_ms = await asyncio.get_running_loop().run_in_executor(self._pool, self._measured)
        return ReadingPace(self._window_ms or 0.0, self._budget_ms)

    def _measured(self) -> float:
        """Milliseconds of the processor, not of a clock: who else is busy while a server starts is not for ever."""
        running, tokens, taken = self.load(), [self._shared.weights.begin] * TYPICAL_TOKENS, []
        for _ in range(MEASURED):
            began = time.thread_time()
            self._run(running, tokens)
            taken.append(time.thread_time() - began)
        return 1000 * min(taken) / self._at_once

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
                trained = reader_weights.ReaderWeights(self._file)
                self._session = session(e5_graph.reader(self._shared.weights, trained, self._shared.sign))
            return self._session
