"""Learns the first step of the suffix screen: a score for each token from its signs and the words around it.

Words are learned with the net, so that it finds out which of them stand side by side in what callers say. Plain numpy:
scikit-learn has no net that learns a table of words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from careline.safety.classifiers.adversarial_suffix import FINENESS, NO_WORD, REACH, UNKNOWN, Array, Places, ending

NUMBERS, UNITS, ROUNDS, AT_ONCE, SIDE_BY_SIDE = 16, 48, 8, 4096, 16
"""Numbers a word, hidden units, passes over all tokens, tokens a step, and how many of those stand together."""
RARE, RARE_ENDING = 30, 90
"""A word, or an ending, that stands fewer times at an end of a token has no row of its own."""
FORGOTTEN = 0.12
"""Share of words that are taken for rare ones in a step, so that endings are learned as well."""
RATE, DECAY, FIRST, SECOND, TINY = 0.004, 3e-5, 0.9, 0.99, 1e-7
_LARGEST = 127


@dataclass(frozen=True, slots=True)
class Tokens:
    """All tokens of many lines, one after the other.

    `around` has shape (tokens, 5): the tokens two before to two after, or the number of tokens outside the line.
    `signs` has a last row of zeros for that one; `words` and `endings` have shape (tokens + 1, 2).
    """

    signs: Array
    words: Places
    endings: Places
    around: Places
    of_tail: Array


Weights = dict[str, Array]


def table_of(lines: Sequence[Sequence[str]]) -> dict[str, int]:
    """Where each frequent word and ending of these lines stands in the table."""
    seen = Counter(word for words in lines for word in words)
    endings: Counter[str] = Counter()
    for word, count in seen.items():
        endings[ending(word)] += min(count, RARE)
    kept = sorted(word for word, count in seen.items() if count >= RARE and not word.startswith("~"))
    kept += sorted(each for each, count in endings.items() if count >= RARE_ENDING)
    return {word: n for n, word in enumerate(kept, start=UNKNOWN + 1)}


def together(
    signs: Sequence[Array], words: Sequence[Places], endings: Sequence[Places], of_tail: Sequence[npt.NDArray[np.bool_]]
) -> Tokens:
    """The tokens of lines that were measured one by one."""
    count = sum(map(len, signs))
    around = np.full((count, 2 * REACH + 1), count, np.intp)
    start = 0
    for each in signs:
        end = start + len(each)
        for shift in range(-REACH, REACH + 1):
            rows = np.arange(max(start, start - shift), min(end, end - shift))
            around[rows, shift + REACH] = rows + shift
        start = end
    none = np.full((1, 2), NO_WORD, np.intp)
    return Tokens(
        np.concatenate([*signs, np.zeros((1, signs[0].shape[1]), np.float32)]),
        np.concatenate([*words, none]),
        np.concatenate([*endings, none]),
        around,
        np.concatenate(of_tail).astype(np.float32),
    )


def learned(tokens: Tokens, rows: int, seed: int) -> Weights:
    """The weights: `words`, `token`, `token_bias`, `token_out`, `token_out_bias`, as they will be written."""
    chance = np.random.default_rng(seed)
    weights = _first(tokens.signs.shape[1], rows, chance)
    means = {name: (np.zeros_like(each), np.zeros_like(each)) for name, each in weights.items()}
    steps = ROUNDS * -(-len(tokens.of_tail) // AT_ONCE)
    for n, chosen in enumerate(_chosen(len(tokens.of_tail), chance), start=1):
        slopes = _slopes(weights, tokens, chosen, chance)
        rate = RATE * min(1.0, n / 200) * (1.02 - n / steps)
        for name, slope in slopes.items():
            mean, square = means[name]
            mean += (1 - FIRST) * (slope - mean)
            square += (1 - SECOND) * (slope * slope - square)
            fair = rate * np.sqrt(1 - SECOND**n) / (1 - FIRST**n)
            weights[name] -= fair * mean / (np.sqrt(square) + TINY) + rate * DECAY * weights[name]
        weights["words"][NO_WORD] = 0.0
    return _rounded(weights)


def _first(signs: int, rows: int, chance: np.random.Generator) -> Weights:
    wide = 3 * signs + (2 * REACH + 1) * NUMBERS
    return {
        "words": chance.normal(0, 0.1, (rows, NUMBERS)).astype(np.float32),
        "token": chance.normal(0, 1 / np.sqrt(wide), (wide, UNITS)).astype(np.float32),
        "token_bias": np.zeros(UNITS, np.float32),
        "token_out": chance.normal(0, 0.3, UNITS).astype(np.float32),
        "token_out_bias": np.zeros(1, np.float32),
    }


def _chosen(count: int, chance: np.random.Generator) -> Iterator[Places]:
    """Tokens of a step: some side by side, for speed, and those from everywhere."""
    few = np.arange(SIDE_BY_SIDE)
    for _ in range(ROUNDS):
        starts = chance.permutation(np.arange(0, count - SIDE_BY_SIDE, SIDE_BY_SIDE))
        for at in range(0, len(starts), AT_ONCE // SIDE_BY_SIDE):
            yield (starts[at : at + AT_ONCE // SIDE_BY_SIDE, None] + few).ravel()


def _slopes(weights: Weights, tokens: Tokens, chosen: Places, chance: np.random.Generator) -> Weights:
    """How the loss over the chosen tokens changes with each weight."""
    around = tokens.around[chosen]
    count = len(chosen)
    places = tokens.words[around]
    places = np.where(chance.random(places.shape, np.float32) < FORGOTTEN, tokens.endings[around], places)
    near = tokens.signs[around]
    before, after = (near[:, 0] + near[:, 1]) / REACH, (near[:, -2] + near[:, -1]) / REACH
    table = weights["words"]
    words = ((table[places[:, :, 0]] + table[places[:, :, 1]]) / 2).reshape(count, -1)
    seen: Array = np.concatenate((before, near[:, REACH], after, words), axis=1)
    units = np.tanh(seen @ weights["token"] + weights["token_bias"])
    scores = units @ weights["token_out"] + weights["token_out_bias"][0]
    wrong = ((1 / (1 + np.exp(-np.clip(scores, -30, 30))) - tokens.of_tail[chosen]) / count).astype(np.float32)
    back = np.outer(wrong, weights["token_out"]) * (1 - units * units)
    numbers = (back @ weights["token"][-words.shape[1] :].T).reshape(-1, NUMBERS) / 2
    flat = places.reshape(-1, 2)
    at = np.arange(len(flat))
    shape = (len(weights["words"]), len(flat))
    which = csr_matrix((np.ones(2 * len(flat), np.float32), (flat.T.ravel(), np.tile(at, 2))), shape=shape)
    return {
        "words": np.asarray(which @ numbers, np.float32),
        "token": seen.T @ back,
        "token_bias": back.sum(axis=0),
        "token_out": units.T @ wrong,
        "token_out_bias": wrong.sum(keepdims=True),
    }


def _rounded(weights: Weights) -> Weights:
    written = {name: each.round(4) for name, each in weights.items()}
    whole = np.clip(np.rint(weights["words"] * FINENESS), -_LARGEST, _LARGEST)
    written["words"] = np.asarray(whole / FINENESS, np.float32)
    return written
