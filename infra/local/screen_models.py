"""Fits what stands behind the screens: a linear model of words and vectors, and beside it small networks of vectors.

A network sees what no sum can, that two things mean danger only together; it knows no words, so it has the smaller say.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from careline.ports import Matrix
from careline.safety.learned import BUCKETS, features
from careline.safety.plain_text import Plain

FOLDS = 3
STRENGTH = 30.0
"""Inverse regularisation of the regression."""
WEIGHT_OF_MEANING = 1.5
"""How much a vector counts beside the words, before the regression weighs both."""
NETWORKS, UNITS, ROUNDS, RESTRAINT = 2, 256, 15, 0.1
"""How many networks, their hidden units, how often they see every line, and the weight of their regularisation."""
SAY = 0.4
"""What the networks together weigh against the regression, as a share of the logarithms of what both think likely."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A model as `careline.safety.learned` computes it: sums for each class, of which the exponentials are the shares.

    `words` has shape (classes, BUCKETS), `directions` (dimensions, classes), `hidden` (dimensions, units), `out`
    (units, classes); a model of words alone has no dimensions and no units.
    """

    words: npt.NDArray[np.float64]
    bias: npt.NDArray[np.float64]
    directions: npt.NDArray[np.float64]
    hidden: npt.NDArray[np.float64]
    hidden_bias: npt.NDArray[np.float64]
    out: npt.NDArray[np.float64]

    def shares(self, rows: Any, vectors: Matrix) -> npt.NDArray[np.float64]:
        """How likely each line is of each class, shape (lines, classes). `rows` as `bags` makes them."""
        sums = rows @ self.words.T + self.bias + vectors @ self.directions
        sums += np.maximum(vectors @ self.hidden + self.hidden_bias, 0) @ self.out
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
    return csr_matrix((np.concatenate(values), places, starts), (len(texts), BUCKETS))


def embedded(texts: Sequence[str]) -> Matrix:
    """The vector of every text, as `ports.UtteranceEmbedder` gives it."""
    from careline.engines.embedded.embedder import E5Embedder

    return E5Embedder().embed("query: ", texts)


def fit(rows: Any, vectors: Matrix, labels: npt.NDArray[np.int64]) -> Fitted:
    """The model of these lines; `vectors` of no dimensions make a model of words alone."""
    from scipy.sparse import csr_matrix, hstack
    from sklearn.linear_model import LogisticRegression

    middle = vectors.mean(axis=0)
    together = hstack([rows, csr_matrix((vectors - middle) * WEIGHT_OF_MEANING)]).tocsr()
    linear = LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=1000, tol=1e-4).fit(together, labels)
    weights, bias = _of_each_class(linear.coef_.T, linear.intercept_)
    directions = weights[BUCKETS:] * WEIGHT_OF_MEANING
    if not vectors.shape[1]:
        nothing = np.zeros((0, weights.shape[1]))
        return Fitted(weights.T, bias, directions, np.zeros((0, 0)), np.zeros(0), nothing)
    hidden, hidden_bias, out, out_bias = _networks(vectors, middle, labels)
    words, bias, directions = (
        (1 - SAY) * each for each in (weights[:BUCKETS].T, bias - middle @ directions, directions)
    )
    return Fitted(words, bias + SAY * out_bias, directions, hidden, hidden_bias, SAY * out)


def unseen(
    rows: Any, vectors: Matrix, labels: npt.NDArray[np.int64], origins: Sequence[str]
) -> npt.NDArray[np.float64]:
    """Shape (lines, classes): how likely each line is of each class, by a model that had not seen its origin."""
    from sklearn.model_selection import GroupKFold

    judged = np.zeros((len(labels), labels.max() + 1))
    for taught, asked in GroupKFold(FOLDS).split(rows, labels, origins):
        judged[asked] = fit(rows[taught], vectors[taught], labels[taught]).shares(rows[asked], vectors[asked])
    return judged


def _networks(
    vectors: Matrix, middle: npt.NDArray[Any], labels: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.float64], ...]:
    """Networks of one hidden layer that differ in where they began, side by side as one: the mean of what they say."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier

    spread = float((vectors - middle).std())
    parts = []
    for seed in range(NETWORKS):
        network = MLPClassifier((UNITS,), alpha=RESTRAINT, batch_size=256, max_iter=ROUNDS, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # The rounds are fewer than it would take.
            network.fit((vectors - middle) / spread, labels)
        (into, outof), (into_bias, outof_bias) = network.coefs_, network.intercepts_
        parts.append((into / spread, into_bias - middle @ into / spread, *_of_each_class(outof, outof_bias)))
    hidden, hidden_bias, out, out_bias = zip(*parts, strict=True)
    return np.hstack(hidden), np.hstack(hidden_bias), np.vstack(out) / NETWORKS, np.mean(out_bias, axis=0)


def _of_each_class(
    weights: npt.NDArray[np.float64], bias: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Weights with a column for each class; two classes are fitted with one column, for the second."""
    if weights.shape[1] > 1:
        return weights, bias
    return np.hstack([-weights, weights]) / 2, np.concatenate([-bias, bias]) / 2
