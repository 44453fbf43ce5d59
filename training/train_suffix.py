"""Trains the screen of made-up tails: `python -m training.train_suffix`, after `training.build_letters`.

Needs scikit-learn (`requirements/training.txt` has it); what it writes does not. Lines of each training file are
measured with statistics that have not seen that file, as strangers' lines will be. Two steps are learned, both with a
fixed seed: a score for each token, and from the scores whether the text has a tail. The second step learns from scores
of a first step that has not seen the line, and the threshold is chosen on lines that neither has seen.
"""

from __future__ import annotations

import base64
import json
import random
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from careline.safety.classifiers.adversarial_suffix import (
    FINENESS,
    MODEL,
    UNKNOWN,
    SuffixModel,
    ending,
    measures_by,
    text_measures,
)
from careline.safety.classifiers.letter_statistics import letters_of
from careline.safety.classifiers.token_features import Measures
from training.adversarial_suffixes.callers import bent
from training.adversarial_suffixes.kinds import joined, tail
from training.adversarial_suffixes.lines import Chance, Material, read_material
from training.adversarial_suffixes.particulars import particulars
from training.adversarial_suffixes.token_net import NUMBERS, learned, table_of, together
from training.build_letters import LANGUAGES, TRAINING, statistics, training

SEED = 12
FOLDS = 5
"""Parts that the training files are dealt into by their letter; each file was written by itself."""
UNITS, STRENGTH, ROUNDS = 24, 0.05, 180
TAILS, BENT, WITH_PARTICULARS = 24_000, 2_800, 900
"""Of each fold and all languages; lines bent and with particulars of each language."""
ANSWERS = 2
"""One in so many answers is learned from; they are long, and nobody says them."""
FALSE_ALARMS = {"written": 0.003, "bent": 0.016, "particulars": 0.008}
"""Shares of the ordinary lines of a language, by kind, that the threshold lets be found wrongly."""
WORKERS = 2
"""Processes of one thread each, so that sums are always added up in the same order."""

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
    """A line with its signs, shape (tokens, signs), the ends of each token, and which tokens are of the tail."""

    line: Line
    signs: Floats
    words: list[tuple[str, str]]
    of_tail: npt.NDArray[np.bool_]


def lines(fold: int, held: Material) -> Iterator[Line]:
    """Ordinary lines of one fold as written, bent, and with particulars; and questions with tails."""
    chance = random.Random(SEED + fold)  # noqa: S311 - a fixed seed, so that the model can be made again
    own = {each: _lines(each, fold, answers=False) for each in LANGUAGES}
    held = held.heard(own)
    for language, texts in own.items():
        for text in texts:
            yield Line(text, len(text), "written", language, fold)
        for text in _lines(language, fold, answers=True)[::ANSWERS]:
            yield Line(text, len(text), "answer", language, fold)
        for _ in range(BENT if texts else 0):
            made = bent(chance, held, language, chance.choice(texts), dict(own))
            yield Line(made, len(made), "bent", language, fold)
        for _ in range(WITH_PARTICULARS):
            made = particulars(chance, held, language)
            yield Line(made, len(made), "particulars", language, fold)
    for _ in range(TAILS):
        language = chance.choice(LANGUAGES)
        yield _with_tail(chance, held.of(language), chance.choice(own[language]), fold)


def letters_of_fold(fold: int) -> str:
    """The letters of the training files of a part."""
    found = {file.stem[-1] for file in TRAINING.rglob("*_?.tsv")}
    return "".join(sorted(letter for letter in found if ord(letter) % FOLDS == fold))


def _lines(language: str, fold: int, answers: bool) -> list[str]:
    """What callers say, of the files of one fold; or the answers, which nobody says."""
    letters = letters_of_fold(fold)
    return [text for name, text in training(language) if name[-1] in letters and name.startswith("answers") is answers]


def _with_tail(chance: Chance, held: Material, text: str, fold: int) -> Line:
    kind, made = tail(chance, held)
    before, made = joined(chance, text, made)
    return Line(before + made, len(before), kind, held.language, fold)


def measured(line: Line, measures: Measures) -> Measured:
    """The line with its signs; a token that begins before the tail is not of it."""
    starts, at = [], 0
    for token in line.text.split():
        at = line.text.index(token, at)
        starts.append(at + len(token) > line.tail_from + 1)
        at += len(token)
    tokens = measures.tokens(line.text)
    signs = np.asarray([row for row, _, _ in tokens], np.float32)
    return Measured(line, signs, [(first, last) for _, first, last in tokens], np.asarray(starts, bool))


def measured_fold(fold: int) -> list[Measured]:
    """Every line of one fold, measured with statistics that have not seen it."""
    measures = measures_by(letters_of(statistics(left_out=letters_of_fold(fold))))
    return [measured(line, measures) for line in lines(fold, read_material()) if line.text.strip()]


