"""Fits the classifiers of intents to the examples of our packs: `python -m training.train_intents`.

Examples are `layers/careline_packs/<pack>/intents/<language>.yaml`; a pack learns the labels that it shares with others
from theirs too. Short ones are learned behind another question besides, as a turn reads them (`training.follow_ups`).
How near a question is to some of the examples is weighed for every label, by least squares; what that gives is made
shares by the factor that tells best how sure to be. Prints the accuracy on quarters that are held out first, with
whatever says nearly the same.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import yaml
from sklearn.model_selection import GroupKFold

import careline_packs
from careline.engines.embedded.embedder import E5Embedder
from careline.text.asked_words import named
from careline.understanding.intents.classifier import FOLDER, OTHER, whole
from training.follow_ups import Example, behind_others

KEPT, DECAY = 7_000, 0.03
"""Examples that a question is compared with, and how much less is weighed what few of them say. Chosen on parts of
the examples that were left out."""
LEAST = 1
"""Examples of a label that use a word, from which on it is one of the label's."""
FOLDS = 4
ALIKE = 0.945
"""Similarity (cosine) from which two examples say the same: none is judged by the other."""
SHARPNESS = np.arange(4.0, 24.0)
Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A classifier as its file holds it."""

    labels: npt.NDArray[np.str_]
    middle: Matrix
    scale: Matrix
    examples: npt.NDArray[np.int8]
    examples_scale: Matrix
    weights: Matrix
    bias: Matrix

    def sums(self, rows: Matrix) -> Matrix:
        """What is weighed for every label, of shape (rows, labels)."""
        kept = whole(self.examples, self.examples_scale)
        return np.asarray(_nearness((rows - self.middle) * self.scale, kept) @ self.weights.T + self.bias, np.float32)


def examples(folder: Path) -> list[Example]:
    """Every example of the packs below a folder, in order."""
    found = []
    for file in sorted(folder.glob("*/intents/*.yaml")):
        content = yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader)
        for label, texts in content.items():
            found += [Example(file.parent.parent.name, file.stem, label, text) for text in texts]
    return found


def seen(texts: Sequence[str]) -> Matrix:
    """The search vector of every text, as a turn has it."""
    embedder = E5Embedder()
    return np.concatenate([embedder.embed("query: ", [one]) for one in texts])


def groups(rows: Matrix) -> npt.NDArray[np.intp]:
    """A number for every example, the same for those that say nearly the same, in whatever language."""
    number = np.arange(len(rows))
    for n, row in enumerate(rows):
        alike = np.flatnonzero(rows[: n + 1] @ row > ALIKE)
        for other in np.unique(number[alike]):
            number[number == other] = number[alike[0]]
    return number


def fitted(rows: Matrix, labels: npt.NDArray[np.str_], kept: int = KEPT) -> Fitted:
    """A classifier of rows; its sums are near 1 for the right label and near 0 for others."""
    names, of = np.unique(labels, return_inverse=True)
    middle, scale = rows.mean(axis=0), 1 / rows.std(axis=0)
    chosen = np.random.default_rng(0).permutation(len(rows))[:kept]
    standard = (rows - middle) * scale
    # Half of all pairs are nearer than 1.
    scale = scale / np.sqrt(np.median(_distances(standard[::17], standard[chosen])))
    near = (rows[chosen] - middle) * scale
    largest = np.asarray(np.abs(near).max(axis=1) / 127, np.float32)
    eight = np.round(near / largest[:, None]).astype(np.int8)
    near = whole(eight, largest)
    nearness = _nearness((rows - middle) * scale, near)
    wanted = np.eye(len(names), dtype=np.float32)[of]
    bias = wanted.mean(axis=0)
    # In double precision: of thousands of examples that lie close together, single precision solves nothing.
    exact = nearness.astype(np.float64)
    among = DECAY * _nearness(near, near).astype(np.float64) + 1e-3 * np.eye(len(near))
    weights = np.linalg.solve(exact.T @ exact + among, exact.T @ (wanted - bias)).T.astype(np.float32)
    return Fitted(names, middle, scale, eight, largest, weights, bias)


def _distances(rows: Matrix, others: Matrix) -> Matrix:
    """The squares of distances, of shape (rows, others)."""
    return np.asarray((rows**2).sum(axis=1)[:, None] + (others**2).sum(axis=1) - 2 * rows @ others.T, np.float32)


def _nearness(rows: Matrix, others: Matrix) -> Matrix:
    return np.asarray(np.exp(-_distances(rows, others)), np.float32)


def shares_of(sums: Matrix, sharpness: float) -> Matrix:
    """Sums as shares of 1."""
    raised = np.exp(sharpness * (sums - sums.max(axis=1, keepdims=True)))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)


def sharpness_of(sums: Matrix, right: npt.NDArray[np.intp]) -> float:
    """The factor with which shares tell best how often a label is right (least logarithmic loss)."""

    def loss(sharpness: float) -> float:
        return -float(np.log(shares_of(sums, sharpness)[np.arange(len(right)), right] + 1e-9).mean())

    return min(map(float, SHARPNESS), key=loss)


def words(of: Sequence[Example]) -> list[str]:
    """By label and language the stems of words that its examples use; under an empty label those of all."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for one in of:
        for label in (one.label, ""):
            said = {word.stem for word in named(one.text, one.language)}
            counts.setdefault((label, one.language), Counter()).update(said)
    return [
        f"{label}\t{language}\t{' '.join(sorted(word for word, count in found.items() if count >= LEAST))}"
        for (label, language), found in sorted(counts.items())
    ]


