"""Finds the adversarial suffix: strings made by a search for what upsets a language model.

One odd token is a code, a name or an address; a run of them is not. Every token gets a score from its own signs and
words and those of two neighbours on either side; the scores of the last tokens, and of the best run anywhere, then
decide. A word stands for a few learned numbers, a rare one for those of its ending, so that words which callers never
put side by side are told apart from a sentence. Both steps are nets of one hidden layer, in `careline_artefacts`, that
`python -m training.train_suffix` learned with a fixed seed: from the ordinary lines under `training/lines`, the same
lines with slips of the keyboard, smileys, codes and lists, lines with particulars, and the same questions with made-up
suffixes of fifty kinds. Lines were measured with statistics, and scored by a first step, that had not seen their file.
The threshold is the lowest that lets no more ordinary lines of any language be found wrongly than `FALSE_ALARMS` there,
judged by models that had not seen them.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log2
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

import careline_artefacts
from careline.safety.classifiers.letter_statistics import Letters, read_letters
from careline.safety.classifiers.token_features import SIGNS, Measures
from careline.text.spelling.apostrophes import with_plain_apostrophes

FOLDER = Path(__file__).parents[1] / "data"
MODEL = careline_artefacts.FOLDER / "adversarial_suffix" / "model.json"
WINDOWS = (1, 2, 3, 5, 8, 12)
"""Numbers of last tokens whose scores are summed."""
REACH = 2
"""Neighbours on either side that a token's score looks at: their signs averaged, their words one by one."""
NO_WORD, UNKNOWN = 0, 1
"""Rows of the table of words: outside the text; a word whose ending is not in the table either."""
FINENESS = 32
"""The file holds the numbers of words as whole ones, this many to one."""
_ENDING = 3
COUNTED = (
    "known common unknown no-shared-language wrong-language odd said-together ordinary pictures oddities digits title "
    "number-word longest listed rare"
).split()
"""Signs that are averaged over the best run, and over the last eight tokens."""
_MOST_A_TOKEN, _MOST_A_RUN, _DRIFT, _LAST = 6.0, 30.0, 0.7, 8
_AT = tuple(SIGNS.index(name) for name in COUNTED)
_SIGN, _SURE = "adversarial_suffix", 30.0

Array = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class AdversarialSuffixVerdict:
    """`signs` is `adversarial_suffix`, or none when the text has none."""

    suffix: bool
    signs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SuffixModel:
    """Weights of two nets of one hidden layer each, for a token and for a text.

    `words` has shape (known words and endings, numbers of each); `token` has one of (3 times the signs: before, own,
    after, and the numbers of five words; units), `hidden` of (measures of a text, units).
    """

    places: Mapping[str, int]
    words: Array
    token: Array
    token_bias: Array
    token_out: Array
    token_out_bias: float
    mean: Array
    scale: Array
    hidden: Array
    hidden_bias: Array
    out: Array
    out_bias: float
    threshold: float

    def scores(self, signs: Array, words: Places) -> list[float]:
        """One score a token, positive when it looks like one of a suffix.

        `signs` has shape (tokens, signs); `words` (tokens, 2) and is where the first and last word of each stand.
        """
        seen = np.concatenate((around(signs), side_by_side(self.words[words].mean(axis=1))), axis=1)
        scores = np.tanh(seen @ self.token + self.token_bias) @ self.token_out + self.token_out_bias
        return np.minimum(np.maximum(scores, -_MOST_A_TOKEN), _MOST_A_TOKEN).tolist()  # type: ignore[no-any-return]

    def place(self, word: str) -> int:
        """The row of a plain word in the table: its own, or that of its ending."""
        found = self.places.get(word)
        return self.places.get(ending(word), UNKNOWN) if found is None else found

    def share(self, signs: Array, words: Places) -> float:
        """How likely the text has an adversarial suffix, 0 to 1."""
        if not len(signs):
            return 0.0
        return self.share_of(text_measures(self.scores(signs, words), signs))

    def share_of(self, text: Sequence[float]) -> float:
        """How likely a text with these measures has an adversarial suffix, 0 to 1."""
        measures = (np.asarray(text, np.float32) - self.mean) / self.scale
        units = np.tanh(np.clip(measures, -_SURE, _SURE) @ self.hidden + self.hidden_bias)
        return 1 / (1 + exp(-max(-_SURE, min(_SURE, float(units @ self.out) + self.out_bias))))


@dataclass(frozen=True, slots=True)
class AdversarialSuffixScreen:
    """What tokens are measured by, and what was learned about those of suffixes."""

    letters: Letters
    measures: Measures
    model: SuffixModel

    def judge(self, text: str) -> AdversarialSuffixVerdict:
        """Judges an utterance of any length. Never raises; time is linear in the text."""
        found = self.share(text) >= self.model.threshold
        return AdversarialSuffixVerdict(found, (_SIGN,) if found else ())

    def share(self, text: str) -> float:
        """How likely the text has an adversarial suffix, 0 to 1."""
        tokens, place = self.measures.tokens(with_plain_apostrophes(text)), self.model.place
        signs = np.asarray([row for row, _, _ in tokens], np.float32)
        return self.model.share(signs, np.asarray([(place(first), place(last)) for _, first, last in tokens], np.intp))


