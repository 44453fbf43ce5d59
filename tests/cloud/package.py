"""The packages of synthesized functions, laid out as Lambda unpacks them: archives with their layers, and images."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.cloud import image
from tests.cloud.locked import install

Json = dict[str, Any]
RUNTIME = "/var/runtime"
"""Where Lambda's managed runtime keeps its client, `awslambdaric`."""
RUNTIME_CLIENT = ("awslambdaric", "simplejson", "snapshot-restore-py")


@dataclass(frozen=True, slots=True)
class Package:
    """A function's tree, the command that starts it and what the package itself sets in the environment."""

    root: Path
    workdir: str
    command: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)


class Packages:
    """The packages of a synthesized stage, each made when it is first asked for and shared by the functions of one."""

    def __init__(self, synthesized: Path, work: Path) -> None:
        self._work, self._made = work, dict[str, Package]()
        self._files, self._images = dict[str, Path](), dict[str, Json]()
        for listed in synthesized.glob("*.assets.json"):
            found = json.loads(listed.read_text())
            for key, asset in found["files"].items():
                self._files[key] = synthesized / asset["source"]["path"]
            for key, asset in found["dockerImages"].items():
                source = asset["source"]
                self._images[key] = {**source, "directory": synthesized / source["directory"]}

    def of(self, properties: Json, layers: dict[str, Json]) -> Package:
        """The package of a function by its properties; `layers` are those of its stack, by logical id."""
        if properties.get("PackageType") == "Image":
            return self._image(properties)
        return self._archive(properties, layers)

    def _archive(self, properties: Json, layers: dict[str, Json]) -> Package:
        code = _asset(properties["Code"])
        listed = [_asset(layers[each["Ref"]]["Content"]) for each in properties["Layers"]]
        key = "-".join((code, *listed))
        if key not in self._made:
            root = self._folder()
            shutil.copytree(self._files[code], root / "var/task")
            for layer in listed:
                shutil.copytree(self._files[layer], root / "opt", dirs_exist_ok=True)
            for locked in (root / "opt/python").glob("*.txt"):
                # With `bundle=false` a layer holds its list; what it names is put beside it.
                install(locked, root / "opt/python")
            _runtime_client(root)
            self._made[key] = Package(root, "/var/task", ())
        made = self._made[key]
        path = {"PYTHONPATH": f"/var/task:/opt/python:{RUNTIME}"}
        return Package(made.root, made.workdir, ("python", "-m", "awslambdaric", properties["Handler"]), path)

    def _image(self, properties: Json) -> Package:
        key = _asset_of_image(properties["Code"]["ImageUri"])
        source = self._images[key]
        if key not in self._made:
            folder: Path = source["directory"]
            built = image.build(folder, folder / source.get("dockerFile", "Dockerfile"), source["dockerBuildTarget"],
                                self._folder())  # fmt: skip
            self._made[key] = Package(built.root, built.workdir, tuple(built.entrypoint), built.environment)
        made = self._made[key]
        said = properties.get("ImageConfig", {})
        return Package(made.root, made.workdir, (*made.command, *said.get("Command", ())), made.environment)

    def _folder(self) -> Path:
        folder = self._work / f"tree-{len(self._made)}"
        (folder / image.PACKAGES).mkdir(parents=True)
        return folder


def _runtime_client(root: Path) -> None:
    """The managed runtime brings its client; the functions' own layer does not."""
    from importlib.metadata import version

    listed = root / "runtime.txt"
    listed.write_text("".join(f"{name}=={version(name)} \\\n" for name in RUNTIME_CLIENT))
    install(listed, root / RUNTIME.lstrip("/"))


def _asset(code: Json) -> str:
    """The hash of a file asset, which is its key in the bucket."""
    key: str = code["S3Key"]
    return key.removesuffix(".zip")


def _asset_of_image(uri: Any) -> str:
    """The hash of an image asset, which is its tag."""
    text = uri["Fn::Sub"] if isinstance(uri, dict) else uri
    return str(text).rpartition(":")[2]


def functions_of(synthesized: Path) -> Iterator[tuple[str, Json, dict[str, Json]]]:
    """Name, properties and the layers of its stack for every function of ours."""
    for path in sorted(synthesized.glob("*.template.json")):
        resources = json.loads(path.read_text())["Resources"]
        layers = {
            name: one["Properties"] for name, one in resources.items() if one["Type"] == "AWS::Lambda::LayerVersion"
        }
        for one in resources.values():
            if one["Type"] == "AWS::Lambda::Function" and "FunctionName" in one["Properties"]:
                yield one["Properties"]["FunctionName"], one["Properties"], layers
