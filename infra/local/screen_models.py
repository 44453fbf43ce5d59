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
ALONE, SAY = 0.4, 0.24
"""What the model of words alone and the networks together weigh beside the regression, as shares of the logarithms of
what all think likely. Regressions that differ in what they look at are wrong about different lines."""


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
    return csr_matrix((np.concatenate([*values, []]), places, starts), (len(texts), BUCKETS), np.float32)


def embedded(texts: Sequence[str]) -> Matrix:
    """The vector of every text, as `ports.UtteranceEmbedder` gives it."""
    from careline.engines.embedded.embedder import E5Embedder

    return E5Embedder().embed("query: ", texts)


@dataclass(frozen=True, slots=True)
class Lines:
    """What models are fitted to: a row, a vector, the class and the origin of each line.

    `parts` has a row for each clause of those lines that have several, `whole` the number of the line it is of.
    """

    rows: Any
    vectors: Matrix
    labels: npt.NDArray[np.int64]
    origins: npt.NDArray[np.int64]
    parts: Any
    whole: npt.NDArray[np.int64]

    def some(self, chosen: npt.NDArray[np.int64]) -> Lines:
        """The lines of these numbers, which must rise."""
        held = np.isin(self.whole, chosen)
        whole = np.searchsorted(chosen, self.whole[held])
        return Lines(
            self.rows[chosen], self.vectors[chosen], self.labels[chosen], self.origins[chosen], self.parts[held], whole
        )


def fit(lines: Lines) -> tuple[Fitted, Fitted]:
    """The model of these lines' words alone, and the one of their words and vectors, which the first has a part in."""
    alone = _linear(lines.rows, lines.vectors[:, :0], lines.labels)
    both = _linear(lines.rows, lines.vectors, lines.labels)
    networks = _networks(lines.vectors, lines.labels)
    linear = 1 - ALONE - SAY
    together = Fitted(
        linear * both.words + ALONE * alone.words,
        linear * both.bias + ALONE * alone.bias + SAY * networks.bias,
        linear * both.directions,
        networks.hidden,
        networks.hidden_bias,
        SAY * networks.out,
    )
    return alone, together


def unseen(lines: Lines, groups: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """How likely each line is of each group, shape (lines, groups), by models that had not seen its origin.

    First by words alone, then with vectors. `groups` is that of each class. Group 1 is as likely as the whole or one of
    its clauses says, as `careline.safety.learned` has it.
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
    judged = []
    for model, vectors in ((alone, asked.vectors[:, :0]), (together, asked.vectors)):
        whole = model.shares(asked.rows, vectors)
        of_group = np.stack([whole[:, groups == each].sum(axis=1) for each in range(groups.max() + 1)], axis=1)
        mean = np.sqrt(whole[asked.whole] * parts)
        np.maximum.at(of_group[:, 1], asked.whole, mean[:, groups == 1].sum(axis=1) / mean.sum(axis=1))
        judged.append(of_group)
    return judged


def _linear(rows: Any, vectors: Matrix, labels: npt.NDArray[np.int64]) -> Fitted:
    """The linear model of words and vectors; `vectors` of no dimensions make one of words alone."""
    from scipy.sparse import csr_matrix, hstack
    from sklearn.linear_model import LogisticRegression

    middle = vectors.mean(axis=0)
    together = hstack([rows, csr_matrix((vectors - middle) * WEIGHT_OF_MEANING)]).tocsr()
    linear = LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=1000, tol=1e-4).fit(together, labels)
    weights, bias = _of_each_class(linear.coef_.T, linear.intercept_)
    directions = weights[BUCKETS:] * WEIGHT_OF_MEANING
    nothing = np.zeros((0, weights.shape[1]))
    return Fitted(
        weights[:BUCKETS].T,
        bias - middle @ directions,
        directions,
        np.zeros((len(directions), 0)),
        np.zeros(0),
        nothing,
    )


def _networks(vectors: Matrix, labels: npt.NDArray[np.int64]) -> Fitted:
    """Networks of one hidden layer that differ in where they began, side by side as one: the mean of what they say."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier

    middle = vectors.mean(axis=0)
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
    none = np.zeros((out[0].shape[1], 0))
    return Fitted(
        none, np.mean(out_bias, axis=0), none.T, np.hstack(hidden), np.hstack(hidden_bias), np.vstack(out) / NETWORKS
    )


def _of_each_class(
    weights: npt.NDArray[np.float64], bias: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Weights with a column for each class; two classes are fitted with one column, for the second."""
    if weights.shape[1] > 1:
        return weights, bias
    return np.hstack([-weights, weights]) / 2, np.concatenate([-bias, bias]) / 2
