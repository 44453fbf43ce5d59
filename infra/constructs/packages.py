"""Makes the packages that Lambda gets: archives, made here without docker, and the context that images are built from.

An archive is our own code and wheels for arm64 that uv installs. An image is built from `functions/Dockerfile` by
whoever deploys. With the context `bundle=false` the third-party layer holds its list alone; the templates are the same.
"""

from __future__ import annotations

import atexit
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import aws_cdk as cdk
import jsii
from aws_cdk import aws_ecr_assets as ecr_assets
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

ROOT = Path(__file__).resolve().parents[2]
PLATFORM = "aarch64-manylinux_2_28"
"""Lambda's Amazon Linux 2023 has glibc 2.34; google-re2 has no wheel for anything older than 2.26."""
PYTHON = "3.13"
LOCKED = ROOT / "requirements" / "function.txt"
"""What the archives are installed from."""
NEVER_IMPORTED = ("grpcio", "opensearch-protobufs")
"""What opensearch-py asks for and nobody imports, 17 MB; the locked lists of `requirements/` leave them out
(`uv pip compile --no-emit-package`)."""
UNWANTED = shutil.ignore_patterns("__pycache__", "*.pyc", ".mypy_cache", ".ruff_cache")
ImageTarget = Literal["web", "stages", "reading"]
"""Stages of `functions/Dockerfile` that functions run in."""
IN_IMAGES = (
    ("functions/Dockerfile", "Dockerfile"),
    ("requirements/answering.txt", "requirements/answering.txt"),
    ("requirements/reading.txt", "requirements/reading.txt"),
    ("functions/careline_functions", "functions/careline_functions"),
    ("layers/careline", "layers/careline"),
    ("layers/careline_packs", "layers/careline_packs"),
    *(
        (f"layers/careline_artefacts/{name}", f"layers/careline_artefacts/{name}")
        for name in ("__init__.py", "manifest.json", "adversarial_suffix", "compiled_rules", "intents", "names",
                     "reader", "screens", "sentence_embedding")
    ),
)  # fmt: skip
"""What of the repository the images are built from, and where it stands there: everything but the demo."""


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
    """Installs a locked list of wheels for Lambda's platform: these versions with these hashes, and nothing else."""

    def __init__(self, locked: Path) -> None:
        self._locked = locked

    def try_bundle(self, output_dir: str, *args: Any, **options: Any) -> bool:
        """See `ILocalBundling.tryBundle`. Raises: CalledProcessError when there is no wheel for the platform."""
        command = [
            sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python-platform", PLATFORM,
            "--python-version", PYTHON, "--only-binary", ":all:", "--no-deps", "--require-hashes",
            "--target", str(Path(output_dir) / "python"), "-r", str(self._locked),
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


def installed(locked: Path) -> lambda_.Code:
    """A layer made of a locked list of third-party packages."""
    return _asset(locked.parent, Installed(locked), f"install {locked.name}")


def image(target: ImageTarget, command: str) -> lambda_.Code:
    """An image of `functions/Dockerfile`. `command` is the handler of a stage, or the app of a web function."""
    return lambda_.Code.from_asset_image(
        str(image_context()), target=target, cmd=[command], platform=ecr_assets.Platform.LINUX_ARM64
    )


@cache
def image_context() -> Path:
    """A folder with all that the images are built from, removed when the process ends. CDK would walk the whole
    repository otherwise, virtual environments too."""
    folder = tempfile.mkdtemp(prefix="careline-images-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    Copied(IN_IMAGES).try_bundle(folder)
    return Path(folder)


def _asset(source: Path, bundling: Copied | Installed, does: str) -> lambda_.Code:
    """CDK asks for an image even where bundling is local; it is never pulled. It takes two packages with one source for
    the same unless their commands differ, so `does` stands there."""
    image = cdk.DockerImage.from_registry("not-used")
    local: Any = bundling
    options = cdk.BundlingOptions(image=image, local=local, command=[does])
    return lambda_.Code.from_asset(str(source), bundling=options, asset_hash_type=cdk.AssetHashType.OUTPUT)


OURS = (
    "careline",
    "careline_packs/__init__.py",
    "careline_artefacts/__init__.py",
    "careline_artefacts/manifest.json",
    "careline_artefacts/sentence_embedding",
)
"""What of `layers/` the functions need that are archives: they keep records, and answer, embed and screen nothing."""


class Layers(Construct):
    """The two layers of a function that is an archive: Careline, and the packages it imports."""

    def __init__(self, scope: Construct, construct_id: str) -> None:
        super().__init__(scope, construct_id)
        self.careline = self._layer("Careline", copied(*((f"layers/{each}", f"python/{each}") for each in OURS)))
        wanted = self.node.try_get_context("bundle") != "false"
        listed = str(LOCKED.relative_to(ROOT))
        packages = installed(LOCKED) if wanted else copied((listed, f"python/{LOCKED.name}"))
        self.packages = self._layer("Packages", packages)

    @property
    def all(self) -> list[lambda_.LayerVersion]:
        """Both of them."""
        return [self.careline, self.packages]

    def _layer(self, name: str, code: lambda_.Code) -> lambda_.LayerVersion:
        return lambda_.LayerVersion(
            self,
            name,
            code=code,
            compatible_architectures=[lambda_.Architecture.ARM_64],
            compatible_runtimes=[lambda_.Runtime.PYTHON_3_13],
        )
