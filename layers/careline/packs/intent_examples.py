"""Reads the examples of intents that a pack brings itself: what its users say who want something of their own.

`intents/<language>.yaml` lists them by label. What stands among the examples of the shipped classifier that the pack
names is not the pack's own: a copied folder adds nothing. What is made of its own ones by `careline pack compile`
(`careline.understanding.intents.own_head`) stands beside pack.yaml and counts as long as they stand as they did.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import yaml

import careline_packs
from careline.errors import PackInvalid

FOLDER, COMPILED = "intents", "intents.npz"
"""Names in a pack's folder: of the folder with its examples, and of the file that is made of them."""
OTHER = "general"
LEAST = 8
"""Examples, of all languages together, from which on a label can be told that no shipped classifier knows."""


@dataclass(frozen=True, slots=True)
class IntentExample:
    """What somebody says who wants what `label` names, in a language."""

    language: str
    label: str
    text: str

    @property
    def plain(self) -> str:
        """The text as it is compared with others."""
        return " ".join(self.text.casefold().split())


def own_examples(
    folder: Path, languages: Sequence[str], intents: Collection[str], shipped: str | None
) -> list[IntentExample]:
    """The examples of a pack's folder that are its own; none where it has no such folder, or only what is shipped.

    `shipped` names the pack whose examples the shipped classifier was fitted to. Raises: PackInvalid, which says what
    to do about a bad file, and about a label that nobody has examples of.
    """
    if folder.parent.resolve() == careline_packs.FOLDER.resolve():
        return []
    files = sorted((folder / FOLDER).glob("*.yaml"))
    if shipped is None:
        if files:
            raise PackInvalid(
                f"{folder.name}/pack.yaml: intent_classifier: is needed beside {FOLDER}/; name the shipped one that "
                f"the examples add to: {', '.join(classifiers())}"
            )
        return []
    files = [file for file in files if not _is_copy(file, shipped)]
    if not files and set(intents) <= set(_listed(shipped)):
        return []
    known = {(one.language, one.label, one.plain) for one in shipped_examples(shipped)}
    written = [one for file in files for one in _examples(file, languages)]
    own = [one for one in written if (one.language, one.label, one.plain) not in known]
    _refuse_unlisted(folder, own, intents)
    _refuse_twice(folder, own)
    _refuse_too_few(folder, own, intents, {label for _, label, _ in known})
    return own


def compiled(folder: Path, own: Sequence[IntentExample]) -> Path | None:
    """The file that was made of a pack's own examples; None where it has none. Raises: PackInvalid where it is missing,
    or the examples were changed since."""
    if not own:
        return None
    file, named = folder / COMPILED, f"{folder.name}/{COMPILED}"
    try:
        with file.open("rb") as content, np.load(content, allow_pickle=False) as held:
            made_of = str(held["made_of"])
    except FileNotFoundError:
        raise PackInvalid(f"{named} is missing; `careline pack compile` makes it of {FOLDER}/") from None
    except (OSError, EOFError, KeyError, ValueError, BadZipFile):
        raise PackInvalid(f"{named} cannot be read; `careline pack compile` makes it anew") from None
    if made_of != digest(own):
        raise PackInvalid(
            f"{folder.name}/{FOLDER}: the examples were changed since {COMPILED} was made; run `careline pack compile`"
        )
    return file


def digest(of: Sequence[IntentExample]) -> str:
    """By which it is seen whether examples stand as they did; their order counts for nothing."""
    told = sorted(f"{one.language}\t{one.label}\t{one.text}" for one in of)
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def classifiers() -> list[str]:
    """The packs whose examples a shipped classifier was fitted to."""
    return sorted({file.parent.parent.name for file in careline_packs.FOLDER.glob(f"*/{FOLDER}/*.yaml")})


