"""Trains the linear models behind the safety patterns: `python -m infra.local.train_screens`.

Reads `infra/local/training/<lang>`: lines that were written for this, and templates whose slots are filled with a fixed
seed. Needs scikit-learn (`requirements/test.txt` has it); what it writes into the pack does not. The threshold of each
language is where the share of lines named in `false_alarms` would be found wrongly, judged on lines that the model
which judged them had not seen; lower, where so few of the lines that strangers wrote would be that it may be.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

from careline.model import LANGUAGES
from careline.ports import Matrix, Vector
from careline.safety.learned import BUCKETS, features
from careline.safety.plain_text import Plain, normalise, normalise_answer
from careline.sentences import split

FOLDER = Path(__file__).parent / "training"
TESTS = Path(__file__).parents[2] / "tests"
PACKS = Path(__file__).parents[2] / "layers" / "packs"
DOCUMENTS = Path(__file__).parent / "demo" / "documents"
TARGET = Path(__file__).parents[2] / "layers" / "packs" / "hospital_line" / "learned"
PER_TEMPLATE = 3
"""Sentences made of each template."""
FOLDS = 3
NAMED = {"injections": "true", "ordinary": "false"}
"""What the tests of the injection screen call the classes."""
STRENGTH = 30.0
"""Inverse regularisation of the regression on words."""
STRICTER = 0.65
"""What of the false alarms is left to the model of words alone, which knows less and catches less for each."""
LIKE_LIFE, ENOUGH_FOUND = 0.5, 3
"""The share of the false alarms that strangers' lines may have, which are less contrived than lines written to look
like danger; and how many lines that must be to settle a threshold."""
STRENGTH_WITH_MEANING = 30.0
WEIGHT_OF_MEANING = 1.5
"""How much a vector counts beside the words, before the regression weighs both."""
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Head:
    """One model: its file, the classes it tells apart with the group of each, and how text is made plain.

    `false_alarms` is, for each group, the share of lines outside the group that it may wrongly find.
    """

    name: str
    classes: dict[str, int]
    false_alarms: tuple[float, ...]
    plain: Callable[[str], Plain]


HEADS = (
    Head(
        "utterances",
        {
            "FALLTHROUGH": 0,
            "EMERGENCY": 1,
            "SAFETY_REFUSAL": 1,
            "HANDOFF_REQUEST": 2,
            "REPEAT_REQUEST": 3,
            "OFF_TOPIC_PERSONAL": 4,
            "FAREWELL": 5,
            "GREETING": 6,
        },
        (1.0, 0.03, 0.006, 0.006, 0.008, 0.006, 0.006),
        normalise,
    ),
    Head("answers", {"SAFE": 0, "ADVICE": 1}, (1.0, 0.015), normalise_answer),
    Head("injections", {"false": 0, "true": 1}, (1.0, 0.008), normalise),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line to learn from. Lines of one `origin` are never on both sides of a fold; those `written` for this very
    screen, to tell its classes apart, decide its thresholds; `blind` ones, of people who knew the classes alone, tell
    how it will do on strangers."""

    language: str
    label: str
    text: str
    origin: str
    written: bool = False
    blind: bool = False


def material(head: Head, language: str) -> Iterator[Line]:
    """Lines of one language, written and made."""
    chance = random.Random(f"{head.name}/{language}")  # noqa: S311  # a fixed seed, so that training can be repeated
    made = templates(language)
    lists: dict[str, list[str]] = made.pop("lists", {})
    for file in files(head, language):
        for label, text in written(file):
            if label in head.classes:
                yield Line(language, label, text, text, written=True, blind=file.suffix == ".jsonl")
    yield from harmless(head, language)
    for label in sorted(set(made) & set(head.classes)):
        for template in made[label]:
            for _ in range(PER_TEMPLATE):
                yield Line(language, label, _filled(template, lists, chance), template)


