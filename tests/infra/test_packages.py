"""What is in the packages that Lambda gets; `tests/cloud` runs them."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

from infra.constructs.packages import IN_IMAGES, LOCKED, NEVER_IMPORTED, OURS, image_context
from tests.cloud.locked import install
from tests.infra.conftest import Templates
from tests.source_roots import ROOT

LAMBDA_TAKES = 250 * 2**20
"""Bytes of all layers of a function and its own code together, unpacked (Lambda quotas)."""
LISTS = ("function.txt", "answering.txt", "reading.txt", "voice.txt")


def holding(dev: Templates, path: str) -> Path:
    """The one asset that has this file."""
    (found,) = [asset for asset in dev.outdir.glob("asset.*") if (asset / path).exists()]
    return found


def test_an_archive_holds_its_own_handlers_and_nothing_else_of_ours(dev: Templates) -> None:
    package = holding(dev, "careline_functions/ingestion/register.py")
    assert {path.name for path in (package / "careline_functions").iterdir()} == {"__init__.py", "ingestion"}
    assert not [*package.rglob("__pycache__")]


def test_the_layer_of_the_archives_holds_what_is_named_and_fits_with_the_packages(
    dev: Templates, tmp_path: Path
) -> None:
    layer = holding(dev, "python/careline/settings.py") / "python"
    top = {path.relative_to(layer).as_posix() for path in layer.rglob("*") if path.is_file()}
    assert all(any(name == one or name.startswith(f"{one}/") for one in OURS) for name in top)
    install(LOCKED, tmp_path)
    held = [path.stat().st_size for root in (layer, tmp_path) for path in root.rglob("*") if path.is_file()]
    assert sum(held) < LAMBDA_TAKES


def test_the_images_are_built_from_everything_but_the_demo() -> None:
    context = image_context()
    assert (context / "Dockerfile").is_file()
    assert not [*context.rglob("__pycache__"), *context.rglob("careline_artefacts/demo")]
    named = {Path(source).name for source, _ in IN_IMAGES if source.startswith("layers/careline_artefacts/")}
    there = {path.name for path in (ROOT / "layers" / "careline_artefacts").iterdir()}
    assert there - named - {"demo", "py.typed", "__pycache__"} == set()


def test_every_function_of_an_image_names_something_that_exists(dev: Templates) -> None:
    images = [one for one in dev.of("AWS::Lambda::Function").values() if one.get("PackageType") == "Image"]
    assert images
    for one in images:
        (command,) = one["ImageConfig"]["Command"]
        module, _, name = command.replace(":", ".").rpartition(".")
        assert hasattr(importlib.import_module(module), name), command


def test_every_package_of_a_list_is_pinned_with_its_hash() -> None:
    for name in LISTS:
        lines = (ROOT / "requirements" / name).read_text("utf-8").splitlines()
        packages = [line for line in lines if re.match(r"[A-Za-z0-9]", line)]
        assert packages
        assert all(re.match(r"[\w.-]+(?:\[[\w,-]+\])?==[\w.!+]+( ; .+)? \\$", line) for line in packages), name
        assert sum("--hash=sha256:" in line for line in lines) >= len(packages)


def test_what_nobody_imports_is_in_no_list() -> None:
    for name in ("function.txt", "answering.txt", "reading.txt"):
        text = (ROOT / "requirements" / name).read_text("utf-8")
        assert not [one for one in NEVER_IMPORTED if f"\n{one}==" in f"\n{text}"]


def test_the_functions_that_answer_start_from_a_snapshot_where_that_is_paid_for(
    dev: Templates, prod: Templates
) -> None:
    def of(stage: Templates) -> set[str]:
        found = stage.of("AWS::Lambda::Function").values()
        return {one["FunctionName"].rpartition("-")[2] for one in found if "SnapStart" in one}

    assert (of(dev), of(prod)) == (set(), {"orchestrator", "admin"})
    assert "AWS_LWA_ASYNC_INIT" not in json.dumps(prod.stacks), "a snapshot would be made of what is not ready"
    assert "AWS_LWA_ASYNC_INIT" in json.dumps(dev.stacks)
    for stage in (dev, prod):
        aliases = json.dumps(stage.of("AWS::Lambda::Alias"))
        assert aliases.count('"live"') == len(stage.of("AWS::Lambda::Alias")) >= 2
