"""What is in the packages that Lambda gets."""

from __future__ import annotations

import os
import re
from pathlib import Path

from tests.infra.conftest import Templates

ROOT = Path(__file__).resolve().parents[2]


def holding(dev: Templates, path: str) -> Path:
    """The one asset that has this file."""
    (found,) = [asset for asset in dev.outdir.glob("asset.*") if (asset / path).exists()]
    return found


def listed(path: Path) -> set[str]:
    lines = (line.strip() for line in path.read_text().splitlines())
    return {line for line in lines if line and not line.startswith(("#", "-r"))}


def test_packs_lie_where_settings_look_for_them_beside_the_package(dev: Templates) -> None:
    code, packs = holding(dev, "python/careline/settings.py"), holding(dev, "python/careline_packs/hospital_line")
    assert (code / "python" / "careline_packs" / "__init__.py").is_file()
    assert code != packs
    assert not [*code.rglob("__pycache__"), *packs.rglob("__pycache__")]


def test_each_list_of_third_party_packages_is_a_layer_of_its_own(dev: Templates) -> None:
    names = [path.name for path in (ROOT / "layers" / "dependencies").glob("*.txt")]
    layers = [holding(dev, f"python/{name}") for name in names]
    assert len(set(layers)) == len(names) == 2
    assert all(
        [path.name for path in (layer / "python").iterdir()] == [name]
        for layer, name in zip(layers, names, strict=True)
    )


def test_a_function_holds_its_own_handlers_and_nothing_else_of_ours(dev: Templates) -> None:
    package = holding(dev, "careline_functions/ingestion/extract.py")
    assert {path.name for path in (package / "careline_functions").iterdir()} == {"__init__.py", "ingestion"}


def test_the_web_functions_can_be_started(dev: Templates) -> None:
    for name in ("orchestrator", "admin"):
        script = holding(dev, f"careline_functions/{name}/run.sh") / f"careline_functions/{name}/run.sh"
        assert os.access(script, os.X_OK)
        assert f"careline_functions.{name}.app:app" in script.read_text()


def test_the_lists_of_the_layers_are_those_of_the_requirements() -> None:
    requirements, layers = ROOT / "requirements", ROOT / "layers" / "dependencies"
    assert listed(layers / "core.txt") == listed(requirements / "turn.in") | listed(requirements / "cloud.in")
    assert listed(layers / "documents.txt") == listed(requirements / "ingestion.in")


def test_every_package_of_a_layer_is_pinned_with_its_hash() -> None:
    from infra.constructs.packages import PINS

    pinned = "\n".join((ROOT / "requirements" / name).read_text() for name in PINS)
    for path in (ROOT / "layers" / "dependencies").glob("*.txt"):
        for package in listed(path):
            assert re.search(
                rf"^{re.escape(package)}(\[.*\])?==[^\n]+\\\n\s+--hash=", pinned, re.MULTILINE | re.IGNORECASE
            )