def harmless(head: Head, language: str) -> Iterator[Line]:
    """What else is known to be harmless: questions to the demo hospital; to the screen on injections whatever callers
    say; to the one on answers the demo hospital's documents, our replies and each sentence of a harmless answer."""
    first = next(iter(head.classes))
    if head.name == "utterances":
        yield from (Line(language, first, text, text) for text in _questions(language))
    if head.name == "injections":
        for file in sorted((FOLDER / language).glob("utterances_*.tsv")):
            yield from (Line(language, first, text, text) for _, text in written(file))
    if head.name == "answers":
        for file in files(head, language):
            for label, text in written(file):
                parts = split(text, language) if label == first else []
                yield from (Line(language, first, part, text) for part in parts if len(parts) > 1)
        yield from (Line(language, first, text, text) for text in (*_documents(language), *_replies(language)))


def _questions(language: str) -> list[str]:
    """Questions to the demo hospital, those that may be looked at."""
    held = yaml.safe_load((TESTS / "evaluation" / "answers" / f"{language}.yaml").read_text(encoding="utf-8"))
    return [one["text"] for one in held["questions"] if one["part"] == "open" and one["kind"] != "unanswerable"]


def _replies(language: str) -> list[str]:
    held = [yaml.safe_load(file.read_text(encoding="utf-8")) for file in PACKS.glob(f"*/replies/{language}.yaml")]
    return [text for replies in held for text in replies.values()]


def _documents(language: str) -> list[str]:
    sources = sorted((DOCUMENTS / language).glob("*.md"))
    found = [one for file in sources for one in split(file.read_text(encoding="utf-8"), language)]
    return list(dict.fromkeys(" ".join(one.split()) for one in found if len(one.split()) > 3))


def files(head: Head, language: str) -> list[Path]:
    """The files of lines that a head learns from: those written for it, the open part of the evaluation's, and the
    lines that tests hold to be right."""
    ours = sorted((FOLDER / language).glob(f"{head.name}_*.tsv"))
    guards = TESTS / "safety" / head.name / f"{language}.yaml"
    return [*ours, TESTS / "evaluation" / language / f"{head.name}.open.jsonl", *([guards] if guards.is_file() else [])]


def written(file: Path) -> Iterator[tuple[str, str]]:
    """Label and text of each line of a file."""
    if file.suffix == ".yaml":
        for label, texts in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            yield from (
                (NAMED.get(label, label), " ".join(text) if isinstance(text, list) else str(text)) for text in texts
            )
        return
    for line in file.read_text(encoding="utf-8").splitlines():
        if file.suffix == ".jsonl":
            held = json.loads(line)
            yield str(held["label"]) if "label" in held else str(held["injection"]).lower(), held["text"]
        elif "\t" in line:
            label, text = line.split("\t", 1)
            yield label.strip(), text.strip()


def templates(language: str) -> dict[str, Any]:
    """Templates by class, and under `lists` what their slots are filled from."""
    file = FOLDER / language / "templates.yaml"
    return yaml.safe_load(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _filled(template: str, lists: dict[str, list[str]], chance: random.Random) -> str:
    return _SLOT.sub(lambda found: chance.choice(lists[found[1]]), template)


def matrix(lines: Sequence[Line], head: Head, vectors: Matrix | None) -> Any:
    """One row per line: its words, of length 1 together as at run time, and its vector beside them if there is one."""
    from scipy.sparse import csr_matrix, hstack

    places: list[int] = []
    starts = [0]
    values: list[npt.NDArray[np.float32]] = []
    for line in lines:
        found = features(head.plain(line.text).split())
        places.extend(found)
        starts.append(len(places))
        values.append(np.full(len(found), 1 / np.sqrt(max(1, len(found))), np.float32))
    words = csr_matrix((np.concatenate(values), places, starts), (len(lines), BUCKETS))
    return words if vectors is None else hstack([words, csr_matrix(vectors * WEIGHT_OF_MEANING)]).tocsr()


def embedded(lines: Sequence[Line]) -> Matrix:
    """The vector of every line, as `ports.UtteranceEmbedder` gives it."""
    from careline.engines.embedded.embedder import E5Embedder

    return E5Embedder().embed("query: ", [line.text for line in lines])


def _model(strength: float) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=strength, class_weight="balanced", max_iter=1000, tol=1e-4)


def unseen(
    rows: Any, labels: npt.NDArray[np.int64], origins: Sequence[str], strength: float
) -> npt.NDArray[np.float64]:
    """Shape (lines, classes): how likely each line is of each class, by a model that had not seen its origin."""
    from sklearn.model_selection import GroupKFold

    judged = np.zeros((len(labels), labels.max() + 1))
    for taught, asked in GroupKFold(FOLDS).split(rows, labels, origins):
        judged[asked] = _model(strength).fit(rows[taught], labels[taught]).predict_proba(rows[asked])
    return judged


