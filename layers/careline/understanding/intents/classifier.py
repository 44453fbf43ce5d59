"""Tells the intent of a question from its embedding: how near it is to examples of packs, weighed once for every label.

Beside the shares of the labels the file holds, for every label and language, the words that its examples use: a
question with a word that none of them has, and that names nothing of the directory, asks something else besides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import careline_artefacts
from careline.errors import PackInvalid
from careline.ports import Vector

FOLDER = careline_artefacts.FOLDER / "intents"
"""One file to a pack whose examples it was fitted to; `python -m training.train_intents` makes them."""
OTHER = "general"
COMMON = 0.75
"""Share of the labels whose examples use a word that names nothing: "plus", "si", "all". Those that half of them use
are "urgences" and "opereren" too; the labelled directories (`tests/evaluation/directories`) are answered alike from
0.04 to 0.8, and one worse without any."""


@dataclass(frozen=True, slots=True)
class Label:
    """An intent that a question may have, and how likely it is, 0 to 1."""

    intent: str
    sub_intent: str
    share: float

    @property
    def name(self) -> str:
        """Intent and sub-intent as one name."""
        return f"{self.intent}/{self.sub_intent}" if self.sub_intent else self.intent


@dataclass(frozen=True, slots=True)
class _Held:
    labels: tuple[str, ...]
    middle: npt.NDArray[np.float32]
    scale: npt.NDArray[np.float32]
    examples: npt.NDArray[np.float32]
    squares: npt.NDArray[np.float32]
    """Of the examples' lengths."""
    weights: npt.NDArray[np.float32]
    bias: npt.NDArray[np.float32]
    words: Mapping[tuple[str, str], frozenset[str]]
    trained_on: str


class IntentClassifier:
    """The intents of a pack. Safe to use from several threads at once."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def load(self) -> None:
        """Read the file, if it has not been read. Raises: PackInvalid."""
        _ = self._model

    def labels(self, vector: Vector, among: Collection[str]) -> list[Label]:
        """The labels of a question, the likeliest first, by its search vector (multilingual-e5-small).

        Shares are those among the given labels and sum to 1; none for a vector of another model. Raises: PackInvalid
        when the file cannot be read.
        """
        held = self._model
        if len(vector) != len(held.middle) or not among:
            return []
        seen = ((vector - held.middle) * held.scale).astype(np.float32)
        # One by one: the threads that a product of matrices is given wait for one another while the embedder works.
        nearness = np.exp(2 * np.vecdot(held.examples, seen) - held.squares - np.vecdot(seen, seen))
        sums = np.vecdot(held.weights, nearness) + held.bias
        own = [n for n, label in enumerate(held.labels) if label in among]
        if not own:
            return []
        shares = np.exp(sums[own] - sums[own].max())
        shares /= shares.sum()
        order = np.argsort(-shares)
        return [_label(held.labels[own[n]], float(shares[n])) for n in order]

    def words(self, label: str, language: str) -> frozenset[str]:
        """The stems of words that examples of a label use in a language; those of all labels for an empty one."""
        return self._model.words.get((label, language), frozenset())

    def common_words(self, language: str) -> frozenset[str]:
        """The stems of words that examples of nearly every label use in a language."""
        return self._common.get(language, frozenset())

    @cached_property
    def _common(self) -> Mapping[str, frozenset[str]]:
        least = COMMON * len(self._model.labels)
        counts: dict[str, Counter[str]] = {}
        for (label, language), stems in self._model.words.items():
            if label:
                counts.setdefault(language, Counter()).update(stems)
        return {code: frozenset(stem for stem, n in each.items() if n >= least) for code, each in counts.items()}

    @property
    def trained_on(self) -> str:
        """Digest of the examples that the model was fitted to."""
        return self._model.trained_on

    @cached_property
    def _model(self) -> _Held:
        try:
            with np.load(self._file, allow_pickle=False) as file:
                return _held(file)
        except (OSError, KeyError, ValueError):
            name = "/".join(self._file.parts[-2:])
            raise PackInvalid(f"{name} cannot be read; python -m training.train_intents makes it") from None


def _held(file: Any) -> _Held:
    words: dict[tuple[str, str], frozenset[str]] = {}
    for name in file["words"].tolist():
        label, language, listed = str(name).split("\t")
        words[label, language] = frozenset(listed.split())
    examples = whole(file["examples"], file["examples_scale"])
    return _Held(
        tuple(map(str, file["labels"])),
        file["middle"],
        file["scale"],
        examples,
        np.vecdot(examples, examples),
        np.ascontiguousarray(file["weights"], np.float32),
        file["bias"],
        words,
        str(file["trained_on"]),
    )


def whole(rows: npt.NDArray[np.int8], scale: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Rows that are kept in eight bits as the numbers they stand for; `scale` is that of each row."""
    return np.ascontiguousarray(rows.astype(np.float32) * scale[:, None])


def _label(name: str, share: float) -> Label:
    intent, _, sub_intent = name.partition("/")
    return Label(intent, sub_intent, share)


@cache
def intent_classifier(name: str) -> IntentClassifier:
    """The classifier that is shipped for the examples of a pack."""
    return IntentClassifier(FOLDER / f"{name}.npz")


def likeliest(labels: Sequence[Label]) -> Label:
    """The first label; of none, that nobody knows."""
    return labels[0] if labels else Label(OTHER, "", 1.0)
