"""Small models that have seen thousands of phrasings no pattern was written for.

One is linear in words and character n-grams. One looks besides at the text's sentence embedding, which knows that two
words mean the same, and passes it through a hidden layer, which knows that two things may mean danger only together.
They stand behind the patterns and may only add to what those found. A model is one file of small weights, made by
`python -m training.train_screens` from lines that people wrote; nothing is learned while serving.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from careline.errors import PackInvalid
from careline.ports import Vector
from careline.safety.rules.plain_text import Plain

BUCKETS = 1 << 18
"""Places that features are hashed into."""
LONGEST = 120
"""Words that are read; longer texts are read in windows of this size that overlap by half."""
LONGEST_WORD = 60
"""Letters of a word; a text of longer ones alone says nothing."""
Shares = npt.NDArray[np.float32]
"""How likely a text is of each class, together 1."""
Places = npt.NDArray[np.int64]
"""Where the features of one window of a text stand among the weights."""
LITTLE = 0.04
"""A share that nobody has to ask the sentence embedding about. Of 32,325 lines of danger and 12,049 of advice, judged
unseen, it finds none and 16 that words settle otherwise (docs/decisions/0005)."""
Verdict = TypeVar("Verdict")
_SHORTEST_GRAM, _LONGEST_GRAM = 3, 5


@dataclass(frozen=True, slots=True)
class Classification:
    """What a text was taken for. `share`, 0 to 1, is how likely it is of the label's group; `alone` of the label."""

    label: str
    share: float
    alone: float

    @property
    def reason(self) -> str:
        """The finding as it stands among a verdict's reasons."""
        return f"learned/{self.label}/{self.share:.2f}"


@dataclass(frozen=True, slots=True)
class _Held:
    classes: tuple[str, ...]
    groups: tuple[int, ...]
    weights: npt.NDArray[np.int8]
    scale: npt.NDArray[np.float32]
    bias: npt.NDArray[np.float32]
    middle: npt.NDArray[np.float32]
    """The mean of sentence embeddings, shape (dimensions,); no dimensions in a model that looks at words alone."""
    hidden: npt.NDArray[np.float32]
    """Weights of a sentence embedding's dimensions for the units of the hidden layer, shape (units, dimensions)."""
    hidden_bias: npt.NDArray[np.float32]
    out: npt.NDArray[np.float32]
    """What each unit says of each class, shape (units, classes)."""
    languages: tuple[str, ...]
    thresholds: npt.NDArray[np.float32]
    trained_on: str


