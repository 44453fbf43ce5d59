"""Makes `letters.json`: how usual letters and words are in the four languages, from texts we wrote ourselves.

Run as `python -m training.build_letters`. It reads the demo documents, the utterances under `training`, and the
packs; and, for the bit maps of larger lists, the frequent words and the names that
`training.build_names` gathered.
"""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

import careline_artefacts
import careline_packs
from careline.safety.classifiers.letter_statistics import (
    COMMON,
    FILE,
    listed_map,
    neighbours_map,
    pairs_map,
    surprise_table,
)
from careline.safety.rules.plain_text import normalise

HERE = Path(__file__).parent
ROOT = HERE.parent
DOCUMENTS = ROOT / "local" / "careline_local" / "demo" / "documents"
REFERENCE = HERE / "reference" / "utterances"
TRAINING = HERE / "lines"
PACKS = careline_packs.FOLDER
NAMES = careline_artefacts.FOLDER / "names"
LANGUAGES = ("nl", "en", "fr", "it")
RULE_SETS = ("safety", "answers", "injection")
EVERYDAY = frozenset(
    "asks_when asks_whether asks_price procedure aftercare leisure nourish worn amenity not_well judging".split()
)
"""Slots of everyday words, which callers use side by side with any others."""
_SHORT, _OFTEN = 3, 3
_ADDRESS = re.compile(r"\S*(?:@|https?:|www\.)\S*")
_PATTERN_WORD = re.compile(r"[a-z]{3,}")


def main() -> None:
    """Write the file."""
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(statistics(), indent=1) + "\n", encoding="utf-8")


def statistics(left_out: str = "") -> dict[str, Any]:
    """What the file holds. `left_out` are letters of training files (`utterances_<letter>.tsv`) that are not read.

    What is measured by statistics that have not seen it looks as a stranger's words will.
    """
    held: dict[str, Any] = {"surprise": {}, "neighbours": {}, "words": {}, "listed": {}}
    everything: list[list[str]] = []
    for language in LANGUAGES:
        texts = [_plain_words(text) for text in _texts(language, left_out)]
        more = [_plain_words(text) for name, text in training(language, left_out) if not _is_of_callers(name)]
        counted = Counter(word for words in texts for word in words)
        counted.update(_listed(language))
        counted = Counter({word: seen for word, seen in counted.items() if _is_a_word(word, seen)})
        words = sorted(counted, key=lambda word: (-counted[word], word))
        held["surprise"][language] = _written(surprise_table(counted.items()))
        held["neighbours"][language] = _written(neighbours_map([*texts, *more], frozenset(words[:COMMON])))
        held["words"][language] = " ".join(words)
        held["listed"][language] = _written(listed_map(_entries(f"words_{language}")))
        everything.extend([*texts, *more])
    held["terms"] = " ".join(sorted({word for language in LANGUAGES for word in _terms(language)}))
    held["pairs"] = _written(pairs_map(everything))
    held["names"] = _written(listed_map(word for file in ("first", "last", "places") for word in _entries(file)))
    return held


def _entries(name: str) -> list[str]:
    """The single words of a list of the recogniser of names."""
    listed: list[str] = json.loads((NAMES / f"{name}.json").read_bytes())
    return [word for entry in listed for word in normalise(entry).split()]


def _plain_words(text: str) -> list[str]:
    return [word for word in normalise(_ADDRESS.sub(" ", text)).split() if word.isalpha()]


def _written(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _texts(language: str, left_out: str) -> Iterator[str]:
    for file in sorted((DOCUMENTS / language).glob("*.md")):
        yield file.read_text(encoding="utf-8").partition("\n---\n")[2]
    utterances: dict[str, list[str]] = _yaml(REFERENCE / f"{language}.yaml")
    yield from (text for texts in utterances.values() for text in texts)
    yield from (text for name, text in training(language, left_out) if _is_of_callers(name))
    for rule_set in _rule_sets(language):
        yield from _examples(_yaml(rule_set).get("classes", {}))


def training(language: str, left_out: str = "") -> Iterator[tuple[str, str]]:
    """The lines of ordinary form that were written for training, each with the name of its file.

    Attempts at injection are left out: some have a form that no caller's words have.
    """
    for file in sorted((TRAINING / language).glob("*_?.tsv")):
        for line in file.read_text(encoding="utf-8").splitlines() if file.stem[-1] not in left_out else ():
            label, _, text = line.rpartition("\t")
            if label != "true" and text:
                yield file.stem, text


def _is_a_word(word: str, seen: int) -> bool:
    """A short one that was seen once or twice is a piece of a word that speech recognition cut in two."""
    return word.isalpha() and (len(word) > _SHORT or seen >= _OFTEN)


def _is_of_callers(name: str) -> bool:
    """Whether a training file's words count as known; other files only say which words stand side by side."""
    return name.startswith("utterances")


def _rule_sets(language: str) -> list[Path]:
    return sorted(file for folder in RULE_SETS for file in PACKS.glob(f"*/{folder}/{language}.yaml"))


def _examples(classes: dict[str, Any]) -> Iterator[str]:
    for held in classes.values():
        for rule in [*held["rules"], *held.get("asides", [])]:
            yield from (*rule["match"], *rule["pass"])


def _listed(language: str) -> Iterator[str]:
    """Words of the slots, once each: names of medicines, of illnesses, and what people say instead."""
    for rule_set in _rule_sets(language):
        slots: dict[str, str] = _yaml(rule_set).get("slots", {})
        for written in (held for name, held in slots.items() if name not in EVERYDAY):
            yield from set(_PATTERN_WORD.findall(re.sub(r"\\w[*+]?\w*|\w*\\w[*+]?|\{\w+\??\}|\w+[?\[]", " ", written)))


def _terms(language: str) -> Iterator[str]:
    """Long words of the slots: those of a few letters are often others too."""
    medicines = yaml.load((TRAINING / language / "templates.yaml").read_bytes(), Loader=yaml.CSafeLoader)["lists"]
    named = (word for entry in medicines["medicine"] for word in normalise(str(entry)).split())
    yield from (word for word in (*_listed(language), *named) if len(word) > _SHORT + 2)


def _yaml(file: Path) -> Any:
    return yaml.load(file.read_bytes(), Loader=yaml.CSafeLoader)


if __name__ == "__main__":
    main()
