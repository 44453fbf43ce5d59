"""Trains the screen of made-up tails: `python -m infra.local.train_suffix`, after `infra.local.make_letters`.

Needs scikit-learn (`requirements/test.txt` has it); what it writes does not. Lines of each training file are measured
with statistics that have not seen that file, as strangers' lines will be. Two steps are learned, both with a fixed
seed: a score for each token, and from the scores whether the text has a tail.
"""

from __future__ import annotations

import json
import random
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from careline.safety.letters import letters_of
from careline.safety.suffix import FOLDER, TailModel, around, measures_by, text_measures
from careline.safety.tail_signs import Measures
from infra.local.make_letters import LANGUAGES, statistics, training
from infra.local.tails.callers import bent
from infra.local.tails.lines import Chance, Material, read_material, tail
from infra.local.tails.particulars import particulars

SEED = 11
FOLDS = ("a", "b", "c", "de", "fg")
"""Letters of training files; each was written by itself."""
TOKEN_UNITS, TOKEN_ROUNDS = 10, 110
UNITS, STRENGTH, ROUNDS = 10, 0.05, 160
TOKENS = 150_000
"""Tokens that the first step is learned from."""
TAILS, BENT, WITH_PARTICULARS = 8_000, 2_500, 500
"""Of each fold and all languages; particulars of each language."""
FALSE_ALARMS = {"written": 0.003, "bent": 0.022, "particulars": 0.012}
"""Shares of the ordinary lines of a language, by kind, that the threshold lets be found wrongly."""
JOINTS = (" ", " ", " ", " ", "? ", " ? ", ", ", ". ", "?", "! ")

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Line:
    """A text, where its tail begins (its own length without one), and where it comes from."""

    text: str
    tail_from: int
    kind: str
    language: str
    fold: int


@dataclass(frozen=True, slots=True)
class Measured:
    """A line with its signs, shape (tokens, signs), and which tokens are of the tail."""

    line: Line
    signs: Floats
    of_tail: npt.NDArray[np.bool_]


def lines(fold: int, held: Material) -> Iterator[Line]:
    """Ordinary lines of one fold as written, bent, and with particulars; and questions with tails."""
    chance = random.Random(SEED + fold)  # noqa: S311 - a fixed seed, so that the model can be made again
    own = {each: _callers(each, fold) for each in LANGUAGES}
    for language, texts in own.items():
        for text in texts:
            yield Line(text, len(text), "written", language, fold)
        for text in _answers(language, fold):
            yield Line(text, len(text), "answer", language, fold)
        for _ in range(BENT):
            made = bent(chance, held, language, chance.choice(texts), dict(own))
            yield Line(made, len(made), "bent", language, fold)
        for _ in range(WITH_PARTICULARS):
            made = particulars(chance, held, language)
            yield Line(made, len(made), "particulars", language, fold)
    for _ in range(TAILS):
        language = chance.choice(LANGUAGES)
        yield _with_tail(chance, held, chance.choice(own[language]), language, fold)


def _callers(language: str, fold: int) -> list[str]:
    """What callers say, of the files of one fold; answers are measured by, but nobody says them."""
    return [text for name, text in training(language) if name[-1] in FOLDS[fold] and not name.startswith("answers")]


def _answers(language: str, fold: int) -> list[str]:
    return [text for name, text in training(language) if name[-1] in FOLDS[fold] and name.startswith("answers")]


def _with_tail(chance: Chance, held: Material, text: str, language: str, fold: int) -> Line:
    kind, made = tail(chance, held)
    joint = chance.choice(JOINTS)
    if chance.random() < 0.3:
        text = f"{text[:1].upper()}{text[1:]}"
    before = text.rstrip("?. ") + joint
    return Line(before + made, len(before), kind, language, fold)


def measured(line: Line, measures: Measures) -> Measured:
    """The line with its signs; a token that begins before the tail is not of it."""
    starts, at = [], 0
    for token in line.text.split():
        at = line.text.index(token, at)
        starts.append(at + len(token) > line.tail_from + 1)
        at += len(token)
    return Measured(line, np.asarray(measures.rows(line.text), np.float32), np.asarray(starts, bool))