class Classifier:
    """One trained model; its file is read when first used. Safe to use from several threads at once.

    Classes are told apart in groups: a group is found when its classes together are likely enough. Group 0 is what
    needs no finding; the others come in order of precedence. Every language has its own threshold for each group.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def load(self) -> None:
        """Read the file, if it has not been read. Raises: PackInvalid."""
        _ = self._model

    def find(
        self,
        windows: Sequence[Places],
        language: str | None,
        sentence_embedding: Vector | None = None,
        parts: Sequence[Shares] = (),
    ) -> Classification | None:
        """What a text is taken for; None for group 0. A long text is what its most telling window is.

        `sentence_embedding` is the text's own, for a model that looks at it. `parts` is what is thought of the text's
        clauses: for group 1, the mean of the whole and a clause, its odds divided by their number, counts where that
        tells more than the whole. An unknown language is judged by the strictest threshold. Raises: PackInvalid when
        the file cannot be read.
        """
        shares = self.shares(windows, sentence_embedding)
        if not shares:
            return None
        held, thresholds = self._model, self._thresholds(language)
        for group in range(1, max(held.groups) + 1):
            members = [n for n, of in enumerate(held.groups) if of == group]
            best = _with_parts(shares, parts, members) if group == 1 else _most_telling(shares, members)
            if best[members].sum() >= thresholds[group]:
                likeliest = max(members, key=lambda n: float(best[n]))
                return Classification(held.classes[likeliest], float(best[members].sum()), float(best[likeliest]))
        return None

    def shares(self, windows: Sequence[Places], sentence_embedding: Vector | None = None) -> list[Shares]:
        """How likely each window of a text is of each class."""
        if not windows:
            return []
        meant = self._meant(sentence_embedding)
        return [self._shares(window, meant) for window in windows]

    def telling(self, shares: Sequence[Shares], parts: Sequence[Shares]) -> Shares:
        """The window that tells most of group 1, or its mean with a clause where that tells more."""
        return _with_parts(shares, parts, [n for n, of in enumerate(self._model.groups) if of == 1])

    def columns_of(self, labels: Collection[str]) -> list[int]:
        """Where the shares of these classes stand."""
        return [n for n, label in enumerate(self._model.classes) if label in labels]

    def threshold(self, group: int, language: str) -> float:
        """From which share on a group counts as found."""
        return float(self._model.thresholds[self._model.languages.index(language), group])

    def _thresholds(self, language: str | None) -> npt.NDArray[np.float32]:
        held = self._model
        if language in held.languages:
            return np.asarray(held.thresholds[held.languages.index(language)])
        return np.asarray(held.thresholds.max(axis=0))

    @property
    def trained_on(self) -> str:
        """Digest of the lines that the model was trained on."""
        return self._model.trained_on

    def _meant(self, sentence_embedding: Vector | None) -> Any:
        """What the sentence embedding adds to the sum of each class."""
        held = self._model
        if sentence_embedding is None or not len(held.middle):
            return np.float32(0)
        # Unit by unit: the threads that a product of matrices is given wait for one another while the embedder works.
        units = np.vecdot(held.hidden, sentence_embedding - held.middle) + held.hidden_bias
        return np.maximum(units, 0) @ held.out

    def _shares(self, places: Places, meant: Any) -> Shares:
        held = self._model
        sums = held.weights[places].sum(axis=0, dtype=np.int32) * held.scale / np.sqrt(max(1, len(places)))
        sums = sums + held.bias + meant
        shares = np.exp(sums - sums.max())
        return np.asarray(shares / shares.sum(), np.float32)

    @cached_property
    def _model(self) -> _Held:
        try:
            with np.load(self._file, allow_pickle=False) as file:
                return _Held(
                    tuple(map(str, file["classes"])),
                    tuple(map(int, file["groups"])),
                    file["weights"],
                    file["scale"],
                    file["bias"],
                    file["middle"],
                    np.ascontiguousarray(file["hidden"].T, np.float32),
                    file["hidden_bias"],
                    file["out"],
                    tuple(map(str, file["languages"])),
                    file["thresholds"],
                    str(file["trained_on"]),
                )
        except (OSError, KeyError, ValueError):
            name = "/".join(self._file.parts[-3:])
            raise PackInvalid(f"{name} cannot be read; python -m training.train_screens makes it") from None


@dataclass(frozen=True, slots=True)
class Classifiers:
    """What stands behind one screen: the model of words, and the one that looks at the sentence embedding too, if there
    is one."""

    words: Classifier
    semantic: Classifier | None = None

    def load(self) -> None:
        """Read the files of both, for which no text has to wait then. Raises: PackInvalid."""
        for each in (self.words, self.semantic):
            if each is not None:
                each.load()

    def read(self, windows: Sequence[Places], clauses: Sequence[Plain] = ()) -> LexicalReading:
        """What the words of a text say, of which these are the `places`. Raises: PackInvalid."""
        parts = [part for clause in clauses for part in self.words.shares(places(clause))]
        return LexicalReading(self, windows, self.words.shares(windows), parts)


@dataclass(frozen=True, slots=True)
class LexicalReading:
    """What the words of one text say, before anybody looks at its sentence embedding."""

    models: Classifiers
    windows: Sequence[Places]
    shares: Sequence[Shares]
    parts: Sequence[Shares]

    def may_be(self, labels: Collection[str]) -> bool:
        """Whether words leave it open that the text is of one of these classes."""
        return self._open(lambda share: float(share.sum()) >= LITTLE, labels)

    def may_not_be(self, labels: Collection[str]) -> bool:
        """Whether words leave it open that the text is of none of these classes, or of which of them."""
        return self._open(lambda share: float(share.max()) <= 1 - LITTLE, labels)

    def find(self, language: str | None, sentence_embedding: Vector | None = None) -> Classification | None:
        """What the text is taken for, by its words where there is no sentence embedding."""
        semantic = None if sentence_embedding is None else self.models.semantic
        return (semantic or self.models.words).find(self.windows, language, sentence_embedding, self.parts)

    def _open(self, says: Callable[[Shares], bool], labels: Collection[str]) -> bool:
        if self.models.semantic is None or not self.shares:
            return False
        if len(self.shares) > 1:
            # Each may tell of another class.
            return True
        words, of = self.models.words, self.models.words.columns_of(labels)
        return any(says(each[of]) for each in (self.shares[0], words.telling(self.shares, self.parts)))


@dataclass(frozen=True, slots=True)
class FirstLook(Generic[Verdict]):
    """What a screen makes of a text by patterns and words.

    `in_doubt` says whether the text's sentence embedding may change that; where it may not, none needs to be made.
    """

    in_doubt: bool
    judge: Callable[[Vector | None], Verdict]

    def verdict(self, sentence_embedding: Vector | None = None) -> Verdict:
        """The verdict; without a sentence embedding, that of patterns and words."""
        return self.judge(sentence_embedding if self.in_doubt else None)


def models(folder: Path, name: str) -> Classifiers | None:
    """The models of one screen in a folder of them; None where they are not there."""
    words, semantic = (folder / f"{each}.npz" for each in (name, f"{name}_semantic"))
    if not words.is_file():
        return None
    return Classifiers(Classifier(words), Classifier(semantic) if semantic.is_file() else None)


def _most_telling(shares: Sequence[Shares], members: list[int]) -> Shares:
    return max(shares, key=lambda each: float(each[members].sum()))


def _with_parts(shares: Sequence[Shares], parts: Sequence[Shares], members: list[int]) -> Shares:
    best = _most_telling(shares, members)
    return _most_telling([best, *(_one_of(len(parts), _mean(best, part), members) for part in parts)], members)


def _one_of(parts: int, share: Shares, members: list[int]) -> Shares:
    """The odds of these classes by the number of parts: of many, one looks like danger by chance."""
    less = share.copy()
    less[members] /= parts
    return np.asarray(less / less.sum(), np.float32)


def _mean(one: Shares, other: Shares) -> Shares:
    """The geometric mean, which is that of the sums that the shares were made of."""
    mean = np.sqrt(one) * np.sqrt(other)
    return np.asarray(mean / mean.sum(), np.float32)


def places(text: Plain) -> list[Places]:
    """The features of each window of a text; none for a text that says nothing."""
    words = text.split()
    if not any(word.isalnum() and len(word) <= LONGEST_WORD for word in words):
        return []
    return [np.fromiter(features(window), np.int64) for window in _windows(words)]


def features(words: list[str]) -> set[int]:
    """Places of a text's features: words, pairs of words one or two apart, and parts of words."""
    return {zlib.crc32(each) % BUCKETS for each in _written([word.encode() for word in words])}


def _written(words: list[bytes]) -> Iterator[bytes]:
    padded = [b"<", *words, b">"]
    for n, word in enumerate(padded):
        yield b"w %b" % word
        if n + 1 < len(padded):
            yield b"p %b %b" % (word, padded[n + 1])
        if n + 2 < len(padded):
            yield b"s %b %b" % (word, padded[n + 2])
    for word in words:
        edged = b"_%b_" % word
        for size in range(_SHORTEST_GRAM, _LONGEST_GRAM + 1):
            for start in range(len(edged) - size + 1):
                yield edged[start : start + size]


def _windows(words: list[str]) -> Iterator[list[str]]:
    for start in range(0, max(1, len(words) - LONGEST // 2), LONGEST // 2):
        yield words[start : start + LONGEST]