@dataclass(frozen=True, slots=True)
class _Run:
    """Tokens side by side, the last not included, and the sum of their scores."""

    sum: float = 0.0
    first: int = 0
    end: int = 0


def around(signs: Array) -> Array:
    """Each token's signs between the averages of those before and after it; shape (tokens, 3 times the signs)."""
    count, wide = signs.shape
    padded = np.zeros((count + 2 * REACH, wide), np.float32)
    padded[REACH : count + REACH] = signs
    before = (padded[:count] + padded[1 : count + 1]) / REACH
    after = (padded[REACH + 1 : count + REACH + 1] + padded[2 * REACH :]) / REACH
    return np.concatenate((before, signs, after), axis=1)


def side_by_side(words: Array) -> Array:
    """The numbers of each token's word and of those on either side; shape (tokens, 5 times the numbers)."""
    count, wide = words.shape
    padded = np.zeros((count + 2 * REACH, wide), np.float32)
    padded[REACH : count + REACH] = words
    return np.concatenate([padded[n : n + count] for n in range(2 * REACH + 1)], axis=1)


def ending(word: str) -> str:
    """What stands in the table for all rare words that end so."""
    return f"~{word[-_ENDING:]}"


def text_measures(scores: Sequence[float], signs: Array) -> list[float]:
    """What the second step looks at: sums over windows, the best runs, and what stands before and inside them."""
    best, strict, last = _best_run(scores, 0.0), _best_run(scores, _DRIFT), _best_end(scores)
    ranked = sorted(scores, reverse=True)
    before = scores[: best.first] or [0.0]
    return [
        *(sum(scores[-size:]) for size in WINDOWS),
        *(sum(ranked[:size]) for size in WINDOWS[:4]),
        *(min(_MOST_A_RUN, each.sum) for each in (best, strict, last)),
        *(log2(1 + each.end - each.first) for each in (best, strict, last)),
        log2(len(scores)),
        log2(1 + best.first),
        log2(1 + len(scores) - best.end),
        sum(before) / len(before),
        float(signs[best.first, SIGNS.index("after-question")]) if best.sum else 0.0,
        *_averages(signs[best.first : best.end]),
        *_averages(signs[-_LAST:]),
    ]


def _averages(signs: Array) -> Iterator[float]:
    if len(signs):
        yield from signs.mean(axis=0)[list(_AT)].tolist()
    else:
        yield from (0.0 for _ in _AT)


def _best_run(scores: Sequence[float], drift: float) -> _Run:
    """The run with the largest sum, each score less the drift."""
    best, here, first = _Run(), 0.0, 0
    for n, score in enumerate(scores):
        here += score - drift
        if here <= 0:
            here, first = 0.0, n + 1
        elif here > best.sum:
            best = _Run(here, first, n + 1)
    return best


def _best_end(scores: Sequence[float]) -> _Run:
    """The run up to the last token with the largest sum."""
    best, here = _Run(0.0, len(scores), len(scores)), 0.0
    for n in range(len(scores) - 1, -1, -1):
        here += scores[n]
        if here > best.sum:
            best = _Run(here, n, len(scores))
    return best


def measures_by(letters: Letters, file: Path = FOLDER / "suffix_words.yaml") -> Measures:
    """What tokens are measured by, with these statistics."""
    held: Mapping[str, Any] = yaml.load(file.read_bytes(), Loader=yaml.CSafeLoader)
    abroad = {language: frozenset(words.split()) for language, words in held["abroad"].items()}
    return Measures(letters, frozenset(held["code_words"].split()), frozenset(held["number_words"].split()), abroad)


def read_model(file: Path = MODEL) -> SuffixModel:
    """The weights that `python -m training.train_suffix` wrote."""
    held: Mapping[str, Any] = json.loads(file.read_bytes())
    arrays = ("token", "token_bias", "token_out", "mean", "scale", "hidden", "hidden_bias", "out")
    return SuffixModel(
        **{name: np.asarray(held[name], np.float32) for name in arrays},
        places={word: n for n, word in enumerate(held["places"].split(), start=UNKNOWN + 1)},
        words=_words(held["words"], held["numbers"]),
        token_out_bias=float(held["token_out_bias"]),
        out_bias=float(held["out_bias"]),
        threshold=float(held["threshold"]),
    )


def _words(written: str, numbers: int) -> Array:
    whole = np.frombuffer(base64.b64decode(written), np.int8).reshape(-1, numbers)
    return np.asarray(whole / FINENESS, np.float32)


@cache
def read_suffix_screen() -> AdversarialSuffixScreen:
    """The screen with our own statistics, read when first asked for."""
    letters = read_letters()
    return AdversarialSuffixScreen(letters, measures_by(letters), read_model())