def main() -> None:
    """Fit one for each pack, say how well, and write the files."""
    folder = Path(careline_packs.__file__).parent
    of = examples(folder)
    rows = seen([one.text for one in of])
    for file in sorted(folder.glob("*/pack.yaml")):
        wanted = yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader)["intents"]
        pack = file.parent.name
        chosen = [n for n, one in enumerate(of) if _is_of(one, pack, wanted)]
        fit(pack, [of[n] for n in chosen], rows[chosen])


def _is_of(one: Example, pack: str, wanted: Sequence[str]) -> bool:
    """Whether an example is of a pack: its own, or another's of a label that both have and that says the same."""
    return one.pack == pack or (one.label in wanted and one.label != OTHER)


def fit(pack: str, of: Sequence[Example], rows: Matrix) -> None:
    """Fit the classifier of one pack, and say how well on quarters that are left out first."""
    labels = np.array([one.label for one in of])
    names, number = np.unique(labels, return_inverse=True)
    own = np.zeros((len(of), len(names)), np.float32)
    for learned, left_out in GroupKFold(FOLDS, shuffle=True, random_state=1).split(rows, labels, groups(rows)):
        own[left_out] = fitted(rows[learned], labels[learned], KEPT // 2).sums(rows[left_out])
    sharpness = sharpness_of(own, number)
    told = shares_of(own, sharpness)[np.arange(len(of)), number]
    right = (own.argmax(axis=1) == number).mean()
    sys.stdout.write(f"{pack}: {len(of)} examples; of those left out {right:.3f} right\n")
    behind = behind_others(pack, of, told)
    every = np.concatenate([rows, seen([text for text, _ in behind])])
    whole_set = fitted(every, np.concatenate([labels, [label for _, label in behind]]))
    write(FOLDER / f"{pack}.npz", whole_set, sharpness, words(of), _digest(of))


def write(file: Path, one: Fitted, sharpness: float, listed: Sequence[str], trained_on: str) -> None:
    """A classifier as a file, what it compares with in eight bits and its weights, which cancel each other, in full."""
    file.parent.mkdir(exist_ok=True)
    np.savez_compressed(
        file,
        labels=one.labels,
        middle=one.middle.astype(np.float32),
        scale=one.scale.astype(np.float32),
        examples=one.examples,
        examples_scale=one.examples_scale,
        weights=(one.weights * sharpness).astype(np.float32),
        bias=(one.bias * sharpness).astype(np.float32),
        words=np.array(listed),
        trained_on=np.array(trained_on),
    )


def _digest(of: Sequence[Example]) -> str:
    told = "\n".join(f"{one.language}\t{one.label}\t{one.text}" for one in of)
    return hashlib.sha256(told.encode()).hexdigest()


if __name__ == "__main__":
    main()
