"""Trains the reader: `python -m training.train_reader`, then `python -m training.build_manifest`.

Starts from the embedder's own upper layers and learns from `training/reader_pages` alone; a tenth of the pages, whole
families of them, is kept apart and judged every hundred steps.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax

from careline.engines.embedded.e5 import reader_weights
from careline.engines.embedded.e5 import weights as e5_weights
from careline.engines.embedded.e5.reader_input import reader_tokens
from careline.engines.embedded.e5.tokens import Tokeniser
from careline.engines.embedded.embedder import E5Embedder
from training.reader.groups import Group, drawn, groups_of
from training.reader.network import MATRICES, NORMS, Lower, Parameters, initial, loss, resumed, score
from training.reader.pages import Piece, read_pages

GROUP = 4
"""Texts to a question in a step, of which one answers or none."""
BATCH = 8
"""Questions in a step."""
LENGTHS = (40, 56, 72, 88, 104, 128)
"""Tokens a step's texts are filled up to; each length is compiled once."""
SORTED = BATCH * 16
"""Questions of which batches are made."""
RATE = 1e-4
Drawing = tuple[str, list[Piece], list[float]]
"""A question, the texts that are read with it, and 1.0 for each that answers."""
JUDGED_EVERY = 100


def main() -> None:
    """Train and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1250)
    parser.add_argument("--resume", type=Path, help="weights of an earlier training to go on from")
    parser.add_argument("--to", type=Path, default=reader_weights.bundled())
    arguments = parser.parse_args()
    pages = read_pages()
    groups = groups_of(pages, E5Embedder())
    families = sorted({page.family for page in pages})
    apart = set(random.Random(1).sample(families, len(families) // 10))  # noqa: S311
    judged = {page.number for page in pages if page.family in apart}
    held = [one for one in groups if (one.right + one.own)[0].page in judged]
    rest = [one for one in groups if (one.right + one.own)[0].page not in judged]
    print(f"{len(pages)} pages, {len(rest)} groups to learn from, {len(held)} apart", flush=True)  # noqa: T201
    Trainer(rest, held, arguments.steps, arguments.resume).run(arguments.to)


class Trainer:
    """The steps of one training."""

    def __init__(self, groups: list[Group], held: list[Group], steps: int, resume: Path | None = None) -> None:
        self._groups, self._held, self._steps = groups, held, steps
        self._resume = resume
        self._weights = e5_weights.Weights(e5_weights.bundled())
        self._tokeniser = Tokeniser(self._weights)
        self._lower = Lower(self._weights)
        self._rng = random.Random(0 if resume is None else 3)  # noqa: S311  # a fixed seed, so that training can be repeated
        rate = optax.warmup_cosine_decay_schedule(0, RATE, min(80, steps // 10), steps, RATE / 20)
        self._optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(rate, weight_decay=0.01))
        self._step = jax.jit(self._stepped)
        self._score = jax.jit(partial(score, heads=self._weights.heads))

    def run(self, path: Path) -> None:
        """Take the steps and keep the weights."""
        kept = None if self._resume is None else reader_weights.ReaderWeights(self._resume)
        parameters = initial(self._weights) if kept is None else resumed(self._weights, kept)
        state = self._optimiser.init(parameters)
        began, average = time.monotonic(), 0.0
        batches = self._drawn_batches()
        for n in range(self._steps):
            hidden, mask, labels = self._batch(next(batches))
            parameters, state, value = self._step(parameters, state, hidden, mask, labels)
            average = float(value) if not n else 0.97 * average + 0.03 * float(value)
            if (n + 1) % JUDGED_EVERY == 0:
                spent = time.monotonic() - began
                print(  # noqa: T201
                    f"{n + 1} of {self._steps}, loss {average:.4f}, {spent:.0f} s, {self.judged(parameters)}",
                    flush=True,
                )
                save(parameters, path.with_suffix(".part.npz"))
        save(parameters, path)

    def _drawn_batches(self) -> Iterator[list[Drawing]]:
        """Batches without end. Questions with texts of about one length come together, or most of a step is padding."""
        while True:
            self._rng.shuffle(self._groups)
            for start in range(0, len(self._groups) - SORTED + 1, SORTED):
                some = [drawn(one, GROUP, self._rng) for one in self._groups[start : start + SORTED]]
                some.sort(key=lambda one: max(len(piece.context) + len(piece.text) for piece in one[1]) + len(one[0]))
                batches = [some[at : at + BATCH] for at in range(0, SORTED, BATCH)]
                self._rng.shuffle(batches)
                yield from batches

    def judged(self, parameters: Parameters) -> str:
        """On the pages kept apart: how often the text that answers comes first, and how well answers are known."""
        rng = random.Random(2)  # noqa: S311
        first: list[float] = []
        right: list[float] = []
        wrong: list[float] = []
        sample = rng.sample(self._held, min(160, len(self._held)))
        for start in range(0, len(sample) - BATCH + 1, BATCH):
            hidden, mask, labels = self._batch([drawn(one, GROUP, rng) for one in sample[start : start + BATCH]])
            logits = np.asarray(self._score(parameters, hidden, mask)).reshape(-1, GROUP)
            for row, has in zip(logits, np.asarray(labels).reshape(-1, GROUP).sum(1), strict=True):
                (right if has else wrong).append(float(row.max()))
                first += [float(row.argmax() == 0)] if has else []
        area = float(np.mean([(a > b) + 0.5 * (a == b) for a in right for b in wrong])) if right and wrong else 0.0
        return f"right one first {np.mean(first):.3f}, answered against not {area:.3f}"

    def _batch(self, drawings: Sequence[Drawing]) -> tuple[jax.Array, jax.Array, jax.Array]:
        rows = [
            reader_tokens(self._tokeniser, self._weights, question, piece.context, piece.text)
            for question, pieces, _ in drawings
            for piece in pieces
        ]
        longest = max(map(len, rows))
        length = next(one for one in LENGTHS if longest <= one)
        tokens = np.full((len(rows), length), self._weights.padding, np.int64)
        mask = np.zeros((len(rows), length), np.float32)
        for n, row in enumerate(rows):
            tokens[n, : len(row)], mask[n, : len(row)] = row, 1
        labels = jnp.asarray([label for _, _, some in drawings for label in some])
        return self._lower(tokens, jnp.asarray(mask)), jnp.asarray(mask), labels

    def _stepped(self, parameters: Parameters, state: optax.OptState, hidden, mask, labels):  # type: ignore[no-untyped-def]
        value, slope = jax.value_and_grad(loss)(parameters, hidden, mask, labels, self._weights.heads, GROUP)
        updates, state = self._optimiser.update(slope, state, parameters)
        return optax.apply_updates(parameters, updates), state, value


def save(parameters: Parameters, path: Path) -> None:
    """Write the weights as `ReaderWeights` reads them."""
    tensors: dict[str, np.ndarray] = {name: np.asarray(parameters[name], np.float32) for name in ("score.w", "score.b")}
    for number, layer in enumerate(parameters["layers"], reader_weights.FROZEN):
        for name in MATRICES:
            key = f"l{number}.{name}"
            tensors[f"{key}.w"], tensors[f"{key}.w.scale"] = reader_weights.packed(np.asarray(layer[f"{name}.w"]))
            tensors[f"{key}.b"] = np.asarray(layer[f"{name}.b"], np.float32)
        for name in NORMS:
            for part in ("w", "b"):
                tensors[f"l{number}.{name}.{part}"] = np.asarray(layer[f"{name}.{part}"], np.float32)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, **tensors)  # type: ignore[arg-type] # its stub takes the names for its own parameters


if __name__ == "__main__":
    main()