def first_step(everything: Sequence[Measured], places: dict[str, int]) -> SuffixModel:
    """The score of tokens, learned from these lines."""
    words = [_places(each.words, places) for each in everything]
    endings = [_places(each.words, places, rare=True) for each in everything]
    tokens = together([each.signs for each in everything], words, endings, [each.of_tail for each in everything])
    weights = learned(tokens, len(places) + UNKNOWN + 1, SEED)
    none = np.zeros(0, np.float32)
    out_bias = float(weights.pop("token_out_bias")[0])
    return SuffixModel(
        places, **weights, token_out_bias=out_bias, mean=none, scale=none, hidden=none, hidden_bias=none, out=none,
        out_bias=0.0, threshold=1.0,
    )  # fmt: skip


def _places(words: list[tuple[str, str]], places: Mapping[str, int], rare: bool = False) -> npt.NDArray[np.intp]:
    def place(word: str) -> int:
        found = None if rare and word.isalpha() else places.get(word)
        return places.get(ending(word), UNKNOWN) if found is None else found

    return np.asarray([(place(first), place(last)) for first, last in words], np.intp)


def text_rows(model: SuffixModel, everything: Sequence[Measured]) -> Floats:
    """What the second step looks at, a row for each line."""
    made = (
        text_measures(model.scores(each.signs, _places(each.words, model.places)), each.signs) for each in everything
    )
    return np.asarray(list(made), np.float32)


def second_step(first: SuffixModel, rows: Floats, tails: npt.NDArray[np.bool_]) -> SuffixModel:
    """Both steps, the second learned from these rows."""
    from sklearn.neural_network import MLPClassifier

    mean, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-3
    net = MLPClassifier((UNITS,), activation="tanh", solver="lbfgs", alpha=STRENGTH, max_iter=ROUNDS, random_state=SEED)
    net.fit((rows - mean) / scale, tails)
    return replace(
        first,
        mean=mean.round(4),
        scale=scale.round(4),
        hidden=np.asarray(net.coefs_[0], np.float32).round(4),
        hidden_bias=np.asarray(net.intercepts_[0], np.float32).round(4),
        out=np.asarray(net.coefs_[1][:, 0], np.float32).round(4),
        out_bias=round(float(net.intercepts_[1][0]), 4),
    )


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
    """Learn, judge by halves, and write the model."""
    from sklearn.exceptions import ConvergenceWarning

    warnings.simplefilter("ignore", ConvergenceWarning)
    threadpool_limits(1)
    with ProcessPoolExecutor(WORKERS, initializer=threadpool_limits, initargs=(1,)) as workers:
        everything = [each for fold in workers.map(measured_fold, range(FOLDS)) for each in fold]
        places = table_of([[word for ends in each.words for word in ends] for each in everything if not _made(each)])
        halves = [[each for each in everything if each.line.fold % 2 == half] for half in (0, 1)]
        firsts = list(workers.map(first_step, (*halves, everything), (places,) * 3))
    of_half = np.asarray([each.line.fold % 2 for each in everything])
    tails = np.asarray([_made(each) for each in everything])
    rows = np.empty((len(everything), len(text_measures([0.0], everything[0].signs[:1]))), np.float32)
    for half in (0, 1):
        rows[of_half == half] = text_rows(firsts[1 - half], halves[half])
    shares = np.zeros(len(everything))
    for half in (0, 1):
        other, own = of_half != half, of_half == half
        model = second_step(firsts[1 - half], rows[other], tails[other])
        shares[own] = [_share(model, row) for row in rows[own]]
    chosen = threshold(everything, shares)
    if "--show" in sys.argv:
        _show(everything, shares, chosen)
    _write(replace(second_step(firsts[2], rows, tails), threshold=round(chosen, 4)))


def _made(each: Measured) -> bool:
    return bool(each.of_tail.any())


def _share(model: SuffixModel, row: Floats) -> float:
    return model.share_of(row.tolist())


def _show(everything: list[Measured], shares: npt.NDArray[np.float64], chosen: float) -> None:
    for each, share in zip(everything, shares, strict=True):
        if _made(each) != bool(share >= chosen):
            print(f"{share:.3f} {each.line.kind:12} {each.line.language} {each.line.text}")  # noqa: T201


def _write(model: SuffixModel) -> None:
    held: dict[str, Any] = {"places": " ".join(model.places), "numbers": NUMBERS}
    held["words"] = base64.b64encode(np.rint(model.words * FINENESS).astype(np.int8).tobytes()).decode()
    for name in SuffixModel.__slots__:
        value = getattr(model, name)
        if name not in held:
            held[name] = np.round(value.astype(float), 4).tolist() if isinstance(value, np.ndarray) else value
    rows = ",\n".join(f' "{name}": {json.dumps(value)}' for name, value in held.items())
    MODEL.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