@cache
def shipped_examples(name: str) -> tuple[IntentExample, ...]:
    """What a shipped classifier was fitted to: the examples of its pack, and those of others for labels that it lists.

    Raises: PackInvalid for a name that no shipped classifier has.
    """
    wanted = set(_listed(name)) - {OTHER}
    found = []
    for file in sorted(careline_packs.FOLDER.glob(f"*/{FOLDER}/*.yaml")):
        is_own = file.parent.parent.name == name
        for label, texts in _read(file).items():
            if is_own or label in wanted:
                found += [IntentExample(file.stem, label, text) for text in texts]
    return tuple(found)


def _listed(name: str) -> list[str]:
    """The labels of the pack of a shipped classifier."""
    if name not in classifiers():
        raise PackInvalid(f"intent_classifier: there is none called {name}; known: {', '.join(classifiers())}")
    listed: list[str] = _read(careline_packs.FOLDER / name / "pack.yaml")["intents"]
    return listed


def _is_copy(file: Path, name: str) -> bool:
    """Whether a file is a shipped one as it stands."""
    theirs = careline_packs.FOLDER / name / FOLDER / file.name
    return theirs.is_file() and theirs.read_bytes() == file.read_bytes()


def _examples(file: Path, languages: Sequence[str]) -> Iterator[IntentExample]:
    named = _named(file)
    if file.stem not in languages:
        raise PackInvalid(
            f"{named}: the pack does not speak {file.stem}; name the file after one of its languages "
            f"({', '.join(languages)}), or add that one to `languages` in pack.yaml"
        )
    content = _read(file)
    if not isinstance(content, Mapping):
        raise PackInvalid(f"{named}: must list examples below their labels, as `lost_property: [I left my coat, …]`")
    for label, texts in content.items():
        if not isinstance(texts, list) or not texts:
            raise PackInvalid(f"{named}: {label}: has no examples; list what people say who want it, or take it out")
        for number, text in enumerate(texts, 1):
            if not isinstance(text, str) or not text.strip():
                raise PackInvalid(f"{named}: {label}: example {number} is empty or no text; write it in quotes")
            yield IntentExample(file.stem, str(label), text)


def _refuse_unlisted(folder: Path, own: Sequence[IntentExample], intents: Collection[str]) -> None:
    for one in own:
        if one.label not in intents:
            raise PackInvalid(
                f"{folder.name}/{FOLDER}/{one.language}.yaml: {one.label}: is not among `intents` of pack.yaml; add it "
                "there, or take its examples out"
            )


def _refuse_twice(folder: Path, own: Sequence[IntentExample]) -> None:
    labels: dict[tuple[str, str], str] = {}
    for one in own:
        before = labels.get((one.language, one.plain))
        labels[one.language, one.plain] = one.label
        if before is not None:
            under = f"below {before} and {one.label}" if before != one.label else f"more than once below {before}"
            file = f"{folder.name}/{FOLDER}/{one.language}.yaml"
            raise PackInvalid(f"{file}: {one.text!r} stands {under}; keep it once, where it belongs")


def _refuse_too_few(
    folder: Path, own: Sequence[IntentExample], intents: Collection[str], shipped: Collection[str]
) -> None:
    counts = Counter(one.label for one in own)
    for label in sorted(set(intents) - set(shipped)):
        if not counts[label]:
            raise PackInvalid(
                f"{folder.name}/pack.yaml: intents: {label}: has no examples; list what people say who want it in "
                f"{FOLDER}/<language>.yaml, or take it out"
            )
        if counts[label] < LEAST:
            raise PackInvalid(
                f"{folder.name}/{FOLDER}: {label}: has {counts[label]} examples, of {LEAST} at least; write more, in "
                "each language of the pack"
            )


def _read(file: Path) -> Any:
    try:
        return yaml.load(file.read_bytes(), Loader=yaml.CSafeLoader)
    except yaml.YAMLError as error:
        raise PackInvalid(f"{_named(file)} is not YAML: {error}") from None


def _named(file: Path) -> str:
    return "/".join(file.parts[-3:])
