"""Makes the packages that Lambda gets, without docker: our own code is copied, wheels for arm64 are installed by uv.

With the context `bundle=false` a third-party layer holds its list alone; the templates are the same.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import jsii
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

ROOT = Path(__file__).resolve().parents[2]
PLATFORM = "aarch64-manylinux_2_28"
"""Lambda's Amazon Linux 2023 has glibc 2.34; google-re2 has no wheel for anything older than 2.26."""
PYTHON = "3.13"
PINS = ("turn.txt", "cloud.txt", "ingestion.txt")
UNWANTED = shutil.ignore_patterns("__pycache__", "*.pyc", ".mypy_cache", ".ruff_cache")


@jsii.implements(cdk.ILocalBundling)
class Copied:
    """Copies files and folders of the repository, each to its place in the package."""

    def __init__(self, places: Sequence[tuple[str, str]]) -> None:
        self._places = places

    def try_bundle(self, output_dir: str, *args: Any, **options: Any) -> bool:
        """See `ILocalBundling.tryBundle`."""
        for source, target in self._places:
            place = Path(output_dir) / target
            place.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / source).is_file():
                shutil.copy2(ROOT / source, place)
            else:
                shutil.copytree(ROOT / source, place, ignore=UNWANTED, dirs_exist_ok=True)
        return True


@jsii.implements(cdk.ILocalBundling)
class Installed:
    """Installs a list of wheels for Lambda's platform, with the versions and hashes pinned in `requirements/`."""

    def __init__(self, requirements: Path) -> None:
        self._requirements = requirements

    def try_bundle(self, output_dir: str, *args: Any, **options: Any) -> bool:
        """See `ILocalBundling.tryBundle`. Raises: CalledProcessError when there is no wheel for the platform."""
        pins = [part for name in PINS for part in ("--constraint", str(ROOT / "requirements" / name))]
        command = [
            sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python-platform", PLATFORM,
            "--python-version", PYTHON, "--only-binary", ":all:", "--target", str(Path(output_dir) / "python"),
            "-r", str(self._requirements), *pins,
        ]  # fmt: skip
        subprocess.run(command, check=True, cwd=ROOT)  # noqa: S603 - a fixed command over our own files
        return True


def copied(*places: tuple[str, str]) -> lambda_.Code:
    """A package made of folders or files of the repository, each under its target."""
    first = ROOT / places[0][0]
    return _asset(first.parent if first.is_file() else first, Copied(places), f"copy {places}")


def handlers(name: str) -> lambda_.Code:
    """The package of one function: its own folder of `careline_functions` and nothing else of ours."""
    package = "functions/careline_functions"
    places = ((f"{package}/{part}", f"careline_functions/{part}") for part in (name, "__init__.py"))
    return copied(*places)


def installed(listed: Path) -> lambda_.Code:
    """A layer made of a list of third-party packages."""
    return _asset(listed.parent, Installed(listed), f"install {listed.name}")


def _asset(source: Path, bundling: Copied | Installed, does: str) -> lambda_.Code:
    """CDK asks for an image even where bundling is local; it is never pulled. It takes two packages with one source for
    the same unless their commands differ, so `does` stands there."""
    image = cdk.DockerImage.from_registry("not-used")
    local: Any = bundling
    options = cdk.BundlingOptions(image=image, local=local, command=[does])
    return lambda_.Code.from_asset(str(source), bundling=options, asset_hash_type=cdk.AssetHashType.OUTPUT)


OURS: dict[str, tuple[str, ...]] = {
    "careline": (
        "careline",
        "careline_packs/__init__.py",
        "careline_artefacts/__init__.py",
        "careline_artefacts/compiled_rules/documents.json.gz",
        "careline_artefacts/screens/documents/planted_text.npz",
    ),
    "packs": (
        "careline_packs/clinical_assistant",
        "careline_packs/hospital_line",
        "careline_artefacts/compiled_rules/clinical_assistant.json.gz",
        "careline_artefacts/compiled_rules/hospital_line.json.gz",
    ),
    "screens": (
        "careline_artefacts/names",
        "careline_artefacts/adversarial_suffix",
        "careline_artefacts/screens/hospital_line/answers.npz",
        "careline_artefacts/screens/hospital_line/injections.npz",
        "careline_artefacts/screens/hospital_line/utterances.npz",
    ),
}
"""Our own layers, each file or folder of `layers/` in one of them. `careline` is what every function needs; `packs` are
read by those that know what a pack is; `screens` by the one that meets what people say. The semantic classifiers and
the sentence embedding are in none: on AWS `CARELINE_SEMANTIC_CLASSIFIERS` is off, passages are embedded elsewhere."""


class Layers(Construct):
    """The layers functions are put together from: parts of Careline, and one for each list of third-party packages."""

    def __init__(self, scope: Construct, construct_id: str) -> None:
        super().__init__(scope, construct_id)
        self._made: dict[str, lambda_.LayerVersion] = {}

    def ours(self, name: str) -> lambda_.LayerVersion:
        """One of the layers in `OURS`."""
        if name not in self._made:
            code = copied(*((f"layers/{each}", f"python/{each}") for each in OURS[name]))
            self._made[name] = self._layer(name.title(), code)
        return self._made[name]

    def third_party(self, name: str) -> lambda_.LayerVersion:
        """The layer of `layers/dependencies/<name>.txt`."""
        if name not in self._made:
            listed = ROOT / "layers" / "dependencies" / f"{name}.txt"
            wanted = self.node.try_get_context("bundle") != "false"
            path = str(listed.relative_to(ROOT))
            code = installed(listed) if wanted else copied((path, f"python/{listed.name}"))
            self._made[name] = self._layer(name.title(), code)
        return self._made[name]

    def _layer(self, name: str, code: lambda_.Code) -> lambda_.LayerVersion:
        return lambda_.LayerVersion(
            self,
            name,
            code=code,
            compatible_architectures=[lambda_.Architecture.ARM_64],
            compatible_runtimes=[lambda_.Runtime.PYTHON_3_13],
        )
