"""How well labels are told that a pack adds by examples, and what that costs the shipped ones.

`python -m careline_local.bench.understanding.own_labels [held_out | open]` makes the hospital line with each folder of
`own_labels`: `intents/` with its examples, `unread.yaml` with what nothing was fitted to. It fits as `careline pack
compile` does, asks what is unread, and reads the turns of `careline bench understand` with and without.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

import careline_packs
from careline.engines.embedded.embedder import ASKED, E5Embedder
from careline.packs.intent_examples import FOLDER
from careline.packs.packs import load_pack
from careline.understanding.intents.pack_classifier import pack_classifier
from careline_local.bench.evaluation_sets import FOLDERS
from careline_local.bench.measures import Share
from careline_local.bench.understanding import turns
from careline_local.pack_intents import compile_intents

PACK = "hospital_line"
ENOUGH = 0.5
"""Share from which a label is surely told."""


def with_labels(examples: Path, target: Path) -> Path:
    """The shipped packs in `target`, the hospital line with the labels of these examples beside its own."""
    packs = Path(shutil.copytree(careline_packs.FOLDER, target, ignore=shutil.ignore_patterns(FOLDER)))
    pack = packs / PACK
    shutil.copytree(examples / FOLDER, pack / FOLDER)
    labels = sorted({label for file in (pack / FOLDER).glob("*.yaml") for label in _read(file)})
    written = _read(pack / "pack.yaml")
    written["intents"] += labels
    (pack / "pack.yaml").write_text(yaml.safe_dump(written, allow_unicode=True), encoding="utf-8")
    with (pack / "prompts" / "intent.md").open("a", encoding="utf-8") as prompt:
        prompt.writelines(f"\n{label}: what its name says" for label in labels)
    compile_intents(pack)
    return packs


def told(examples: Path, packs: Path) -> Iterator[Share]:
    """By language and label, how much of what is unread is told, and how much of it surely."""
    pack, embedder = load_pack(packs / PACK), E5Embedder()
    classifier = pack_classifier(pack)
    if classifier is None:
        raise ValueError(f"{PACK} names no classifier")
    for language, by_label in _read(examples / "unread.yaml").items():
        for label, texts in by_label.items():
            first = [classifier.labels(embedder.embed(ASKED, [text])[0], pack.intents)[0] for text in texts]
            right = [one for one in first if one.name == label]
            yield Share(f"{language} {label}", len(right), len(texts))
            yield Share(f"{language} {label}, surely", sum(one.share >= ENOUGH for one in right), len(texts))


def kept(packs: Path | None) -> Share:
    """How many turns of `careline bench understand` have their label."""
    outcomes = asyncio.run(turns.run("both", packs))
    name = "turns with their label" + (", labels added" if packs else "")
    return Share(name, sum(one.is_intent_right for one in outcomes), len(outcomes))


def _read(file: Path) -> dict[str, Any]:
    content: dict[str, Any] = yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader)
    return content


def main() -> None:
    """Print the figures of each folder of a part."""
    part = sys.argv[1] if len(sys.argv) > 1 else "held_out"
    _show(kept(None))
    for examples in sorted((FOLDERS[part] / "own_labels").iterdir()):
        with tempfile.TemporaryDirectory(prefix="careline-bench-") as folder:
            packs = with_labels(examples, Path(folder) / "packs")
            sys.stdout.write(f"{examples.name}\n")
            for share in (*told(examples, packs), kept(packs)):
                _show(share)


def _show(share: Share) -> None:
    low, high = share.interval
    sys.stdout.write(f"  {share.name}: {share.right}/{share.of} ({low:.2f}-{high:.2f})\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
