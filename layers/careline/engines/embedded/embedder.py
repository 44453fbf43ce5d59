"""multilingual-e5-small on onnxruntime: no torch, no download, two or three milliseconds a question.

Every processor computes the same numbers (`byte_products`).
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from careline.engines.embedded.e5 import graph as e5_graph
from careline.engines.embedded.e5 import weights
from careline.engines.embedded.e5.model import E5Model, session
from careline.ports import Matrix, Vector
from careline.text.spelling.apostrophes import with_plain_apostrophes

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

SENTENCE_EMBEDDING = 384 * len(e5_graph.POOLED_LAYERS)
"""Dimensions of a sentence embedding."""
TOGETHER = 64
"""Texts of one piece of work, which nobody can stop: a second or two, so that a process that is asked to end ends."""
ASKED = "query: "
"""What stands before a text that is no passage. Its apostrophes are plain: the screens learned no others."""
WINDOW = 512
"""Positions the model has; longer texts are averaged over windows."""


class E5Embedder:
    """The embedder port. Runs on threads of its own, so that the event loop stays free."""

    dimensions = 384
    sentence_dimensions = SENTENCE_EMBEDDING
    is_external = False

    def __init__(self, threads: int = 2, shared: E5Model | None = None) -> None:
        self._shared = shared or E5Model()
        self._ready = threading.Lock()
        self._model: Sequence[InferenceSession] = ()
        self._pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="embed")
        self._runs = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="embed-run")
        self._waiting: list[tuple[list[str], asyncio.Future[Matrix]]] = []
        self._batching: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """See `ports.Embedder.name`."""
        return "multilingual-e5-small"

    async def embed_query(self, text: str) -> Vector:
        """See `ports.Embedder.embed_query`."""
        rows = await asyncio.get_running_loop().run_in_executor(self._pool, self.embed, ASKED, [text])
        return np.asarray(rows[0], dtype=np.float32)

    async def sentence_embeddings(self, texts: Sequence[str]) -> Matrix:
        """See `ports.SentenceEmbedder.sentence_embeddings`."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self.sentence_embedding, texts)

    async def read(self, text: str) -> tuple[Vector, Vector]:
        """See `ports.SentenceEmbedder.read`."""
        work = partial(self._whole, ASKED, [text])
        sentence_embeddings, vectors = await asyncio.get_running_loop().run_in_executor(self._pool, work)
        return sentence_embeddings[0], vectors[0]

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """See `ports.Embedder.embed_passages`. Calls that wait at once are computed together."""
        if len(texts) == 0:
            return np.zeros((0, self.dimensions), np.float32)
        future: asyncio.Future[Matrix] = asyncio.get_running_loop().create_future()
        self._waiting.append((list(texts), future))
        if self._batching is None or self._batching.done():
            self._batching = asyncio.create_task(self._work_off())
        return await future

    async def _work_off(self) -> None:
        while self._waiting:
            # Who waits no longer gets nothing: its texts would only hold up the others.
            taken, self._waiting = [one for one in self._waiting if not one[1].done()], []
            texts = [text for some, _ in taken for text in some]
            work = asyncio.ensure_future(self._pieces(texts))
            await asyncio.wait([work])
            # Whatever went wrong, everybody who waits for this batch is told.
            if error := work.exception():
                for _, future in taken:
                    if not future.done():
                        future.set_exception(error)
                continue
            rows, start = work.result(), 0
            for some, future in taken:
                if not future.done():
                    future.set_result(rows[start : start + len(some)])
                start += len(some)

    async def _pieces(self, texts: Sequence[str]) -> Matrix:
        loop, rows = asyncio.get_running_loop(), [np.zeros((0, self.dimensions), np.float32)]
        for start in range(0, len(texts), TOGETHER):
            piece = texts[start : start + TOGETHER]
            rows.append(await loop.run_in_executor(self._pool, self.embed, "passage: ", piece))
        return np.concatenate(rows)

    def count_tokens(self, text: str) -> int:
        """How many tokens the model sees in a text."""
        self._shared.load()
        with self._shared.tokenising:
            return self._shared.tokeniser.count(text)

    def embed(self, prefix: str, texts: Sequence[str]) -> Matrix:
        """Vectors of shape (texts, 384)."""
        return self._whole(prefix, texts)[1]

    def sentence_embedding(self, texts: Sequence[str]) -> Matrix:
        """What the screens look at, shape (texts, `SENTENCE_EMBEDDING`); two thirds of the time of `embed`."""
        return self._vectors(ASKED, texts, whole=False)

    def _whole(self, prefix: str, texts: Sequence[str]) -> tuple[Matrix, Matrix]:
        both = self._vectors(prefix, texts, whole=True)
        return both[:, :SENTENCE_EMBEDDING], np.ascontiguousarray(both[:, SENTENCE_EMBEDDING:])

    def _vectors(self, prefix: str, texts: Sequence[str], *, whole: bool) -> Matrix:
        """Sentence embeddings, and behind each of them the vector where the `whole` model is asked.

        Every window is a run of its own, on one thread. Two threads within a run wait for each other; and a run of
        several texts rounds them all to one scale, so that a vector would depend on its neighbours, for a seventh of
        the time or, with passages, for nothing.
        """
        model = self.load(whole=whole)
        texts = [with_plain_apostrophes(text) for text in texts] if prefix == ASKED else texts
        with self._shared.tokenising:
            tokeniser = self._shared.tokeniser
            windows = [(n, w) for n, text in enumerate(texts) for w in tokeniser.windows(prefix, text.strip(), WINDOW)]
        run = partial(self._run, model)
        inputs = [tokens for _, tokens in windows]
        found = map(run, inputs) if len(inputs) < 2 else self._runs.map(run, inputs)
        # Parts of 384, each of length 1.
        parts = SENTENCE_EMBEDDING // self.dimensions + whole
        out = np.zeros((len(texts), parts, self.dimensions), np.float32)
        for (n, tokens), vectors in zip(windows, found, strict=True):
            out[n] += vectors * len(tokens)
        lengths = np.linalg.norm(out, axis=-1, keepdims=True)
        return np.asarray(out / np.where(lengths > 0, lengths, 1), np.float32).reshape(
            len(texts), parts * self.dimensions
        )

    def load(self, *, whole: bool) -> Sequence[InferenceSession]:
        """The lower model; where the `whole` is asked for, the upper as well: who never searches starts sooner."""
        if len(self._model) < 1 + whole:
            with self._ready:
                if not self._model:
                    self._shared.load()
                    self._model = [self._start(e5_graph.lower)]
                if len(self._model) < 1 + whole:
                    self._model = [*self._model, self._start(e5_graph.upper)]
        return self._model[: 1 + whole]

    def _start(self, part: Callable[[weights.Weights, e5_graph.Variant], bytes]) -> InferenceSession:
        return session(part(self._shared.weights, self._shared.sign))

    def _run(self, model: Sequence[InferenceSession], tokens: list[int]) -> Matrix:
        """The parts of a window's sentence embedding and, where the upper model is asked too, its vector; shape (parts,
        384)."""
        words = self._shared.word_embeddings(tokens)
        mask = np.ones((1, len(tokens)), np.int32)
        hidden, parts = model[0].run(
            ["hidden", "sentence_embedding"], {"word_embeddings": words, "attention_mask": mask}
        )
        for upper in model[1:]:
            (vector,) = upper.run(None, {"hidden": hidden, "attention_mask": mask})
            parts = np.concatenate([parts, vector], axis=1)
        return np.asarray(parts, np.float32).reshape(-1, self.dimensions)
