"""Writes `careline_artefacts/manifest.json`: `python -m training.build_manifest`, after anything there was made anew.

The manifest says of each file what it is, its SHA-256 and size, the command and the data that made it, and what a
rebuild may be held to: `bytes`, where the same data give the same file, or `figures`, where sums of floating point
numbers differ from machine to machine and the file is judged by what it finds.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import careline_artefacts
from careline.safety.rules.review import ENGINE, KINDS

ROOT = Path(__file__).parents[1]
FOLDER = careline_artefacts.FOLDER
MANIFEST = FOLDER / "manifest.json"
NO_ARTEFACTS = {"__init__.py", "py.typed", "NOTICE.md", "manifest.json"}
"""What stands beside the artefacts: the package itself, and a licence that travels with its lists."""
LINES = "training/lines/*/"
DOCUMENTS = "local/careline_local/demo/documents/*/*.md"
RULES = "layers/careline_packs/*/{}/*.yaml"
NAMES = "layers/careline_artefacts/names/*.json"


@dataclass(frozen=True, slots=True)
class Recipe:
    """Files of the artefacts, as a glob, and how they are made; `data` are globs from the root of the repository."""

    files: str
    kind: str
    command: str
    data: tuple[str, ...]
    equal: str


def _classifier(name: str, *more: str) -> Recipe:
    data = (f"{LINES}{name}_*.tsv", f"{LINES}templates.yaml", f"training/development/*/{name}.jsonl")
    return Recipe(
        f"screens/hospital_line/{name}*.npz", "weights", f"python -m training.train_screens {name}",
        (*data, f"training/reference/{name}/*.yaml", *more), "figures",
    )  # fmt: skip


def _compiled(name: str, folder: str) -> Recipe:
    kinds = [kind for kind in KINDS if any((ROOT / folder / kind).glob("*.yaml"))]
    data = (*(f"{folder}/{kind}/*.yaml" for kind in kinds), *(file.relative_to(ROOT).as_posix() for file in ENGINE))
    return Recipe(f"compiled_rules/{name}.json.gz", "compiled rules", "careline pack compile", data, "bytes")


RECIPES = (
    _classifier("utterances", "training/development/*/questions.yaml", "training/development/*/phi.jsonl"),
    _classifier("injections", f"{LINES}utterances_*.tsv"),
    _classifier("answers", DOCUMENTS, "layers/careline_packs/*/replies/*.yaml"),
    Recipe(
        "screens/documents/planted_text*.npz",
        "weights",
        "python -m training.train_screens planted_text",
        ("training/planted_text/*/*.tsv", f"{LINES}answers_*.tsv", "training/reader_pages/*/*.yaml", DOCUMENTS),
        "figures",
    ),
    Recipe(
        "adversarial_suffix/letters.json",
        "counts",
        "python -m training.build_letters",
        (
            DOCUMENTS,
            f"{LINES}*",
            "training/reference/utterances/*.yaml",
            NAMES,
            *(RULES.format(each) for each in ("safety", "answers", "injection")),
        ),
        "bytes",
    ),
    Recipe(
        "adversarial_suffix/model.json",
        "weights",
        "python -m training.train_suffix",
        (f"{LINES}*", "training/adversarial_suffixes/words.yaml", "training/names/*.txt", NAMES),
        "figures",
    ),
    Recipe(
        "names/*.json",
        "lists",
        "python -m training.build_names",
        ("training/names/*.txt", "local/careline_local/demo/*/*/*.md", f"{LINES}*.tsv"),
        "bytes",
    ),
    Recipe(
        "sentence_embedding/e5_ordinary.npy",
        "weights",
        "python -m training.build_ordinary",
        ("training/build_ordinary.py",),
        "figures",
    ),
    Recipe(
        "intents/*.npz",
        "weights",
        "python -m training.train_intents",
        ("layers/careline_packs/*/intents/*.yaml",),
        "figures",
    ),
    Recipe(
        "reader/reader.npz",
        "weights",
        "python -m training.train_reader",
        ("training/reader_pages/*/*.yaml",),
        "figures",
    ),
    Recipe(
        "demo/vectors.npz",
        "vectors",
        "python -m careline_local.demo.build_vectors",
        ("local/careline_local/demo/*/*/*.md", "local/careline_local/demo/directory.yaml"),
        "figures",
    ),
    _compiled("hospital_line", "layers/careline_packs/hospital_line"),
    _compiled("clinical_assistant", "layers/careline_packs/clinical_assistant"),
    _compiled("documents", "layers/careline/safety/data"),
    _compiled("categories", "layers/careline/value_framework"),
)


def artefacts() -> Iterator[Path]:
    """Every file that a program made."""
    found = (path for path in sorted(FOLDER.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return (path for path in found if path.name not in NO_ARTEFACTS)


def manifest() -> dict[str, Any]:
    """What the manifest says. Raises: ValueError for a file that no recipe makes, or that two make."""
    return {"artefacts": {path.relative_to(FOLDER).as_posix(): _entry(path) for path in artefacts()}}


def _entry(path: Path) -> dict[str, Any]:
    made_by = [each for each in RECIPES if path.relative_to(FOLDER).match(each.files)]
    if len(made_by) != 1:
        raise ValueError(f"{path.name} needs one recipe in training/build_manifest.py and has {len(made_by)}")
    (recipe,) = made_by
    content = path.read_bytes()
    return {
        "kind": recipe.kind,
        "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
        "command": recipe.command,
        "data": list(recipe.data),
        "rebuilt_equal_in": recipe.equal,
    }


def main() -> None:
    """Write the manifest."""
    MANIFEST.write_text(json.dumps(manifest(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
