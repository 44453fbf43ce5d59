"""Trains the models behind the safety patterns: `python -m training.train_screens`.

Reads `lines`, `development` and `reference` beside it: lines that people wrote, and templates whose slots are filled
with a fixed seed. Needs scikit-learn (`requirements/training.txt` has it); what it writes does not. The threshold of
each language is where the share of lines named in `false_alarms` would be found wrongly, or where F1 is best, judged on
lines that the model which judged them had not seen; half of what they count is for the lines that strangers wrote.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

import careline_artefacts
import careline_packs
from careline.model import LANGUAGES
from careline.safety.clauses import clauses
from careline.safety.injection import planted_text
from careline.safety.rules.plain_text import Plain, normalise, normalise_answer
from careline.text.sentences import split
from training import screen_models
from training.reader.pages import TrainingPage, read_pages

HERE = Path(__file__).parent
FOLDER = HERE / "lines"
DEVELOPMENT = HERE / "development"
REFERENCE = HERE / "reference"
PACKS = careline_packs.FOLDER
DOCUMENTS = HERE.parent / "local" / "careline_local" / "demo" / "documents"
TARGET = careline_artefacts.FOLDER / "screens" / "hospital_line"
PER_TEMPLATE = 3
"""Sentences made of each template."""
NAMED = {"injections": "true", "ordinary": "false"}
"""What the reference lines of the injection screen call the classes."""
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Head:
    """One model: its file, the classes it tells apart with the group of each, and how text is made plain.

    `lines` has a folder a language with the lines written for it, `target` is where its models go; its
    thresholds are judged on those lines alone or, with `beside`, on all that is known to be harmless too.
    `false_alarms` is, for each group, the share of lines outside the group that it may wrongly find; a group without
    one is found from where its F1 is best, since missing it and finding it wrongly do the same harm. `parted` says that
    group 1 is looked for in each clause too.
    """

    name: str
    classes: dict[str, int]
    false_alarms: tuple[float | None, ...]
    plain: Callable[[str], Plain]
    parted: bool = False
    lines: Path = FOLDER
    target: Path = TARGET
    beside: bool = False


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
        (None, 0.02, None, None, None, None, None),
        normalise,
        parted=True,
    ),
    Head("answers", {"SAFE": 0, "ADVICE": 1}, (None, 0.04), normalise_answer, parted=True),
    Head("injections", {"false": 0, "true": 1}, (None, 0.004), normalise),
    Head(
        "planted_text",
        {"CLEAN": 0, planted_text.PLANTED: 1},
        (None, 0.002),
        normalise_answer,
        lines=HERE / "planted_text",
        target=planted_text.FOLDER,
        beside=True,
    ),
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
    """What else is known to be harmless: each part of what is harmless as a whole; questions to the demo hospital and
    what callers say of themselves; to the screen on injections all that callers say; to that on answers the demo
    hospital's documents and our replies."""
    first = next(iter(head.classes))
    if head.parted:
        for file in files(head, language):
            for label, text in written(file):
                parts = _parts(head, text, language) if label == first else ()
                yield from (Line(language, first, part, text) for part in parts)
    more: Iterable[str] = ()
    if head.name == "utterances":
        more = [*_questions(language), *_particulars(language)]
    elif head.name == "injections":
        more = [text for file in sorted((FOLDER / language).glob("utterances_*.tsv")) for _, text in written(file)]
    elif head.name == "answers":
        more = [*_documents(language), *_replies(language)]
    elif head.name == "planted_text":
        more = [*_documents(language), *_reader_pages(language), *_safe_answers(language)]
    yield from (Line(language, first, text, text) for text in more)


def _parts(head: Head, text: str, language: str) -> Iterable[str]:
    """The clauses of a text, and the sentences of an answer that has several."""
    sentences = split(text, language) if head.name == "answers" else [text]
    several = sentences if len(sentences) > 1 else []
    return dict.fromkeys([*several, *(part for sentence in sentences for part in clauses(sentence, language))])


def _questions(language: str) -> list[str]:
    """Questions to the demo hospital, those that may be looked at."""
    held = yaml.safe_load((DEVELOPMENT / language / "questions.yaml").read_text(encoding="utf-8"))
    return [one["text"] for one in held["questions"] if one["kind"] != "unanswerable"]


def _particulars(language: str) -> list[str]:
    """What callers say of themselves, with numbers in words that no dose is meant by; those in danger are labelled."""
    held = map(json.loads, (DEVELOPMENT / language / "phi.jsonl").read_text(encoding="utf-8").splitlines())
    return [line["text"] for line in held if line["spans"] and "label" not in line]


def _replies(language: str) -> list[str]:
    held = [yaml.safe_load(file.read_text(encoding="utf-8")) for file in PACKS.glob(f"*/replies/{language}.yaml")]
    return [text for replies in held for text in replies.values()]


def _documents(language: str) -> list[str]:
    sources = sorted((DOCUMENTS / language).glob("*.md"))
    found = [one for file in sources for one in split(file.read_text(encoding="utf-8"), language)]
    return list(dict.fromkeys(" ".join(one.split()) for one in found if len(one.split()) > 3))


def _safe_answers(language: str) -> list[str]:
    """What explains and advises nothing, of those lines that the screen of answers learns from."""
    lots = sorted((FOLDER / language).glob("answers_*.tsv"))
    return list(dict.fromkeys(text for file in lots for label, text in written(file) if label == "SAFE"))


