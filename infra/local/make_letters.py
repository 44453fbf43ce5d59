"""Makes `letters.json`: how usual letters and words are in the four languages, from texts we wrote ourselves.

Run as `python -m infra.local.make_letters`. It reads the demo documents, the utterances of the tests and of the
training, and the packs.
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

from careline.safety.letters import COMMON, FILE, neighbours_map, surprise_table
from careline.safety.plain_text import normalise

ROOT = Path(__file__).parents[2]
DOCUMENTS = ROOT / "infra" / "local" / "demo" / "documents"
UTTERANCES = ROOT / "tests" / "safety" / "utterances"
TRAINING = ROOT / "infra" / "local" / "training"
PACKS = ROOT / "layers" / "packs"
LANGUAGES = ("nl", "en", "fr", "it")
BOOKS = ("safety", "answers", "injection")
_ADDRESS = re.compile(r"\S*(?:@|https?:|www\.)\S*")
_PATTERN_WORD = re.compile(r"[a-z]{3,}")


def main() -> None:
    """Write the file."""
    held: dict[str, dict[str, str]] = {"surprise": {}, "neighbours": {}, "words": {}}
    for language in LANGUAGES:
        texts = [_plain_words(text) for text in _texts(language)]
        counted = Counter(word for words in texts for word in words)
        counted.update(_listed(language))
        counted = Counter({word: seen for word, seen in counted.items() if word.isalpha()})
        words = [word for word, _ in counted.most_common()]
        held["surprise"][language] = _written(surprise_table(counted.items()))
        held["neighbours"][language] = _written(neighbours_map(texts, frozenset(words[:COMMON])))
        held["words"][language] = " ".join(words)
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")


def _plain_words(text: str) -> list[str]:
    return [word for word in normalise(_ADDRESS.sub(" ", text)).split() if word.isalpha()]


def _written(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _texts(language: str) -> Iterator[str]:
    for file in sorted((DOCUMENTS / language).glob("*.md")):
        yield file.read_text(encoding="utf-8").partition("\n---\n")[2]
    utterances: dict[str, list[str]] = _yaml(UTTERANCES / f"{language}.yaml")
    yield from (text for texts in utterances.values() for text in texts)
    for file in sorted((TRAINING / language).glob("utterances*.tsv")):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield line.rpartition("\t")[2]
    for book in _books(language):
        yield from _examples(_yaml(book).get("classes", {}))


def _books(language: str) -> list[Path]:
    return sorted(file for folder in BOOKS for file in PACKS.glob(f"*/{folder}/{language}.yaml"))


def _examples(classes: dict[str, Any]) -> Iterator[str]:
    for held in classes.values():
        for rule in [*held["rules"], *held.get("asides", [])]:
            yield from (*rule["match"], *rule["pass"])


def _listed(language: str) -> Iterator[str]:
    """Words of the slots, once each: names of medicines, of illnesses, and what people say instead."""
    for book in _books(language):
        for written in _yaml(book).get("slots", {}).values():
            yield from set(_PATTERN_WORD.findall(re.sub(r"\\w[*+]?\w*|\w*\\w[*+]?|\{\w+\??\}|\w+[?\[]", " ", written)))


def _yaml(file: Path) -> Any:
    return yaml.load(file.read_bytes(), Loader=yaml.CSafeLoader)


if __name__ == "__main__":
    main()