def train(head: Head) -> None:
    """Write the models of one head, of words alone and with their meaning."""
    lines = [line for language in LANGUAGES for line in material(head, language)]
    vectors = embedded(lines)
    middle = vectors.mean(axis=0)
    _train(head, lines, matrix(lines, head, None), STRENGTH, middle)
    _train(head, lines, matrix(lines, head, vectors - middle), STRENGTH_WITH_MEANING, middle)


def _train(head: Head, lines: Sequence[Line], rows: Any, strength: float, middle: Vector) -> None:
    """Write one model and say how it does on lines it has not seen."""
    labels = np.array([list(head.classes).index(line.label) for line in lines])
    judged = unseen(rows, labels, [line.origin for line in lines], strength)
    meaning = rows.shape[1] > BUCKETS
    found = thresholds(head, lines, judged, 1.0 if meaning else STRICTER)
    _write(head, _model(strength).fit(rows, labels), found, middle)


def thresholds(
    head: Head, lines: Sequence[Line], judged: npt.NDArray[np.float64], allowed: float
) -> npt.NDArray[np.float32]:
    """From which share on a group counts as found; shape (languages, groups). `allowed` is of the false alarms."""
    groups = np.array(list(head.classes.values()))
    found = np.zeros((len(LANGUAGES), groups.max() + 1), np.float32)
    for row, language in enumerate(LANGUAGES):
        own = np.array([line.language == language and line.written for line in lines])
        blind = np.array([line.blind for line in lines])[own]
        groups_of = np.array([head.classes[line.label] for line in lines])[own]
        for group in range(1, groups.max() + 1):
            share, inside = judged[own][:, groups == group].sum(axis=1), groups_of == group
            rate = head.false_alarms[group] * allowed
            found[row, group] = np.quantile(share[~inside], 1 - rate)
            if (blind & ~inside).sum() * rate * LIKE_LIFE >= ENOUGH_FOUND:
                strangers = np.quantile(share[blind & ~inside], 1 - rate * LIKE_LIFE)
                found[row, group] = min(found[row, group], strangers)
            right, wrong = (float((share[blind & each] >= found[row, group]).mean()) for each in (inside, ~inside))
            print(f"{language} group {group} from {found[row, group]:.2f}: {right:.3f} of blind, {wrong:.3f} wrongly")  # noqa: T201
    return found


def _write(head: Head, model: Any, thresholds: npt.NDArray[np.float32], middle: Vector) -> None:
    two = len(head.classes) == 2
    both = np.vstack([-model.coef_, model.coef_]) / 2 if two else model.coef_
    bias = np.concatenate([-model.intercept_, model.intercept_]) / 2 if two else model.intercept_
    weights, directions = both[:, :BUCKETS], WEIGHT_OF_MEANING * both[:, BUCKETS:].T
    if len(directions):
        bias = bias - middle @ directions
    scale = np.abs(weights).max(axis=1) / 127
    TARGET.mkdir(exist_ok=True)
    np.savez_compressed(
        TARGET / f"{head.name}{'_meaning' if len(directions) else ''}.npz",
        directions=directions.astype(np.float32),
        classes=np.array(list(head.classes)),
        groups=np.array(list(head.classes.values())),
        weights=np.rint(weights / scale[:, None]).astype(np.int8).T,
        scale=scale.astype(np.float32),
        bias=bias.astype(np.float32),
        languages=np.array(LANGUAGES),
        thresholds=thresholds,
        trained_on=np.array(digest(head)),
    )


def digest(head: Head) -> str:
    """Digest of the files that a head learns from; a test compares it with the model's."""
    held = [file for each in LANGUAGES for file in (*files(head, each), FOLDER / each / "templates.yaml")]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in held if file.is_file())).hexdigest()


def main(names: Sequence[str] = ()) -> None:
    """Train the heads of these names; every head when there are none."""
    for head in (one for one in HEADS if not names or one.name in names):
        print(head.name)  # noqa: T201
        train(head)


if __name__ == "__main__":
    main(sys.argv[1:])
