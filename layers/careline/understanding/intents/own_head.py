"""Fits what tells a pack's own labels, and reads it: for each label a logistic regression on the embedding, of its
examples against the shipped ones.

The shipped classifier stays as it is. What a label's logit says is its odds against everything that the shipped
classifier knows, so that both are joined into one list of shares (`careline.understanding.intents.pack_classifier`).
Fitted in numpy within seconds, when a pack is compiled; reading it takes one product of a small matrix.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from careline.errors import PackInvalid
from careline.packs.intent_examples import IntentExample, digest
from careline.ports import Vector
from careline.text.asked_words import named

PENALTY = 300.0
"""On the squares of the weights, of embeddings whose columns are standardised. The few examples of a label count
together as much as all that they stand against."""
SHARPNESS = 2.0
"""By which logits are multiplied, as the penalty keeps them small: else each label takes some of the share of questions
that are far from it. All three were chosen on two invented packs; a third one is measured (docs/measurements.md)."""
STEPS, CLOSE = 30, 1e-6
"""Steps of Newton's method at most, and the change of a weight at which it ends."""
LIMIT = 30.0
"""Logits are cut there: nobody is surer."""
Array: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FittedLabel:
    """One label of a pack's own: its examples, how many of them are told by the others alone (left out one by one), and
    how many of the shipped examples would go to it."""

    name: str
    examples: int
    found_again: int
    taken: int


@dataclass(frozen=True, slots=True)
class _Held:
    labels: tuple[str, ...]
    weights: npt.NDArray[np.float32]
    words: Mapping[tuple[str, str], frozenset[str]]


class OwnHead:
    """Tells a pack's own labels. Safe to use from several threads at once."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def load(self) -> None:
        """Read the file, if it has not been read. Raises: PackInvalid."""
        _ = self._held

    def odds(self, vector: Vector, among: Collection[str]) -> dict[str, float]:
        """The odds of each own label of those given against all that the shipped classifier knows; none for a vector of
        another model. Raises: PackInvalid when the file cannot be read."""
        held = self._held
        if len(vector) + 1 != held.weights.shape[1]:
            return {}
        logits = np.vecdot(held.weights[:, :-1], vector.astype(np.float32)) + held.weights[:, -1]
        odds = np.exp(np.clip(logits, -LIMIT, LIMIT))
        return {label: float(one) for label, one in zip(held.labels, odds, strict=True) if label in among}

    def words(self, label: str, language: str) -> frozenset[str]:
        """The stems of words that own examples of a label use in a language; those of all for an empty one."""
        return self._held.words.get((label, language), frozenset())

    @cached_property
    def _held(self) -> _Held:
        try:
            with self._file.open("rb") as content, np.load(content, allow_pickle=False) as file:
                return _Held(tuple(map(str, file["labels"])), file["weights"], _words_of(file["words"]))
        except (OSError, EOFError, KeyError, ValueError, BadZipFile):
            name = "/".join(self._file.parts[-2:])
            raise PackInvalid(f"{name} cannot be read; `careline pack compile` makes it") from None


def fit(
    own: Sequence[IntentExample],
    own_rows: npt.NDArray[np.float32],
    shipped: Sequence[IntentExample],
    shipped_rows: npt.NDArray[np.float32],
    file: Path,
) -> list[FittedLabel]:
    """Fit the labels of a pack's own examples and write `file`. Rows are search vectors, one an example.

    Shipped examples of the same label, or in the same words, stand against none of its own.
    """
    middle, scale = shipped_rows.mean(axis=0, dtype=np.float64), 1 / shipped_rows.std(axis=0, dtype=np.float64)
    mine, theirs = _standard(own_rows, middle, scale), _standard(shipped_rows, middle, scale)
    told = {(one.language, one.plain) for one in own}
    is_free = np.array([(one.language, one.plain) not in told for one in shipped])
    own_labels, their_labels = (np.array([one.label for one in of]) for of in (own, shipped))
    labels = sorted(set(own_labels.tolist()))
    weights, fitted = [], []
    for label in labels:
        is_own, against = own_labels == label, is_free & (their_labels != label)
        rows = np.concatenate([mine[is_own], mine[~is_own], theirs[against]])
        mass = np.full(len(rows), 1.0)
        mass[: is_own.sum()] = (len(rows) - is_own.sum()) / is_own.sum()
        weight, left_out = _logistic(rows, is_own.sum(), mass)
        weights.append(weight)
        taken = int((theirs[against] @ weight > 0).sum())
        fitted.append(FittedLabel(label, int(is_own.sum()), int((left_out > 0).sum()), taken))
    _write(file, labels, np.array(weights), middle, scale, own)
    return fitted


def _standard(rows: npt.NDArray[np.float32], middle: Array, scale: Array) -> Array:
    """Rows with columns of one scale, and a last one of ones for the intercept."""
    return np.column_stack([(rows - middle) * scale, np.ones(len(rows))])


def _logistic(rows: Array, positive: int, mass: Array) -> tuple[Array, Array]:
    """The weights of a penalised logistic regression whose first `positive` rows are the label's, by Newton's method,
    and the logits of these rows had each been left out (from its leverage: Rad and Maleki, 2018)."""
    wanted = np.zeros(len(rows))
    wanted[:positive] = 1.0
    penalty = np.full(rows.shape[1], PENALTY)
    penalty[-1] = CLOSE
    weight = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(-np.clip(rows @ weight, -LIMIT, LIMIT)))
        curve = (rows * (mass * share * (1 - share))[:, None]).T @ rows + np.diag(penalty)
        step = np.linalg.solve(curve, rows.T @ (mass * (share - wanted)) + penalty * weight)
        weight -= step
        if np.abs(step).max() < CLOSE:
            break
    own, own_mass, own_share = rows[:positive], mass[:positive], share[:positive]
    leverage = np.einsum("nd,dn->n", own, np.linalg.solve(curve, own.T))
    kept = 1 - np.minimum(own_mass * own_share * (1 - own_share) * leverage, 0.99)
    return weight, own @ weight + own_mass * (own_share - 1) * leverage / kept


def _write(
    file: Path, labels: Sequence[str], weights: Array, middle: Array, scale: Array, own: Sequence[IntentExample]
) -> None:
    """The weights as they are put to an embedding itself."""
    raw = SHARPNESS * weights[:, :-1] * scale
    whole = np.column_stack([raw, SHARPNESS * weights[:, -1] - raw @ middle]).astype(np.float32)
    np.savez_compressed(
        file, labels=np.array(labels), weights=whole, words=np.array(_words(own)), made_of=np.array(digest(own))
    )


def _words(own: Sequence[IntentExample]) -> list[str]:
    """By label and language the stems of words that its examples use; under an empty label those of all."""
    found: dict[tuple[str, str], set[str]] = {}
    for one in own:
        stems = {word.stem for word in named(one.text, one.language)}
        for label in (one.label, ""):
            found.setdefault((label, one.language), set()).update(stems)
    return [f"{label}\t{language}\t{' '.join(sorted(stems))}" for (label, language), stems in sorted(found.items())]


def _words_of(written: Any) -> dict[tuple[str, str], frozenset[str]]:
    parts = (str(line).split("\t") for line in written.tolist())
    return {(label, language): frozenset(stems.split()) for label, language, stems in parts}
