"""Makes of the examples that a pack brings itself what tells its labels: embeds them and the shipped ones, and fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from careline.engines.embedded.embedder import ASKED, E5Embedder
from careline.packs.intent_examples import COMPILED, IntentExample, shipped_examples
from careline.packs.packs import intent_examples_of
from careline.ports import Matrix
from careline.understanding.intents.own_head import FittedLabel, fit

Tracked = Callable[[Iterable[IntentExample]], Iterable[IntentExample]]
"""Goes through examples and shows how far it is."""


def compile_intents(folder: Path, tracked: Tracked = iter) -> tuple[Path, list[FittedLabel]] | None:
    """The file beside pack.yaml, written, and how well each label is told; None for a pack without examples of its own,
    whose older file goes.

    Takes half a minute: thousands of shipped examples are embedded one by one, as a turn embeds. Raises: PackInvalid.
    """
    own, name = intent_examples_of(folder)
    target = folder / COMPILED
    if not own or name is None:
        target.unlink(missing_ok=True)
        return None
    shipped = shipped_examples(name)
    rows = _embedded(tracked([*own, *shipped]))
    return target, fit(own, rows[: len(own)], shipped, rows[len(own) :], target)


def _embedded(examples: Iterable[IntentExample]) -> Matrix:
    embedder = E5Embedder()
    return np.concatenate([embedder.embed(ASKED, [one.text]) for one in examples])
