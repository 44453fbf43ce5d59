"""On AWS no layer carries what it never loads: what stands in each of ours, how large it is, and what opens it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.infra.conftest import Templates

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ROOT / "layers"
SETTINGS = {
    "CARELINE_STORAGE": "aws",
    "CARELINE_TABLE": "table",
    "CARELINE_BUCKET": "bucket",
    "CARELINE_SEARCH_ENDPOINT": "https://search.invalid",
    "CARELINE_PRIVACY_KEY": "0" * 64,
    "CARELINE_EMBEDDER": "openai",
    "CARELINE_MODEL": "openai",
    "CARELINE_OPENAI_API_KEY": "none",
    "CARELINE_SEMANTIC_CLASSIFIERS": "off",
    "AWS_DEFAULT_REGION": "eu-west-1",
}
LARGEST = {"careline": 3_320_000, "packs": 2_400_000, "screens": 6_400_000}
"""Bytes of each layer as it lies in `/opt`; Lambda takes 250 MB of all layers and the function together."""
ARTEFACTS = {
    "careline": {"compiled_rules/documents.json.gz", "screens/documents/planted_text.npz"},
    "packs": {"compiled_rules/clinical_assistant.json.gz", "compiled_rules/hospital_line.json.gz"},
    "screens": {
        "adversarial_suffix/letters.json",
        "adversarial_suffix/model.json",
        *(f"screens/hospital_line/{name}.npz" for name in ("answers", "injections", "utterances")),
        "names/NOTICE.md",
        *(f"names/{name}.json" for name in ("common_first", "common_last", "first", "last", "places")),
        *(f"names/{kind}_{language}.json" for kind in ("spelling", "words") for language in ("en", "fr", "it", "nl")),
    },
}
"""What of `careline_artefacts` stands in each layer."""
LOADED_BY = {"careline": "ingestion", "packs": "web", "screens": "turn"}
"""Who needs no more than this layer and those before it."""
NEVER_OPENED = {"NOTICE.md", "py.typed"}
"""A licence that travels with its lists, and a mark for type checkers."""


@pytest.fixture(scope="module")
def layers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each layer of ours as Lambda unpacks it."""
    pytest.importorskip("aws_cdk")
    from infra.constructs.packages import OURS, Copied

    made = {}
    for name, places in OURS.items():
        made[name] = tmp_path_factory.mktemp(name)
        Copied([(f"layers/{each}", each) for each in places]).try_bundle(str(made[name]))
    return made


def files(layer: Path) -> set[str]:
    return {path.relative_to(layer).as_posix() for path in layer.rglob("*") if path.is_file()}


def test_each_layer_holds_its_artefacts_and_none_that_stays_on_laptops(layers: dict[str, Path]) -> None:
    folder = "careline_artefacts/"
    held = {
        name: {each.removeprefix(folder) for each in files(layer) if each.startswith(folder)} - {"__init__.py"}
        for name, layer in layers.items()
    }
    assert held == ARTEFACTS


def test_the_packs_are_in_one_layer_and_the_code_in_another(layers: dict[str, Path]) -> None:
    assert {path.name for path in layers["careline"].iterdir()} == {
        "careline", "careline_packs", "careline_artefacts",
    }  # fmt: skip
    assert files(layers["careline"]) & files(layers["packs"]) == set()
    packs = {path.parent.name for path in (LAYERS / "careline_packs").glob("*/pack.yaml")}
    assert {path.name for path in (layers["packs"] / "careline_packs").iterdir()} == packs


@pytest.mark.parametrize("name", LARGEST)
def test_a_layer_is_no_larger_than_this(layers: dict[str, Path], name: str) -> None:
    assert sum(path.stat().st_size for path in layers[name].rglob("*") if path.is_file()) < LARGEST[name]


@pytest.mark.parametrize("name", LARGEST)
def test_every_file_of_data_is_opened_by_somebody_who_has_the_layer(
    layers: dict[str, Path], name: str, tmp_path: Path
) -> None:
    for each in list(layers)[: list(layers).index(name) + 1]:
        shutil.copytree(layers[each], tmp_path, dirs_exist_ok=True)
    opened = loaded(tmp_path, LOADED_BY[name])
    data = {each for each in files(layers[name]) if not each.endswith(".py") and not each.startswith("careline/")}
    assert {each for each in data - opened if Path(each).name not in NEVER_OPENED} == set()


def loaded(layers: Path, what: str) -> set[str]:
    """Files of the layers that a process opens which has nothing else of ours."""
    program = [sys.executable, "-W", "ignore", str(Path(__file__).with_name("what_is_loaded.py")), str(layers), what]
    environment = {**os.environ, **SETTINGS, "PYTHONPATH": str(layers)}
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False, cwd=layers)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


def test_the_web_functions_know_packs_and_one_of_them_meets_what_people_say(dev: Templates) -> None:
    def layers_of(name: str) -> set[str]:
        (found,) = [
            each for each in dev.of("AWS::Lambda::Function").values() if each.get("FunctionName", "").endswith(name)
        ]
        return {reference["Ref"] for reference in found["Layers"] if isinstance(reference, dict)}

    def holding(name: str, kind: str) -> bool:
        return any(each.startswith(f"Layers{kind}") for each in layers_of(name))

    kinds = ("Careline", "Packs", "Screens", "Core", "Documents")
    assert {name: tuple(holding(name, kind) for kind in kinds) for name in ("orchestrator", "admin", "telemetry")} == {
        "orchestrator": (True, True, True, True, False),
        "admin": (True, True, False, True, True),
        "telemetry": (True, False, False, True, False),
    }
    assert [holding("ingestion-chunk", kind) for kind in kinds] == [True, False, False, True, True]