def fitted(all_of_them: list[Measured]) -> TailModel:
    """Both steps, learned from these lines."""
    chance = np.random.default_rng(SEED)
    order = chance.permutation(len(all_of_them))
    seen, taken = 0, []
    for n in order:
        taken.append(all_of_them[n])
        seen += len(all_of_them[n].signs)
        if seen > TOKENS:
            break
    token = _net(TOKEN_UNITS, TOKEN_ROUNDS)
    token.fit(np.concatenate([around(each.signs) for each in taken]), np.concatenate([each.of_tail for each in taken]))
    model = _of_tokens(token)
    rows = _text_rows(model, all_of_them)
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-3
    net = _net(UNITS, ROUNDS)
    net.fit((rows - mean) / scale, [bool(each.of_tail.any()) for each in all_of_them])
    return replace(
        model,
        mean=mean.round(4),
        scale=scale.round(4),
        hidden=np.asarray(net.coefs_[0], np.float32).round(4),
        hidden_bias=np.asarray(net.intercepts_[0], np.float32).round(4),
        out=np.asarray(net.coefs_[1][:, 0], np.float32).round(4),
        out_bias=round(float(net.intercepts_[1][0]), 4),
    )


def _net(units: int, rounds: int) -> Any:
    return MLPClassifier(
        (units,), activation="tanh", solver="lbfgs", alpha=STRENGTH, max_iter=rounds, random_state=SEED
    )


def _of_tokens(net: Any) -> TailModel:
    """The first step alone."""
    none = np.zeros(0, np.float32)
    first, bias, out = (
        np.asarray(each, np.float32).round(4) for each in (net.coefs_[0], net.intercepts_[0], net.coefs_[1][:, 0])
    )
    out_bias = round(float(net.intercepts_[1][0]), 4)
    return TailModel(first, bias, out, out_bias, none, none, none, none, none, 0.0, 1.0)


def _text_rows(model: TailModel, all_of_them: list[Measured]) -> Floats:
    return np.asarray([text_measures(model.scores(each.signs), each.signs) for each in all_of_them], np.float32)


def material() -> list[Measured]:
    """Every line, measured with statistics that have not seen its fold."""
    held = read_material()
    found: list[Measured] = []
    for fold, letters in enumerate(FOLDS):
        measures = measures_by(letters_of(statistics(left_out=letters)))
        found.extend(measured(line, measures) for line in lines(fold, held) if line.text.strip())
    return found


def threshold(everything: list[Measured], shares: npt.NDArray[np.float64]) -> float:
    """From where on a text has a tail, so that no language has too many false alarms; says how each kind fares."""
    needed = []
    for language, (kind, rate) in product(LANGUAGES, FALSE_ALARMS.items()):
        own = [n for n, each in enumerate(everything) if (each.line.language, each.line.kind) == (language, kind)]
        needed.append(float(np.quantile(shares[own], 1 - rate)))
        print(f"{language} {kind}: from {needed[-1]:.3f} on")  # noqa: T201
    chosen = max(needed)
    tried, over = Counter[str](), Counter[str]()
    for each, share in zip(everything, shares, strict=True):
        kind = each.line.kind + (f"/{each.line.language}" if not each.of_tail.any() else "")
        tried[kind] += 1
        over[kind] += bool(share >= chosen)
    for kind, count in sorted(tried.items()):
        print(f"{kind:24} {over[kind] / count:.4f} of {count}")  # noqa: T201
    return chosen


def main() -> None:
    """Learn, judge by folds, and write the model."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    everything = material()
    shares = np.zeros(len(everything))
    for half in (0, 1):
        model = fitted([each for each in everything if each.line.fold % 2 != half])
        for n, each in enumerate(everything):
            if each.line.fold % 2 == half:
                shares[n] = model.share(each.signs)
    chosen = threshold(everything, shares)
    if "--show" in sys.argv:
        _show(everything, shares, chosen)
    _write(replace(fitted(everything), threshold=round(chosen, 4)))


def _show(everything: list[Measured], shares: npt.NDArray[np.float64], chosen: float) -> None:
    for each, share in zip(everything, shares, strict=True):
        if bool(each.of_tail.any()) != bool(share >= chosen):
            print(f"{share:.3f} {each.line.kind:12} {each.line.language} {each.line.text}")  # noqa: T201


def _write(model: TailModel) -> None:
    held: dict[str, Any] = {}
    for name in TailModel.__slots__:
        value = getattr(model, name)
        held[name] = _listed(value) if isinstance(value, np.ndarray) else value
    rows = ",\n".join(f' "{name}": {json.dumps(value)}' for name, value in held.items())
    (FOLDER / "tail_model.json").write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")


def _listed(values: Floats) -> Any:
    return np.round(values.astype(float), 4).tolist()


if __name__ == "__main__":
    main()