def _reader_pages(language: str) -> list[str]:
    """What the pages say that the reader learns from: windows of a few sentences, single ones and cells."""
    pages = [page for page in _pages() if page.language == language]
    return list(dict.fromkeys(piece.text for page in pages for piece in (*page.windows, *page.parts)))


@cache
def _pages() -> list[TrainingPage]:
    return read_pages()


def files(head: Head, language: str) -> list[Path]:
    """The files of lines that a head learns from: those written for it, the development set, and the reference
    lines that were written beside the patterns."""
    ours = sorted((head.lines / language).glob(f"{head.name}_*.tsv"))
    beside = DEVELOPMENT / language / f"{head.name}.jsonl", REFERENCE / head.name / f"{language}.yaml"
    return [*ours, *(file for file in beside if file.is_file())]


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


def train(head: Head) -> None:
    """Write the models of one head, of words alone and with their meaning, and say how each does on lines unseen."""
    written = [line for language in LANGUAGES for line in material(head, language)]
    lines, groups = _prepared(head, written), np.array(list(head.classes.values()))
    judged = screen_models.unseen(lines, groups)
    for model, shares in zip(screen_models.fit(lines), judged, strict=True):
        _write(head, model, thresholds(head, written, shares))


def _prepared(head: Head, written: Sequence[Line]) -> screen_models.Lines:
    """What models are fitted to. Only lines that decide thresholds are looked at clause by clause."""
    parted = [clauses(line.text, line.language) if head.parted and line.written else [] for line in written]
    origins = {line.origin: n for n, line in enumerate(written)}
    return screen_models.Lines(
        screen_models.bags([head.plain(line.text) for line in written]),
        screen_models.embedded([line.text for line in written]),
        np.array([list(head.classes).index(line.label) for line in written]),
        np.array([origins[line.origin] for line in written]),
        screen_models.bags([head.plain(part) for parts in parted for part in parts]),
        np.array([n for n, parts in enumerate(parted) for _ in parts], np.int64),
    )


def thresholds(head: Head, lines: Sequence[Line], judged: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """From which share on a group counts as found; shape (languages, groups), as `judged` is (lines, groups)."""
    groups = np.array(list(head.classes.values()))
    found = np.zeros((len(LANGUAGES), groups.max() + 1), np.float32)
    for row, language in enumerate(LANGUAGES):
        own = np.array([line.language == language and (line.written or head.beside) for line in lines])
        blind = np.array([line.blind for line in lines])[own]
        groups_of = np.array([head.classes[line.label] for line in lines])[own]
        for group in range(1, groups.max() + 1):
            share, inside = judged[own, group], groups_of == group
            most = head.false_alarms[group]
            found[row, group] = (
                best_f1(share, inside, weights(blind))
                if most is None
                else allowing(most, share[~inside], weights(blind[~inside]))
            )
            right, wrong = (float((share[blind & each] >= found[row, group]).mean()) for each in (inside, ~inside))
            print(f"{language} group {group} from {found[row, group]:.2f}: {right:.3f} of blind, {wrong:.3f} wrongly")  # noqa: T201
    return found


def weights(blind: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """What each line counts, together 1, half of it for strangers' lines.

    Those are like life but few; the others are many but written to look like what a group is.
    """
    counted = np.where(blind, 1 / max(1, blind.sum()), 1 / max(1, (~blind).sum()))
    return np.asarray(counted / counted.sum())


def best_f1(share: npt.NDArray[np.float64], inside: npt.NDArray[np.bool_], weights: npt.NDArray[np.float64]) -> float:
    """The share from which what is found has the best F1, 2 * right / (found + wanted)."""
    falling = np.argsort(-share)
    right = np.cumsum((weights * inside)[falling])
    f1 = 2 * right / (np.cumsum(weights[falling]) + (weights * inside).sum())
    # Lines of the same share are found together: only after the last of them a threshold is possible.
    last = np.append(np.diff(share[falling]) != 0, True)
    return float(share[falling][last][np.argmax(f1[last])])


def allowing(rate: float, outside: npt.NDArray[np.float64], weights: npt.NDArray[np.float64]) -> float:
    """The share that not more than `rate` of the lines outside a group reach."""
    falling = np.argsort(-outside)
    reached = np.cumsum(weights[falling])
    first_too_many = int(np.searchsorted(reached, rate, side="right"))
    return float(np.nextafter(np.float32(outside[falling][first_too_many]), np.float32(1)))


def _write(head: Head, model: screen_models.Fitted, thresholds: npt.NDArray[np.float32]) -> None:
    scale = np.abs(model.words).max(axis=1) / 127
    head.target.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        head.target / f"{head.name}{'_semantic' if len(model.middle) else ''}.npz",
        middle=model.middle.astype(np.float32),
        hidden=model.hidden.astype(np.float16),
        hidden_bias=model.hidden_bias.astype(np.float32),
        out=model.out.astype(np.float32),
        classes=np.array(list(head.classes)),
        groups=np.array(list(head.classes.values())),
        weights=np.rint(model.words / scale[:, None]).astype(np.int8).T,
        scale=scale.astype(np.float32),
        bias=model.bias.astype(np.float32),
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
