"""Fits what stands behind the screens: a linear model of words, and beside it small networks of sentence embeddings.

The words know what was said, misspelt and all; the sentence embedding, that two words mean the same. A network sees
what no sum can, that two things mean danger only together.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from careline.ports import Matrix
from careline.safety.classifiers.classifier import BUCKETS, features
from careline.safety.rules.plain_text import Plain

FOLDS = 3
STRENGTH = 30.0
"""Inverse regularisation of the regression."""
NETWORKS, UNITS, ROUNDS, RESTRAINT = 2, 256, 15, 0.1
"""How many networks, their hidden units, how often they see every line, and the weight of their regularisation."""
SAY = 0.4
"""What the networks together weigh beside the words, as a share of the logarithms of what both think likely."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A model as `careline.safety.classifiers.classifier` computes it: sums for each class, of which the exponentials
    are the shares.

    `words` has shape (classes, BUCKETS), `middle`, which is taken from a sentence embedding, (dimensions), `hidden`
    (dimensions, units), `out` (units, classes); a model of words alone has no dimensions and no units.
    """

    words: npt.NDArray[np.float64]
    bias: npt.NDArray[np.float64]
    middle: npt.NDArray[np.float64]
    hidden: npt.NDArray[np.float64]
    hidden_bias: npt.NDArray[np.float64]
    out: npt.NDArray[np.float64]

    def shares(self, rows: Any, sentence_embeddings: Matrix) -> npt.NDArray[np.float64]:
        """How likely each line is of each class, shape (lines, classes). `rows` as `bags` makes them."""
        units = np.maximum((sentence_embeddings - self.middle) @ self.hidden + self.hidden_bias, 0)
        sums = rows @ self.words.T + self.bias + units @ self.out
        shares = np.exp(sums - sums.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def bags(texts: Sequence[Plain]) -> Any:
    """One sparse row per text: its features, of length 1 together as at run time."""
    from scipy.sparse import csr_matrix

    places: list[int] = []
    starts = [0]
    values: list[npt.NDArray[np.float32]] = []
    for text in texts:
        found = features(text.split())
        places.extend(found)
        starts.append(len(places))
        values.append(np.full(len(found), 1 / np.sqrt(max(1, len(found))), np.float32))
    return csr_matrix((np.concatenate([*values, []]), places, starts), (len(texts), BUCKETS), np.float32)


def embedded(texts: Sequence[str]) -> Matrix:
    """The sentence embedding of every text, as `ports.SentenceEmbedder` gives it."""
    from careline.engines.embedded.embedder import E5Embedder

    return E5Embedder().sentence_embedding(texts)


@dataclass(frozen=True, slots=True)
class Lines:
    """What models are fitted to: a row, a sentence embedding, the class and the origin of each line.

    `parts` has a row for each clause of those lines that have several, `whole` the number of the line it is of.
    """

    rows: Any
    sentence_embeddings: Matrix
    labels: npt.NDArray[np.int64]
    origins: npt.NDArray[np.int64]
    parts: Any
    whole: npt.NDArray[np.int64]

    def some(self, chosen: npt.NDArray[np.int64]) -> Lines:
        """The lines of these numbers, which must rise."""
        held = np.isin(self.whole, chosen)
        whole = np.searchsorted(chosen, self.whole[held])
        return Lines(
            self.rows[chosen],
            self.sentence_embeddings[chosen],
            self.labels[chosen],
            self.origins[chosen],
            self.parts[held],
            whole,
        )


def fit(lines: Lines) -> tuple[Fitted, Fitted]:
    """The model of these lines' words alone, and the one of their words and sentence embeddings, which the first has a
    part in."""
    words, networks = _linear(lines.rows, lines.labels), _networks(lines.sentence_embeddings, lines.labels)
    together = replace(
        networks,
        words=(1 - SAY) * words.words,
        bias=(1 - SAY) * words.bias + SAY * networks.bias,
        out=SAY * networks.out,
    )
    return words, together


def unseen(lines: Lines, groups: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """How likely each line is of each group, shape (lines, groups), by models that had not seen its origin.

    First by words alone, then with sentence embeddings. `groups` is that of each class. Group 1 is as likely as the
    whole or one of its clauses says, as `careline.safety.classifiers.classifier` has it.
    """
    from joblib import Parallel, delayed  # type: ignore[import-untyped]
    from sklearn.model_selection import GroupKFold

    folds = list(GroupKFold(FOLDS).split(lines.labels, groups=lines.origins))
    found = Parallel(n_jobs=2)(
        delayed(_asked)(lines.some(taught), lines.some(asked), groups) for taught, asked in folds
    )
    judged = np.zeros((2, len(lines.labels), groups.max() + 1))
    for (_, asked), both in zip(folds, found, strict=True):
        judged[:, asked] = both
    return judged[0], judged[1]


def _asked(taught: Lines, asked: Lines, groups: npt.NDArray[np.int64]) -> list[npt.NDArray[np.float64]]:
    alone, together = fit(taught)
    parts = alone.shares(asked.parts, np.zeros((len(asked.whole), 0), np.float32))
    parts_of = np.bincount(asked.whole, minlength=len(asked.labels))
    judged = []
    for model, sentence_embeddings in (
        (alone, asked.sentence_embeddings[:, :0]),
        (together, asked.sentence_embeddings),
    ):
        whole = model.shares(asked.rows, sentence_embeddings)
        of_group = np.stack([whole[:, groups == each].sum(axis=1) for each in range(groups.max() + 1)], axis=1)
        mean = np.sqrt(whole[asked.whole] * parts)
        inside, outside = (mean[:, of].sum(axis=1) for of in (groups == 1, groups != 1))
        np.maximum.at(of_group[:, 1], asked.whole, inside / (inside + outside * parts_of[asked.whole]))
        judged.append(of_group)
    return judged


def _linear(rows: Any, labels: npt.NDArray[np.int64]) -> Fitted:
    """The linear model of words."""
    from sklearn.linear_model import LogisticRegression

    linear = LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=1000, tol=1e-4).fit(rows, labels)
    weights, bias = _of_each_class(linear.coef_.T, linear.intercept_)
    none = np.zeros(0)
    return Fitted(weights.T, bias, none, np.zeros((0, 0)), none, np.zeros((0, len(bias))))


def _networks(sentence_embeddings: Matrix, labels: npt.NDArray[np.int64]) -> Fitted:
    """Networks of one hidden layer that differ in where they began, side by side as one: the mean of what they say."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier

    middle, spread = (
        sentence_embeddings.mean(axis=0, dtype=np.float64),
        sentence_embeddings.std(axis=0, dtype=np.float64),
    )
    spread_out = ((sentence_embeddings - middle) / spread).astype(np.float32)
    parts = []
    for seed in range(NETWORKS):
        network = MLPClassifier((UNITS,), alpha=RESTRAINT, batch_size=256, max_iter=ROUNDS, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # The rounds are fewer than it would take.
            network.fit(spread_out, labels)
        (into, outof), (into_bias, outof_bias) = network.coefs_, network.intercepts_
        parts.append((into / spread[:, None], into_bias, *_of_each_class(outof, outof_bias)))
    hidden, hidden_bias, out, out_bias = zip(*parts, strict=True)
    words = np.zeros((out[0].shape[1], BUCKETS))
    bias = np.mean(out_bias, axis=0)
    return Fitted(words, bias, middle, np.hstack(hidden), np.hstack(hidden_bias), np.vstack(out) / NETWORKS)


def _of_each_class(
    weights: npt.NDArray[np.float64], bias: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Weights with a column for each class; two classes are fitted with one column, for the second."""
    if weights.shape[1] > 1:
        return weights, bias
    return np.hstack([-weights, weights]) / 2, np.concatenate([-bias, bias]) / 2
