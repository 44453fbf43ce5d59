"""The manifest says what is among the artefacts, and what made it; a rebuild of compiled data gives the same bytes."""

from __future__ import annotations

import hashlib
import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from careline.engines.embedded.embedder import E5Embedder
from careline.safety.injection.document_screen import RULE_SETS
from careline.safety.rules.review import compile_rules, shipped
from careline.value_framework.category import RULE_SETS as CATEGORY_RULES
from training import build_letters, build_manifest, build_names, build_ordinary

ROOT = Path(__file__).parents[2]
WRITTEN = json.loads(build_manifest.MANIFEST.read_text(encoding="utf-8"))["artefacts"]


def test_the_manifest_is_that_of_the_files_which_training_build_manifest_writes() -> None:
    assert build_manifest.manifest()["artefacts"] == WRITTEN


@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_is_the_one_that_the_manifest_says(name: str) -> None:
    content = (build_manifest.FOLDER / name).read_bytes()
    assert (len(content), hashlib.sha256(content).hexdigest()) == (WRITTEN[name]["bytes"], WRITTEN[name]["sha256"])


@pytest.mark.parametrize("data", sorted({data for each in WRITTEN.values() for data in each["data"]}))
def test_the_data_that_an_artefact_was_made_of_are_there(data: str) -> None:
    assert any(ROOT.glob(data))


@pytest.mark.parametrize("command", sorted({each["command"] for each in WRITTEN.values()}))
def test_the_command_that_made_an_artefact_is_there(command: str) -> None:
    words = command.split()
    module = words[2] if words[0] == "python" else "careline_local.cli.pack"
    assert find_spec(module) is not None


def test_nothing_that_a_program_made_stands_among_what_people_reviewed() -> None:
    packs = ROOT / "layers" / "careline_packs"
    kinds = {path.suffix for path in packs.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert kinds == {".yaml", ".md", ".py", ".typed"}


def test_rules_compile_to_the_same_bytes(tmp_path: Path) -> None:
    for name, folder in (
        ("clinical_assistant", ROOT / "layers" / "careline_packs" / "clinical_assistant"),
        ("documents", RULE_SETS.parent),
        ("categories", CATEGORY_RULES.parent),
    ):
        assert compile_rules(folder, tmp_path / name).read_bytes() == shipped(name).read_bytes()


@pytest.mark.timeout(300)
def test_the_counts_of_letters_and_words_come_out_as_the_same_bytes() -> None:
    made = json.dumps(build_letters.statistics(), indent=1) + "\n"
    assert made.encode() == build_letters.FILE.read_bytes()


def test_names_come_out_as_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_names, "TARGET", tmp_path)
    build_names.main()
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (build_manifest.FOLDER / "names" / path.name).read_bytes(), path.name


def test_the_mean_of_ordinary_sentences_points_where_it_did() -> None:
    """The model's sums differ between versions of the runtime, so that the file is not the same to the byte."""
    made = E5Embedder().embed("passage: ", build_ordinary.SENTENCES).mean(0)
    kept = np.load(build_ordinary.TARGET, allow_pickle=False)
    assert float(made @ kept / np.linalg.norm(made) / np.linalg.norm(kept)) > 0.999
