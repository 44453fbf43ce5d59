"""Fits the classifiers of intents to the examples of our packs: `python -m training.train_intents`.

Examples are `layers/careline_packs/<pack>/intents/<language>.yaml`; a pack learns the labels that it shares with others
from theirs too. Several networks with other beginnings are fitted and joined into one layer, which gives the mean of
their sums. Prints the accuracy on a fifth that was held out first.
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
from sklearn.model_selection import StratifiedKFold
from sklearn.neural_network import MLPClassifier

import careline_packs
from careline.engines.embedded.embedder import E5Embedder
from careline.text.asked_words import named
from careline.understanding.intents.classifier import FOLDER, OTHER

UNITS, DECAY, EPOCHS, NETWORKS = 256, 3.0, 25, 3
"""Chosen on a fifth of the examples that was left out."""
LEAST = 1
"""Examples of a label that use a word, from which on it is one of the label's."""
FOLDS = 5
Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Example:
    """An utterance and its label."""

    pack: str
    language: str
    label: str
    text: str


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


def networks(rows: Matrix, labels: npt.NDArray[np.str_]) -> list[MLPClassifier]:
    """Networks of one hidden layer that begin otherwise."""
    return [
        MLPClassifier((UNITS,), alpha=DECAY, max_iter=EPOCHS, random_state=seed).fit(rows, labels)
        for seed in range(NETWORKS)
    ]


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
    """Fit the classifier of one pack, and say how well on a fifth that was left out first."""
    labels = np.array([one.label for one in of])
    middle, scale = rows.mean(axis=0), 1 / rows.std(axis=0)
    standard = (rows - middle) * scale
    fitted, held_out = next(StratifiedKFold(FOLDS, shuffle=True, random_state=1).split(standard, labels))
    tried = networks(standard[fitted], labels[fitted])
    shares = np.mean([one.predict_proba(standard[held_out]) for one in tried], axis=0)
    right = tried[0].classes_[shares.argmax(axis=1)] == labels[held_out]
    sys.stdout.write(f"{pack}: {len(of)} examples; of those left out {right.mean():.3f} right\n")
    write(FOLDER / f"{pack}.npz", networks(standard, labels), middle, scale, words(of), _digest(of))


def write(
    file: Path, fitted: Sequence[MLPClassifier], middle: Matrix, scale: Matrix, listed: Sequence[str], trained_on: str
) -> None:
    """The networks as one, its hidden weights in eight bits."""
    hidden = np.concatenate([one.coefs_[0].T for one in fitted])
    largest = np.abs(hidden).max(axis=1) / 127
    file.parent.mkdir(exist_ok=True)
    np.savez_compressed(
        file,
        labels=fitted[0].classes_,
        middle=middle.astype(np.float32),
        scale=scale.astype(np.float32),
        hidden=np.round(hidden / largest[:, None]).astype(np.int8),
        hidden_scale=largest.astype(np.float32),
        hidden_bias=np.concatenate([one.intercepts_[0] for one in fitted]).astype(np.float32),
        out=(np.concatenate([one.coefs_[1].T for one in fitted], axis=1) / len(fitted)).astype(np.float32),
        out_bias=np.mean([one.intercepts_[1] for one in fitted], axis=0).astype(np.float32),
        words=np.array(listed),
        trained_on=np.array(trained_on),
    )


def _digest(of: Sequence[Example]) -> str:
    told = "\n".join(f"{one.language}\t{one.label}\t{one.text}" for one in of)
    return hashlib.sha256(told.encode()).hexdigest()


if __name__ == "__main__":
    main()
